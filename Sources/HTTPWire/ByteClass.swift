/// A set of ASCII characters as a grammar names it, asked one byte at a time; never a byte from 0x80 up.
///
/// The bits stand in the source as numbers, so that the optimiser sees constants and no byte pays for the
/// set-up of a table; the tests compare each set with its grammar for all 256 bytes.
struct ByteClass {
  /// Bit n: character n.
  let low: UInt64
  /// Bit n: character 64 + n.
  let high: UInt64

  /// `tchar` (RFC 9110 §5.6.2).
  static let token = ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  /// `unreserved` and `sub-delims` (RFC 3986 §2.2, §2.3): what a `reg-name` has besides percent-encoding.
  static let registeredName = ByteClass(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// The same and `:`: what follows the dot of an `IPvFuture` (RFC 3986 §3.2.2).
  static let futureAddress = ByteClass(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// `pchar` and `/` (RFC 3986 §3.3), without percent-encoding.
  static let path = ByteClass(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

  /// Whether the byte is in the set.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
  }
}
