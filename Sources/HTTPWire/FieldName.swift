/// A field name that the configuration or the protocol speaks of, ready to be looked for.
///
/// Immutable; usable from any thread.
package struct FieldName: Hashable, Sendable {
  /// The name as it was given: what `Vary` and the like write.
  package let text: String
  /// The same in lower case: names are compared without regard to case (RFC 9110 §5.1).
  package let lowercased: [UInt8]
  /// The bit that case differs by, in the place of each letter of it.
  private let caseBits: [UInt8]
  /// `FieldName.hash` of `lowercased`: most other names are told apart by it alone.
  let hash: UInt32
  /// One of 64, by which a name that a request does not have is mostly known.
  @inline(__always)
  var bit: UInt64 { Self.bit(hash) }

  /// A name; nil unless the text is a token (RFC 9110 §5.6.2).
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ FieldSyntax.isTokenCharacter($0) }) else { return nil }
    self.text = text
    lowercased = text.utf8.map { FieldSyntax.lowercased($0) }
    caseBits = lowercased.map { (0x61...0x7A).contains($0) ? 0x20 : 0 }
    hash = lowercased.withUnsafeBytes { Self.hash($0) }
  }

  /// A name that stands in the source: a programmer's error unless it is a token.
  package init(_ text: StaticString) {
    self.init(String(describing: text))!
  }

  package static func == (left: FieldName, right: FieldName) -> Bool { left.lowercased == right.lowercased }
  package func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }

  /// Whether the bytes are this name, whatever their case.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    guard count == lowercased.count else { return false }
    return lowercased.withUnsafeBytes { lowercased in
      caseBits.withUnsafeBytes { caseBits in
        guard count >= 8 else {
          for index in 0..<count where bytes[index] | caseBits[index] != lowercased[index] { return false }
          return true
        }
        func hasWord(at index: Int) -> Bool {
          bytes.word(at: index) as UInt64 | caseBits.word(at: index) == lowercased.word(at: index)
        }
        // The last word may have some bytes of the one before it.
        let last = count &- 8
        var index = 0
        while index < last {
          guard hasWord(at: index) else { return false }
          index &+= 8
        }
        return hasWord(at: last)
      }
    }
  }

  /// The bit of names with that hash.
  @inline(__always)
  static func bit(_ hash: UInt32) -> UInt64 { 1 &<< UInt64(hash) }

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
