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
  /// By it a name that a request does not have is mostly known: `lengthBit` of its own length.
  let lengthBit: UInt64

  /// A name; nil unless the text is a token (RFC 9110 §5.6.2).
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ FieldSyntax.isTokenCharacter($0) }) else { return nil }
    self.text = text
    lowercased = text.utf8.map { FieldSyntax.lowercased($0) }
    caseBits = lowercased.map { (0x61...0x7A).contains($0) ? 0x20 : 0 }
    lengthBit = Self.lengthBit(lowercased.count)
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
        return ByteWord.allSatisfy(count) {
          bytes.word(at: $0) as UInt64 | caseBits.word(at: $0) == lowercased.word(at: $0)
        }
      }
    }
  }

  /// One bit for a length: lengths tell most names apart, and the parser has them already.
  @inline(__always)
  static func lengthBit(_ length: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: length) }
}
