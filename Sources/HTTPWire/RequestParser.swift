/// What came of looking at the bytes of a head.
package enum HeadProgress: Equatable, Sendable {
  /// Nothing wrong so far, and not complete.
  case needMore
  /// The head is complete and takes so many bytes; what follows is its body, or the next request.
  case complete(consumed: Int)
  /// Refused. Nothing after it may be answered: answer this one, and close.
  case rejected(Rejection)
}

/// Parses the heads of HTTP/1.x requests, strictly: what two parsers could read in two ways is refused.
///
/// It owns no buffer, allocates nothing, and remembers numbers only. One belongs to a connection, or stands
/// on the stack while heads come whole; it may be moved between calls and belongs to one loop.
package struct RequestParser: Sendable {
  private var line = RequestLineScanner()
  private var section = FieldSectionScanner(at: 0)
  /// Where the header section starts; 0 while the request line is being read.
  private var sectionStart: UInt32 = 0
  private var fields = MessageFields()
  private var rejection: Rejection?
  private var isResumed = false

  /// A parser that waits for a request.
  package init() {}

  /// Forgets the request that it was at, and any rejection.
  package mutating func reset() {
    // After a whole request there is nothing to forget.
    if isResumed || rejection != nil { self = RequestParser() }
  }

  /// Whether a request has begun: something besides an empty line has come (RFC 9112 §2.2). Until then the
  /// connection is idle, even though an old client's extra CRLF may lie in the buffer.
  package var hasBegun: Bool { line.hasBegun }

  /// The method of the request that it is at; `.other` until it has been read whole.
  package var method: RequestMethod { line.method }

  /// Looks at a request that starts at the first of the bytes.
  ///
  /// After `.needMore`, call again with the same bytes and more behind them, wherever they lie by then; the
  /// limits may be others, and hold from then on. Each byte is looked at once, and once more when a head
  /// that came in pieces is complete; so a client that sends a byte at a time costs no more than twice the
  /// usual. After `.complete` the head can be read and the parser waits for the next request. After
  /// `.rejected` the head has nothing but the method, and every further call says the same until `reset`.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer, limits: WireLimits, into head: RequestHead
  ) -> HeadProgress {
    if let rejection { return reject(rejection, head) }
    do throws(Rejection) {
      // Only a head seen whole fills the table: another connection's may have been in it in the meantime.
      head.reset(to: bytes)
      guard try advance(bytes, limits, head, isCollecting: !isResumed) else {
        isResumed = !bytes.isEmpty
        head.forget(method: .other)
        return .needMore
      }
      if isResumed {
        self = RequestParser()
        let isComplete = try advance(bytes, limits, head, isCollecting: true)
        precondition(isComplete, "the bytes have changed between two calls")
      }
      try finish(bytes, limits, head)
    } catch {
      return reject(error, head)
    }
    let consumed = section.cursor
    self = RequestParser()
    return .complete(consumed: consumed)
  }

  /// Reads on; true once the head is complete.
  private mutating func advance(
    _ bytes: UnsafeRawBufferPointer, _ limits: WireLimits, _ head: RequestHead, isCollecting: Bool
  ) throws(Rejection) -> Bool {
    if sectionStart == 0 {
      guard try line.scan(bytes, lineBytesMax: limits.requestLineBytesMax) else { return false }
      _ = try line.path(bytes)
      sectionStart = UInt32(truncatingIfNeeded: line.cursor)
      section = FieldSectionScanner(at: line.cursor)
    }
    let limit = Int(sectionStart) + limits.headerSectionBytesMax
    let stop = min(bytes.count, limit)
    let fieldCountMax = min(limits.fieldCountMax, head.fieldCountMax)
    while true {
      let version = line.version
      try section.forEachUsualLine(bytes, until: stop, fieldCountMax: fieldCountMax) {
        name, value throws(Rejection) in
        try Self.note(bytes, name, value, &fields, version, isCollecting ? head : nil)
      }
      switch try section.next(bytes, until: stop, fieldCountMax: fieldCountMax) {
      case .needMore:
        if section.cursor >= limit { throw .headerSectionTooLarge }
        return false
      case .end: return true
      case .line:
        let value = Self.withoutTrailingWhitespace(bytes, section.value)
        try Self.note(bytes, section.name, value, &fields, version, isCollecting ? head : nil)
      }
    }
  }

  /// Takes note of a field line.
  @inline(__always)
  private static func note(
    _ bytes: UnsafeRawBufferPointer, _ name: Range<Int>, _ value: Range<Int>, _ fields: inout MessageFields,
    _ version: HTTPVersion, _ head: RequestHead?
  ) throws(Rejection) {
    if MessageFields.mayConcern(nameLength: name.upperBound &- name.lowerBound) {
      try fields.note(
        name: UnsafeRawBufferPointer(rebasing: bytes[name]),
        value: UnsafeRawBufferPointer(rebasing: bytes[value]), version: version)
    }
    head?.append(name: name, value: value)
  }

  /// What can be said only of a whole head.
  @inline(__always)
  private func finish(
    _ bytes: UnsafeRawBufferPointer, _ limits: WireLimits, _ head: RequestHead
  ) throws(Rejection) {
    guard fields.hasHost || line.version == .http10 else { throw .missingHost }
    let framing = try fields.framing(bodyBytesMax: limits.bodyBytesMax)
    head.finish(
      method: line.method, version: line.version, path: try line.path(bytes), fields: fields,
      framing: framing)
  }

  private mutating func reject(_ rejection: Rejection, _ head: RequestHead) -> HeadProgress {
    self.rejection = rejection
    head.forget(method: line.method)
    return .rejected(rejection)
  }

  @inline(__always)
  private static func withoutTrailingWhitespace(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, FieldSyntax.isWhitespace(bytes[end &- 1]) { end &-= 1 }
    return Range(uncheckedBounds: (range.lowerBound, end))
  }
}
