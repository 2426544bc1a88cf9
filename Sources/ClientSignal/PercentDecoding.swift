import HTTPWire

/// Strict decoding of percent-encoded text (RFC 3986 §2.1): once, `+` is itself.
enum PercentDecoding {
  /// Writes the decoded bytes to the front of `room` and returns how many there are; nil when a `%` is not
  /// followed by two hexadecimal digits, or when the result does not fit.
  static func decode(_ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
    var index = 0
    var count = 0
    while index < text.count {
      guard count < room.count else { return nil }
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < text.count, let high = FieldSyntax.hexadecimalDigit(text[index]),
          let low = FieldSyntax.hexadecimalDigit(text[index + 1])
        else { return nil }
        byte = UInt8(high << 4 | low)
        index += 2
      }
      room[count] = byte
      count += 1
    }
    return count
  }
}
