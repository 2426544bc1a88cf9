import RegionModel

/// Regular expressions (PCRE, bytes, without regard to the case of ASCII letters) that tell places apart as the
/// service's allow-lists do. They hold no quote, `%` or `$` but at their end, so that they can stand between `"`.
enum PlacePatterns {
  /// Nothing there.
  static let absent = "^[ \\t]*$"
  /// Text that only the service can fold.
  static let beyondASCII = "[^\\x00-\\x7f]"
  /// A city's name in ASCII, of 512 bytes at most and without control characters.
  static let city = around("[\\x20-\\x7e]{1,\(CityName.utf8BytesMax)}")

  /// One of these countries.
  static func countries(_ countries: [CountryCode]) -> String {
    around("(?:\(countries.map(\.letters).joined(separator: "|")))")
  }

  /// A subdivision of the country, whichever.
  static func subdivision(of country: CountryCode) -> String {
    around("(?:\(country.letters)-?)?[A-Z0-9]{1,3}")
  }

  /// One of these subdivisions of the country: `CA`, `US-CA`, `USCA`. Three characters are never a country and
  /// a subdivision.
  static func subdivisions(_ codes: [SubdivisionCode], of country: CountryCode) -> String {
    let forms = codes.map(\.characters).map { code in
      "(?:\(country.letters)\(code.utf8.count == 1 ? "-" : "-?"))?\(code)"
    }
    return around("(?:\(forms.joined(separator: "|")))")
  }

  /// One of these cities, whose names are ASCII; nil when there is none.
  static func cities(_ names: [String]) -> String? {
    names.isEmpty ? nil : around("(?:\(names.map(escaped).joined(separator: "|")))")
  }

  private static func around(_ pattern: String) -> String { "^[ \\t]*\(pattern)[ \\t]*$" }

  /// What is neither letter nor digit goes in by its number: nothing of it means anything to a quoted string.
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x61...0x7A: String(UnicodeScalar(byte))
      default: "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
