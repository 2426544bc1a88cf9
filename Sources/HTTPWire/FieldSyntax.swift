/// The byte classes and comparisons of RFC 9110 §5 and §5.6.
package enum FieldSyntax {
  /// `tchar` (RFC 9110 §5.6.2).
  @inline(__always)
  package static func isTokenCharacter(_ byte: UInt8) -> Bool { ByteClass.token.contains(byte) }

  /// Whether the bytes are a `token`: one character or more (RFC 9110 §5.6.2).
  static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { isTokenCharacter($0) }
  }

  /// `OWS` (RFC 9110 §5.6.3): a space or a tab.
  @inline(__always)
  package static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// What a field value may have (RFC 9110 §5.5): `VCHAR`, `obs-text`, space, tab.
  @inline(__always)
  package static func isValueCharacter(_ byte: UInt8) -> Bool {
    byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
  }

  /// ASCII lower case.
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// `DIGIT` as a number; nil for any other byte.
  @inline(__always)
  static func decimalDigit(_ byte: UInt8) -> Int? {
    let digit = byte &- 0x30
    return digit < 10 ? Int(digit) : nil
  }

  /// `HEXDIG` of either case as a number (RFC 5234 §B.1); nil for any other byte.
  @inline(__always)
  package static func hexadecimalDigit(_ byte: UInt8) -> Int? {
    let digit = byte &- 0x30
    if digit < 10 { return Int(digit) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? Int(letter) + 10 : nil
  }

  /// Whether the bytes are the word, without regard to ASCII case; the word is given in lower case.
  @inline(__always)
  package static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercasedWord: StaticString) -> Bool {
    matches(
      bytes,
      lowercased: UnsafeRawBufferPointer(
        start: lowercasedWord.utf8Start, count: lowercasedWord.utf8CodeUnitCount))
  }

  /// The same with the word as bytes.
  package static func matches(_ bytes: UnsafeRawBufferPointer, lowercased word: UnsafeRawBufferPointer)
    -> Bool
  {
    let count = bytes.count
    guard count == word.count else { return false }
    guard count >= 8 else {
      for index in 0..<count where lowercased(bytes[index]) != word[index] { return false }
      return true
    }
    return ByteWord.allSatisfy(count) { ByteWord(bytes, at: $0).lowercased == word.word(at: $0) }
  }

  /// The bytes without the white space around them.
  package static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, isWhitespace(bytes[start]) { start += 1 }
    while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  /// Lends the members of a list of tokens, white space around them left out, empty ones too (RFC 9110
  /// §5.6.1). Commas inside quoted strings split as well, so it is for lists that cannot have any.
  @inline(__always)
  static func forEachListMember(
    _ value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    for end in 0...value.count where end == value.count || value[end] == 0x2C {
      body(trimmed(UnsafeRawBufferPointer(rebasing: value[start..<end])))
      start = end + 1
    }
  }
}
