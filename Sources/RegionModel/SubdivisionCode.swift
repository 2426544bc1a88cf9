/// The part of an ISO 3166-2 code behind the country: one to three of `A`–`Z`, `0`–`9`.
///
/// Means something only together with its country. Four bytes; usable from any thread.
public struct SubdivisionCode: Hashable, Sendable {
  /// The characters, first one highest, without padding: `CA` is `0x4341`.
  public let rawValue: UInt32

  /// A code from ASCII bytes in either case; nil unless there are one to three letters or digits.
  ///
  /// Inlinable, so that a caller in another module gets it for its own kind of bytes.
  @inlinable
  public init?(_ characters: some Collection<UInt8>) {
    guard (1...3).contains(characters.count) else { return nil }
    var value: UInt32 = 0
    for character in characters {
      switch character {
      case 0x30...0x39, 0x41...0x5A: value = value << 8 | UInt32(character)
      case 0x61...0x7A: value = value << 8 | UInt32(character - 0x20)
      default: return nil
      }
    }
    rawValue = value
  }

  /// The characters as text, upper case.
  public var characters: String {
    let bytes = [rawValue >> 16, rawValue >> 8, rawValue].map { UInt8($0 & 0xFF) }
    return String(decoding: bytes.drop { $0 == 0 }, as: UTF8.self)
  }
}
