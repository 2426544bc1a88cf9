import RegionModel

/// A policy taken apart in the way that edge code asks for it: by country.
struct EdgePlaces {
  /// A country that its code alone does not settle.
  struct OpenCountry {
    var country: CountryCode
    /// The regional subdivisions; nil when no rule speaks of one.
    var subdivisions: [SubdivisionCode]?
    /// The regional cities, case-folded; nil when no rule speaks of one.
    var cities: [String]?

    /// The cities that ASCII text can name.
    var asciiCities: [String] { (cities ?? []).filter { $0.utf8.allSatisfy { $0 < 0x80 } } }
  }

  /// Countries that are regional as a whole.
  private(set) var regional: [CountryCode] = []
  /// Countries that no rule speaks of.
  private(set) var other: [CountryCode] = []
  /// Countries that depend on more.
  private(set) var open: [OpenCountry] = []

  init(_ policy: BucketPolicy) {
    for country in CountryCode.all where !policy.unclassified.contains(country) {
      let rules = policy.regional.filter { $0.country == country }
      let needs = policy.needs(of: country)
      if needs.subdivision || needs.city {
        open.append(
          OpenCountry(
            country: country,
            subdivisions: needs.subdivision ? rules.compactMap(\.subdivision) : nil,
            cities: needs.city ? rules.compactMap(\.city?.folded) : nil))
      } else if rules.isEmpty {
        other.append(country)
      } else {
        regional.append(country)
      }
    }
  }

  /// Whether some country depends on its subdivision.
  var needsSubdivision: Bool { open.contains { $0.subdivisions != nil } }
  /// Whether some country depends on its city.
  var needsCity: Bool { open.contains { $0.cities != nil } }
}

extension RegionRule {
  fileprivate var subdivision: SubdivisionCode? {
    if case .subdivision(_, let code) = self { code } else { nil }
  }

  fileprivate var city: CityName? {
    if case .city(_, let name) = self { name } else { nil }
  }
}
