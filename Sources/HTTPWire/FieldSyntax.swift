/// The byte classes of RFC 9110 §5 and §5.6.
package enum FieldSyntax {
  /// `tchar` (RFC 9110 §5.6.2).
  @inline(__always)
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 64 ? tokenLow >> UInt64(byte) : tokenHigh >> UInt64(byte - 64)) & 1 == 1
  }

  /// ASCII lower case.
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static let tokenLow = mask("!#$%&'*+-.0123456789", base: 0)
  private static let tokenHigh = mask(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~", base: 64)

  private static func mask(_ characters: StaticString, base: UInt8) -> UInt64 {
    characters.withUTF8Buffer { $0.reduce(0) { $0 | 1 << UInt64($1 - base) } }
  }
}
