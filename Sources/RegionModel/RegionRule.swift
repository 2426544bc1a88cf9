/// One entry of a policy's list of regional places.
public enum RegionRule: Hashable, Sendable {
  /// A whole country: `KR`.
  case country(CountryCode)
  /// One subdivision of a country: `US-CA`.
  case subdivision(CountryCode, SubdivisionCode)
  /// One city of a country: `KR/Seoul`. Compared case-folded and by canonical equivalence.
  case city(CountryCode, CityName)

  /// The rules that a text stands for: `KR`, `US-CA`, `KR/Seoul`, `EU`, `EEA`.
  ///
  /// - Throws: `RegionRuleError` that says what is wrong with the text.
  public static func parse(_ text: String) throws(RegionRuleError) -> [RegionRule] {
    switch text {
    case "EU": return CountryCode.europeanUnion.map { .country($0) }
    case "EEA": return CountryCode.europeanEconomicArea.map { .country($0) }
    default: break
    }
    if let slash = text.firstIndex(of: "/") {
      let country = try country(text[..<slash])
      guard let name = CityName(String(text[text.index(after: slash)...])) else { throw .badCity }
      return [.city(country, name)]
    }
    if let dash = text.firstIndex(of: "-") {
      let country = try country(text[..<dash])
      guard let code = SubdivisionCode(Array(text[text.index(after: dash)...].utf8)) else {
        throw .badSubdivision
      }
      return [.subdivision(country, code)]
    }
    return [.country(try country(text[...]))]
  }

  private static func country(_ text: Substring) throws(RegionRuleError) -> CountryCode {
    guard let code = CountryCode(text) else { throw .unknownCountry }
    return code
  }

  /// The rule in its canonical spelling, which the policy's fingerprint is made of.
  public var canonicalText: String {
    switch self {
    case .country(let country): country.letters
    case .subdivision(let country, let code): "\(country.letters)-\(code.characters)"
    case .city(let country, let name): "\(country.letters)/\(name.folded)"
    }
  }

  /// The country that the rule speaks of.
  public var country: CountryCode {
    switch self {
    case .country(let country), .subdivision(let country, _), .city(let country, _): country
    }
  }
}

/// Why a text is no rule.
public enum RegionRuleError: Error, Equatable, Sendable {
  /// Not an assigned ISO 3166-1 code, `XK`, `EU` or `EEA`.
  case unknownCountry
  /// The part behind `-` is not one to three letters or digits.
  case badSubdivision
  /// The part behind `/` is empty, longer than 512 bytes, begins or ends with a space, or holds control
  /// characters.
  case badCity
}
