/// Reads the field lines of a header or trailer section and the empty line at its end (RFC 9112 §5), a byte
/// after the other, as far as bytes have come.
///
///     field-line = field-name ":" OWS field-value OWS
///
/// Every byte is judged where it stands, so the verdict does not depend on how the bytes were cut.
struct FieldSectionScanner {
  /// What the byte at the cursor belongs to.
  private enum State: UInt8 { case lineStart, name, valueStart, value, lineEnd, sectionEnd }

  /// What was come upon.
  enum Event {
    case needMore
    /// A field line: `name` and `value` say where it stands.
    case line
    /// The empty line.
    case end
  }

  private var state = State.lineStart
  /// How far the bytes have been read.
  private(set) var cursor: Int
  // 32 bits, which `WireLimits` keeps to: a connection has one of these.
  private var nameStart: UInt32 = 0
  private var nameEnd: UInt32 = 0
  private var valueStart: UInt32 = 0
  private var valueEnd: UInt32 = 0
  /// Field lines begun so far.
  private var lineCount: UInt32 = 0

  /// A scanner for the section that begins at the index.
  init(at start: Int) { cursor = start }

  /// Where the last line's name stands.
  var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  /// Where the last line's value stands, with the white space that may follow it.
  var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }

  /// Lets the next bytes stand in another buffer, for a reader that keeps none of them. The ranges mean
  /// nothing from then on.
  mutating func continueInNewBuffer(at start: Int) { cursor = start }

  /// Lends lines as most are, as long as the cursor is at the start of one and all of it is there: a name of letters
  /// and hyphens, a colon, a space, a value without tabs and without more white space around it. Any other is left to
  /// `next` untouched.
  @inline(__always)
  mutating func forEachUsualLine(
    _ bytes: UnsafeRawBufferPointer, until stop: Int, fieldCountMax: Int,
    _ body: (_ name: Range<Int>, _ value: Range<Int>) throws(Rejection) -> Void
  ) throws(Rejection) {
    guard state == .lineStart else { return }
    // In hand rather than in memory for as long as it goes on; after a rejection nobody asks for them.
    var start = cursor
    var linesLeft = fieldCountMax &- Int(lineCount)
    while start < stop, linesLeft > 0 {
      let colon = start &+ ByteSpan.name(bytes, Range(uncheckedBounds: (start, stop)))
      // A colon, a space, a byte of the value that is no white space, and CRLF.
      guard colon > start, colon &+ 5 <= stop, bytes[colon] == 0x3A, bytes[colon &+ 1] == 0x20,
        bytes[colon &+ 2] > 0x20
      else { break }
      let value = colon &+ 2
      let end = value &+ ByteSpan.printable(bytes, Range(uncheckedBounds: (value, stop)))
      guard end &+ 1 < stop, bytes[end] == 0x0D, bytes[end &+ 1] == 0x0A, bytes[end &- 1] > 0x20
      else { break }
      linesLeft &-= 1
      try body(Range(uncheckedBounds: (start, colon)), Range(uncheckedBounds: (value, end)))
      start = end &+ 2
    }
    cursor = start
    lineCount = UInt32(truncatingIfNeeded: fieldCountMax &- linesLeft)
  }

  /// Reads on, up to `stop` at most, and to the end of a line at most.
  mutating func next(
    _ bytes: UnsafeRawBufferPointer, until stop: Int, fieldCountMax: Int
  ) throws(Rejection) -> Event {
    // The states in the order in which a line goes through them, so that a whole line is one pass.
    guard cursor < stop else { return .needMore }
    if state == .lineStart { try startLine(bytes[cursor], fieldCountMax) }
    if state == .name { try scanName(bytes, stop) }
    if state == .valueStart { skipWhitespace(bytes, stop) }
    if state == .value { try scanValue(bytes, stop) }
    guard cursor < stop, state == .lineEnd || state == .sectionEnd else { return .needMore }
    guard bytes[cursor] == 0x0A else { throw .bareCR }
    cursor += 1
    guard state == .lineEnd else { return .end }
    state = .lineStart
    return .line
  }

  @inline(__always)
  private mutating func startLine(_ byte: UInt8, _ fieldCountMax: Int) throws(Rejection) {
    if byte == 0x0D {
      state = .sectionEnd
      cursor += 1
      return
    }
    guard ByteClass.token.contains(byte) else {
      switch byte {
      case 0x0A: throw .bareLF
      case 0x20, 0x09: throw lineCount == 0 ? .whitespaceBeforeFirstField : .obsoleteFolding
      case 0x3A: throw .emptyFieldName
      default: throw .badFieldNameByte
      }
    }
    guard Int(lineCount) < fieldCountMax else { throw .tooManyFields }
    lineCount += 1
    nameStart = UInt32(truncatingIfNeeded: cursor)
    state = .name
  }

  @inline(__always)
  private mutating func scanName(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    var index = cursor
    while true {
      index &+= ByteSpan.name(bytes, index..<stop)
      guard index < stop, ByteClass.token.contains(bytes[index]) else { break }
      index &+= 1
    }
    cursor = index
    guard index < stop else { return }
    switch bytes[index] {
    case 0x3A:
      nameEnd = UInt32(truncatingIfNeeded: index)
      cursor = index + 1
      state = .valueStart
    case 0x20, 0x09: throw .spaceBeforeColon
    case 0x0D, 0x0A: throw .missingColon
    default: throw .badFieldNameByte
    }
  }

  @inline(__always)
  private mutating func skipWhitespace(_ bytes: UnsafeRawBufferPointer, _ stop: Int) {
    var index = cursor
    while index < stop, FieldSyntax.isWhitespace(bytes[index]) { index += 1 }
    cursor = index
    guard index < stop else { return }
    valueStart = UInt32(truncatingIfNeeded: index)
    state = .value
  }

  @inline(__always)
  private mutating func scanValue(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    var index = cursor
    while true {
      index &+= ByteSpan.printable(bytes, index..<stop)
      guard index < stop, FieldSyntax.isValueCharacter(bytes[index]) else { break }
      index &+= 1
    }
    cursor = index
    guard index < stop else { return }
    guard bytes[index] == 0x0D else { throw bytes[index] == 0x0A ? .bareLF : .badFieldValueByte }
    valueEnd = UInt32(truncatingIfNeeded: index)
    cursor = index + 1
    state = .lineEnd
  }
}
