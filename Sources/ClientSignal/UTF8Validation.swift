/// Strict UTF-8 (RFC 3629 §4): no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Validation {
  /// Whether the bytes are well-formed; empty text is.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      index += 1
      guard lead >= 0x80 else { continue }
      guard let (continuationCount, second) = sequence(lead), index + continuationCount <= bytes.count,
        second.contains(bytes[index])
      else { return false }
      for offset in 1..<continuationCount where bytes[index + offset] & 0xC0 != 0x80 { return false }
      index += continuationCount
    }
    return true
  }

  /// How many bytes follow a lead byte, and which the first of them may be; nil when it leads nothing.
  private static func sequence(_ lead: UInt8) -> (continuationCount: Int, second: ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)  // below: overlong
    case 0xED: (2, 0x80...0x9F)  // above: surrogates
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)  // below: overlong
    case 0xF1...0xF3: (3, 0x80...0xBF)
    case 0xF4: (3, 0x80...0x8F)  // above: beyond U+10FFFF
    default: nil
    }
  }
}
