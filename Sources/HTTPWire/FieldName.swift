/// A field name that the configuration or the protocol speaks of, ready to be looked for.
///
/// Immutable; usable from any thread.
package struct FieldName: Hashable, Sendable {
  /// The name as it was given: what `Vary` and the like write.
  package let text: String
  /// The same in lower case: names are compared without regard to case (RFC 9110 §5.1).
  package let lowercased: [UInt8]
  /// `FieldName.hash` of `lowercased`: most other names are told apart by it alone.
  let hash: UInt32

  /// A name; nil unless the text is a token (RFC 9110 §5.6.2).
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ FieldSyntax.isTokenCharacter($0) }) else { return nil }
    self.text = text
    lowercased = text.utf8.map { FieldSyntax.lowercased($0) }
    hash = lowercased.withUnsafeBytes { Self.hash($0) }
  }

  /// A name that stands in the source: a programmer's error unless it is a token.
  package init(_ text: StaticString) {
    self.init(String(describing: text))!
  }

  package static func == (left: FieldName, right: FieldName) -> Bool { left.lowercased == right.lowercased }
  package func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }

  /// A number that equal names share whatever their case, made of the length and of the first and last eight
  /// bytes at most, so that a long name costs no more than a short one. Names that share it are compared.
  @inline(__always)
  static func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
    let length = name.count
    let first: UInt64
    let last: UInt64
    if length >= 8 {
      first = name.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      last = name.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
    } else if length >= 4 {
      first = UInt64(name.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      last = UInt64(name.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
    } else if length > 0 {
      first = UInt64(name[0])
      last = UInt64(name[length / 2]) &<< 8 | UInt64(name[length - 1])
    } else {
      return 0
    }
    // Bit 5 is what ASCII case differs by; other characters may fall together, which costs a comparison.
    let cases: UInt64 = 0x2020_2020_2020_2020
    let mixed = ((first | cases) &* 0x9E37_79B9_7F4A_7C15) ^ (last | cases) &+ UInt64(length)
    return UInt32(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 32)
  }
}
