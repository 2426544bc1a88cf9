import RegionModel

/// What free text from outside has to be before it is compared with anything.
enum TextGate {
  /// Whether the bytes are at most `CityName.utf8BytesMax` of strict UTF-8 without C0, DEL or C1 controls.
  static func admits(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= CityName.utf8BytesMax, UTF8Validation.isValid(text) else { return false }
    var previous: UInt8 = 0
    for byte in text {
      if byte < 0x20 || byte == 0x7F { return false }
      // C1 is U+0080 to U+009F: in UTF-8, C2 and 80 to 9F.
      if previous == 0xC2 && byte < 0xA0 { return false }
      previous = byte
    }
    return true
  }
}
