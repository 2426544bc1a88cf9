/// One request's head: numbers that point into the buffer it was parsed from.
///
/// A loop owns one and parses every request into it, so that no request allocates. What it lends is valid
/// until the next parse or until the buffer changes. It has no textual description on purpose: everything in
/// it was written by a stranger. Not thread-safe: it belongs to one loop.
package final class RequestHead {
  /// Where one field line's name and value stand, with white space around the value already left out.
  private struct FieldLine {
    var nameHash: UInt32
    var nameStart: UInt32
    var nameLength: UInt32
    var valueStart: UInt32
    var valueLength: UInt32
  }

  /// What a field that may appear once turned out to be.
  package enum SingleField {
    case absent
    /// The value's bytes, valid as long as the head; maybe empty.
    case value(UnsafeRawBufferPointer)
    /// More than one line has the name.
    case repeated
  }

  private let lines: UnsafeMutableBufferPointer<FieldLine>
  /// How many field lines there are.
  package private(set) var fieldCount = 0
  /// The buffer that the numbers point into.
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var path = RequestTarget.root

  /// The request's method. After a rejection it is still right if the method had been read whole, and `.other`
  /// otherwise: an error's answer to HEAD has no content.
  package private(set) var method = RequestMethod.other
  /// The request's version, to be answered as HTTP/1.1 in any case (RFC 9110 §6.2).
  package private(set) var version = HTTPVersion.http11
  /// Whether there is a Host field; it may be empty.
  package private(set) var hasHost = false
  /// Whether the connection may carry another request after this one (RFC 9112 §9.3): by version and Connection
  /// field; never after CONNECT, whose client may take what follows for a tunnel.
  package private(set) var keepsAlive = false
  /// How the end of the body is found; a length is within the limit.
  package private(set) var framing = BodyFraming.none
  /// Whether the client waits for `100 (Continue)` before it sends the body (RFC 9110 §10.1.1).
  package private(set) var expectsContinue = false
  /// Whether Expect has anything besides `100-continue`: `417`.
  package private(set) var hasUnknownExpectation = false

  /// Storage for heads of at most so many field lines.
  package init(fieldCountMax: Int) {
    lines = .allocate(capacity: fieldCountMax)
  }

  deinit { lines.deallocate() }

  /// How many field lines there is room for.
  var fieldCountMax: Int { lines.count }

  /// The target's path, without the query, by the one rule of `RequestTarget`: compare it byte for byte. `*` for
  /// a server-wide OPTIONS, `host:port` for CONNECT. Valid as long as the head.
  package var target: UnsafeRawBufferPointer {
    switch path {
    case .slice(let start, let length): UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
    case .root: Self.text("/")
    case .asterisk: Self.text("*")
    }
  }

  /// Forgets the request before, and points to the buffer of the next.
  func reset(to bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    fieldCount = 0
    path = .root
    method = .other
    version = .http11
    hasHost = false
    keepsAlive = false
    framing = .none
    expectsContinue = false
    hasUnknownExpectation = false
  }

  /// Forgets the request and the buffer, except for the method of one that is refused.
  func forget(method: RequestMethod) {
    reset(to: UnsafeRawBufferPointer(start: nil, count: 0))
    self.method = method
  }

  /// Notes a field line. There must be room for it.
  func append(name: Range<Int>, value: Range<Int>) {
    lines[fieldCount] = FieldLine(
      nameHash: FieldName.hash(UnsafeRawBufferPointer(rebasing: bytes[name])),
      nameStart: UInt32(truncatingIfNeeded: name.lowerBound),
      nameLength: UInt32(truncatingIfNeeded: name.count),
      valueStart: UInt32(truncatingIfNeeded: value.lowerBound),
      valueLength: UInt32(truncatingIfNeeded: value.count))
    fieldCount += 1
  }

  /// Notes the rest, once the head is complete.
  func finish(
    method: RequestMethod, version: HTTPVersion, path: RequestTarget, fields: MessageFields,
    framing: BodyFraming
  ) {
    self.method = method
    self.version = version
    self.path = path
    hasHost = fields.hasHost
    keepsAlive = fields.keepsAlive(version) && method != .connect
    self.framing = framing
    expectsContinue = fields.expectsContinue(version, framing)
    hasUnknownExpectation = fields.hasUnknownExpectation
  }

  /// Whether any line has the name.
  package func has(_ name: FieldName) -> Bool {
    (0..<fieldCount).contains { matches(lines[$0], name) }
  }

  /// The value of a field that may have one line only.
  package func single(_ name: FieldName) -> SingleField {
    var found = SingleField.absent
    for index in 0..<fieldCount where matches(lines[index], name) {
      if case .absent = found { found = .value(value(of: lines[index])) } else { return .repeated }
    }
    return found
  }

  /// Lends every value that the name has, in the order of the lines.
  package func forEachValue(of name: FieldName, _ body: (UnsafeRawBufferPointer) -> Void) {
    for index in 0..<fieldCount where matches(lines[index], name) { body(value(of: lines[index])) }
  }

  private func value(of line: FieldLine) -> UnsafeRawBufferPointer {
    let start = Int(line.valueStart)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(line.valueLength))])
  }

  @inline(__always)
  private func matches(_ line: FieldLine, _ name: FieldName) -> Bool {
    guard line.nameHash == name.hash, Int(line.nameLength) == name.lowercased.count else { return false }
    let start = Int(line.nameStart)
    for offset in 0..<Int(line.nameLength)
    where FieldSyntax.lowercased(bytes[start + offset]) != name.lowercased[offset] { return false }
    return true
  }

  private static func text(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
