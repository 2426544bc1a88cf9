/// Strict base64 (RFC 4648 §4): padded, no white space, unused bits zero.
enum Base64Decoding {
  /// Writes the decoded bytes to the front of `room` and returns how many there are; nil when the text is not
  /// base64 or the result does not fit.
  static func decode(_ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
    guard text.count.isMultiple(of: 4), text.count / 4 * 3 <= room.count else { return nil }
    guard let last = text.last else { return 0 }
    let padCount = last != UInt8(ascii: "=") ? 0 : text[text.count - 2] != UInt8(ascii: "=") ? 1 : 2
    var count = 0
    for start in stride(from: 0, to: text.count, by: 4) {
      let digitCount = start + 4 == text.count ? 4 - padCount : 4
      var bits: UInt32 = 0
      for offset in 0..<digitCount {
        guard let digit = value(text[start + offset]) else { return nil }
        bits |= UInt32(digit) << UInt32(18 - 6 * offset)
      }
      let byteCount = digitCount - 1
      guard bits << UInt32(8 + 8 * byteCount) == 0 else { return nil }
      for offset in 0..<byteCount {
        room[count] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * offset))
        count += 1
      }
    }
    return count
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
