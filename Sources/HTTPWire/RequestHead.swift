/// One request's head: numbers that point into the buffer it was parsed from.
///
/// A loop owns one and parses every request into it, so that no request allocates. What it lends is valid
/// until the next parse or until the buffer changes. It has no textual description on purpose: everything in
/// it was written by a stranger. Not thread-safe: it belongs to one loop.
package final class RequestHead {
  /// Where one field line's name and value stand, with white space around the value already left out.
  struct FieldLine {
    var nameHash: UInt32
    var nameStart: UInt32
    var valueStart: UInt32
    var nameLength: UInt16
    var valueLength: UInt16
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
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Storage for heads of at most so many field lines.
  package init(fieldCountMax: Int) {
    lines = .allocate(capacity: fieldCountMax)
  }

  deinit { lines.deallocate() }

  /// Forgets the request before, and points to the buffer of the next.
  package func reset(to bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    fieldCount = 0
  }

  /// Notes a field line; false when there is no room for one more.
  package func append(nameHash: UInt32, name: Range<Int>, value: Range<Int>) -> Bool {
    guard fieldCount < lines.count else { return false }
    lines[fieldCount] = FieldLine(
      nameHash: nameHash, nameStart: UInt32(name.lowerBound), valueStart: UInt32(value.lowerBound),
      nameLength: UInt16(name.count), valueLength: UInt16(value.count))
    fieldCount += 1
    return true
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

  private func matches(_ line: FieldLine, _ name: FieldName) -> Bool {
    guard line.nameHash == name.hash, Int(line.nameLength) == name.lowercased.count else { return false }
    let start = Int(line.nameStart)
    for offset in 0..<Int(line.nameLength)
    where FieldSyntax.lowercased(bytes[start + offset]) != name.lowercased[offset] { return false }
    return true
  }
}
