/// A city's name in a policy: the operator's own words, so unlike a header's it may be printed.
public struct CityName: Hashable, Sendable {
  /// The longest name that is looked at, in bytes of UTF-8. Longer input is refused, not cut.
  public static let utf8BytesMax = 512

  /// The case-folded name. `==` on it is Unicode's canonical equivalence, so NFC and NFD spellings are one.
  public let folded: String

  /// The bytes of `folded` when all are ASCII: such a name is compared without making a string.
  let foldedASCII: [UInt8]?

  /// A name from text; nil when it is empty, too long, begins or ends with a space, or holds a C0, DEL or C1
  /// control: no header could ever match it.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.utf8BytesMax, !text.hasPrefix(" "), !text.hasSuffix(" "),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    else { return nil }
    folded = Self.fold(text)
    foldedASCII = folded.utf8.allSatisfy { $0 < 0x80 } ? Array(folded.utf8) : nil
  }

  /// Case folding by way of upper case, which takes `ß` and `ς` where simple lower-casing would not.
  static func fold(_ text: String) -> String { text.uppercased().lowercased() }

  /// Whether valid UTF-8 bytes name this city.
  ///
  /// ASCII is compared in place. Other names pass through strings of this call's own, which are wiped.
  func matches(_ utf8: UnsafeRawBufferPointer) -> Bool {
    if utf8.allSatisfy({ $0 < 0x80 }) {
      guard let foldedASCII, foldedASCII.count == utf8.count else { return false }
      return zip(foldedASCII, utf8).allSatisfy { $0 == ((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
    }
    var text = String(decoding: utf8, as: UTF8.self)
    var upper = text.uppercased()
    var lower = upper.lowercased()
    defer {
      Self.wipe(&text)
      Self.wipe(&upper)
      Self.wipe(&lower)
    }
    return lower == folded
  }

  /// Overwrites a string's own storage: it held what a header said.
  private static func wipe(_ text: inout String) {
    text.withUTF8 { bytes in
      UnsafeMutableBufferPointer(mutating: bytes).update(repeating: 0x20)
    }
  }
}
