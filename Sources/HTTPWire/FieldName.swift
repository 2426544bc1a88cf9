/// A field name that the configuration or the protocol speaks of, ready to be looked for.
///
/// Immutable; usable from any thread.
package struct FieldName: Hashable, Sendable {
  /// The name as it was given: what `Vary` and the like write.
  package let text: String
  /// The same in lower case: names are compared without regard to case (RFC 9110 §5.1).
  package let lowercased: [UInt8]
  /// `FieldName.hash` of `lowercased`: most other names are told apart by it alone.
  package let hash: UInt32

  /// A name; nil unless the text is a token (RFC 9110 §5.6.2).
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ FieldSyntax.isTokenCharacter($0) }) else { return nil }
    self.text = text
    lowercased = text.utf8.map { FieldSyntax.lowercased($0) }
    hash = lowercased.reduce(Self.hashSeed) { Self.hash($0, $1) }
  }

  /// A name that stands in the source: a programmer's error unless it is a token.
  package init(_ text: StaticString) {
    self.init(String(describing: text))!
  }

  package static func == (left: FieldName, right: FieldName) -> Bool { left.lowercased == right.lowercased }
  package func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }

  /// FNV-1a, 32 bits, one lower-case byte at a time.
  package static let hashSeed: UInt32 = 0x811C_9DC5
  @inline(__always)
  package static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 0x0100_0193 }
}
