/// One request's head: numbers that point into the buffer it was parsed from.
///
/// A loop owns one and parses every request into it, so that no request allocates. What it lends is valid
/// until the next parse or until the buffer changes. It has no textual description on purpose: everything in
/// it was written by a stranger. Not thread-safe: it belongs to one loop.
package final class RequestHead {
  /// Where one field line's name and value stand, with white space around the value already left out.
  private struct FieldLine {
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

  /// What is known besides the field lines.
  private struct Facts {
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var fieldCount = 0
    /// `FieldName.lengthBit` of each name, so that most names that are not there are not looked for.
    var lengthsSeen: UInt64 = 0
    /// Those of more than one line.
    var lengthsRepeated: UInt64 = 0
    var path = RequestTarget.root
    var method = RequestMethod.other
    var version = HTTPVersion.http11
    var hasHost = false
    var keepsAlive = false
    var framing = BodyFraming.none
    var expectsContinue = false
    var hasUnknownExpectation = false
  }

  // Memory rather than properties: the run-time checks of exclusive access to a class's properties would cost
  // as much as the parsing.
  private let lines: UnsafeMutablePointer<FieldLine>
  private let facts: UnsafeMutablePointer<Facts>
  /// For each length that has been seen, by the place of its bit, the line; the last one if it is repeated.
  private let linesOfLengths: UnsafeMutablePointer<UInt32>
  /// How many field lines there is room for.
  let fieldCountMax: Int

  /// Storage for heads of at most so many field lines.
  package init(fieldCountMax: Int) {
    self.fieldCountMax = fieldCountMax
    lines = .allocate(capacity: fieldCountMax)
    facts = .allocate(capacity: 1)
    facts.initialize(to: Facts())
    linesOfLengths = .allocate(capacity: UInt64.bitWidth)
    linesOfLengths.initialize(repeating: 0, count: UInt64.bitWidth)
  }

  deinit {
    lines.deallocate()
    facts.deallocate()
    linesOfLengths.deallocate()
  }

  /// How many field lines there are.
  package var fieldCount: Int { facts.pointee.fieldCount }
  /// The request's method. After a rejection it is still right if the method had been read whole, and
  /// `.other` otherwise: an error's answer to HEAD has no content.
  package var method: RequestMethod { facts.pointee.method }
  /// The request's version, to be answered as HTTP/1.1 in any case (RFC 9110 §6.2).
  package var version: HTTPVersion { facts.pointee.version }
  /// Whether there is a Host field; it may be empty.
  package var hasHost: Bool { facts.pointee.hasHost }
  /// Whether the connection may carry another request after this one (RFC 9112 §9.3): by version and
  /// Connection field; never after CONNECT, whose client may take what follows for a tunnel.
  package var keepsAlive: Bool { facts.pointee.keepsAlive }
  /// How the end of the body is found; a length is within the limit.
  package var framing: BodyFraming { facts.pointee.framing }
  /// Whether the client waits for `100 (Continue)` before it sends the body (RFC 9110 §10.1.1).
  package var expectsContinue: Bool { facts.pointee.expectsContinue }
  /// Whether Expect has anything besides `100-continue`: `417`.
  package var hasUnknownExpectation: Bool { facts.pointee.hasUnknownExpectation }

  /// The target's path, without the query, by the one rule of `RequestTarget`: compare it byte for byte.
  /// `*` for a server-wide OPTIONS, `host:port` for CONNECT. Valid as long as the head.
  package var target: UnsafeRawBufferPointer {
    switch facts.pointee.path {
    case .slice(let start, let length): slice(start, length)
    case .root: Self.text("/")
    case .asterisk: Self.text("*")
    }
  }

  /// Forgets the request before, and points to the buffer of the next.
  func reset(to bytes: UnsafeRawBufferPointer) {
    facts.pointee = Facts()
    facts.pointee.bytes = bytes
  }

  /// Forgets the request and the buffer, except for the method of one that is refused.
  func forget(method: RequestMethod) {
    facts.pointee = Facts()
    facts.pointee.method = method
  }

  /// Notes a field line. There must be room for it.
  @inline(__always)
  func append(name: Range<Int>, value: Range<Int>) {
    let index = facts.pointee.fieldCount
    assert(index < fieldCountMax)
    let nameLength = name.upperBound &- name.lowerBound
    let bit = FieldName.lengthBit(nameLength)
    facts.pointee.lengthsRepeated |= facts.pointee.lengthsSeen & bit
    facts.pointee.lengthsSeen |= bit
    linesOfLengths[bit.trailingZeroBitCount] = UInt32(truncatingIfNeeded: index)
    lines[index] = FieldLine(
      nameStart: UInt32(truncatingIfNeeded: name.lowerBound),
      nameLength: UInt32(truncatingIfNeeded: nameLength),
      valueStart: UInt32(truncatingIfNeeded: value.lowerBound),
      valueLength: UInt32(truncatingIfNeeded: value.upperBound &- value.lowerBound))
    facts.pointee.fieldCount = index &+ 1
  }

  /// Notes the rest, once the head is complete.
  func finish(
    method: RequestMethod, version: HTTPVersion, path: RequestTarget, fields: MessageFields,
    framing: BodyFraming
  ) {
    facts.pointee.method = method
    facts.pointee.version = version
    facts.pointee.path = path
    facts.pointee.hasHost = fields.hasHost
    facts.pointee.keepsAlive = fields.keepsAlive(version) && method != .connect
    facts.pointee.framing = framing
    facts.pointee.expectsContinue = fields.expectsContinue(version, framing)
    facts.pointee.hasUnknownExpectation = fields.hasUnknownExpectation
  }

  /// Whether any line has the name.
  package func has(_ name: FieldName) -> Bool { firstIndex(of: name, from: 0) != nil }

  /// False says that no line has the name; true leaves it open.
  @inline(__always)
  func mayHave(_ name: FieldName) -> Bool { facts.pointee.lengthsSeen & name.lengthBit != 0 }

  /// The last line whose name has that length; there must be one.
  @inline(__always)
  private func lineOfLength(_ name: FieldName) -> UnsafeMutablePointer<FieldLine> {
    lines + Int(linesOfLengths[name.lengthBit.trailingZeroBitCount])
  }

  /// The value of a field that may have one line only.
  package func single(_ name: FieldName) -> SingleField {
    guard mayHave(name) else { return .absent }
    guard facts.pointee.lengthsRepeated & name.lengthBit == 0 else { return singleOfRepeatedLength(name) }
    let line = lineOfLength(name).pointee
    return isNamed(line, name) ? .value(value(of: line)) : .absent
  }

  /// Whether one line has the name, and that value; false also where it takes more than one look. `mayHave` has said
  /// yes to the name.
  @inline(__always)
  func hasOneLine(_ name: FieldName, _ value: UnsafeRawBufferPointer) -> Bool {
    guard facts.pointee.lengthsRepeated & name.lengthBit == 0 else { return false }
    let line = lineOfLength(name).pointee
    return isNamed(line, name) && self.value(of: line).isEqual(to: value)
  }

  private func singleOfRepeatedLength(_ name: FieldName) -> SingleField {
    guard let index = firstIndex(of: name, from: 0) else { return .absent }
    return firstIndex(of: name, from: index + 1) == nil ? .value(value(of: lines[index])) : .repeated
  }

  /// Lends every value that the name has, in the order of the lines.
  package func forEachValue(of name: FieldName, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while let index = firstIndex(of: name, from: start) {
      body(value(of: lines[index]))
      start = index + 1
    }
  }

  @inline(__always)
  private func firstIndex(of name: FieldName, from start: Int) -> Int? {
    guard mayHave(name) else { return nil }
    var index = start
    while index < facts.pointee.fieldCount {
      if Int(lines[index].nameLength) == name.lowercased.count, isNamed(lines[index], name) { return index }
      index += 1
    }
    return nil
  }

  private func isNamed(_ line: FieldLine, _ name: FieldName) -> Bool {
    name.matches(slice(Int(line.nameStart), Int(line.nameLength)))
  }

  private func value(of line: FieldLine) -> UnsafeRawBufferPointer {
    slice(Int(line.valueStart), Int(line.valueLength))
  }

  @inline(__always)
  private func slice(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: facts.pointee.bytes[start..<(start + length)])
  }

  private static func text(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
