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
  private var nameStart = 0
  private var nameEnd = 0
  private var valueStart = 0
  private var valueEnd = 0
  /// Field lines begun so far.
  private var lineCount = 0

  /// A scanner for the section that begins at the index.
  init(at start: Int) { cursor = start }

  /// Where the last line's name stands.
  var name: Range<Int> { nameStart..<nameEnd }
  /// Where the last line's value stands, with the white space that may follow it.
  var value: Range<Int> { valueStart..<valueEnd }

  /// Lets the next bytes stand in another buffer, for a reader that keeps none of them. The ranges mean
  /// nothing from then on.
  mutating func continueInNewBuffer(at start: Int) { cursor = start }

  /// Reads on, up to `stop` at most.
  mutating func next(
    _ bytes: UnsafeRawBufferPointer, until stop: Int, fieldCountMax: Int
  ) throws(Rejection) -> Event {
    while cursor < stop {
      switch state {
      case .lineStart: try startLine(bytes[cursor], fieldCountMax)
      case .name: try scanName(bytes, stop)
      case .valueStart:
        var index = cursor
        while index < stop, FieldSyntax.isWhitespace(bytes[index]) { index += 1 }
        cursor = index
        guard index < stop else { return .needMore }
        valueStart = index
        state = .value
      case .value: try scanValue(bytes, stop)
      case .lineEnd:
        guard bytes[cursor] == 0x0A else { throw .bareCR }
        cursor += 1
        state = .lineStart
        return .line
      case .sectionEnd:
        guard bytes[cursor] == 0x0A else { throw .bareCR }
        cursor += 1
        return .end
      }
    }
    return .needMore
  }

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
    guard lineCount < fieldCountMax else { throw .tooManyFields }
    lineCount += 1
    nameStart = cursor
    state = .name
  }

  private mutating func scanName(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    var index = cursor
    while index < stop, ByteClass.token.contains(bytes[index]) { index += 1 }
    cursor = index
    guard index < stop else { return }
    switch bytes[index] {
    case 0x3A:
      nameEnd = index
      cursor = index + 1
      state = .valueStart
    case 0x20, 0x09: throw .spaceBeforeColon
    case 0x0D, 0x0A: throw .missingColon
    default: throw .badFieldNameByte
    }
  }

  private mutating func scanValue(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    var index = cursor
    while index < stop {
      // Eight bytes at a time while none of them is a control character.
      while index + 8 <= stop {
        let controls = Self.controls(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        if controls == 0 {
          index += 8
        } else {
          index += controls.trailingZeroBitCount / 8
          break
        }
      }
      guard index < stop else { break }
      let byte = bytes[index]
      if FieldSyntax.isValueCharacter(byte) {
        index += 1
        continue
      }
      guard byte == 0x0D else { throw byte == 0x0A ? .bareLF : .badFieldValueByte }
      valueEnd = index
      cursor = index + 1
      state = .lineEnd
      return
    }
    cursor = index
  }

  /// The top bit of the first byte below 0x20 or equal to 0x7F; bits above it mean nothing, 0 means none.
  @inline(__always)
  private static func controls(_ word: UInt64) -> UInt64 {
    let word = UInt64(littleEndian: word)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let deletes = word ^ (ones &* 0x7F)
    return ((word &- ones &* 0x20) & ~word | (deletes &- ones) & ~deletes) & tops
  }
}
