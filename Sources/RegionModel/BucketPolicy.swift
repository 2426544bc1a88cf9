/// Which places are regional, which are not to be classified: location in, bucket out.
///
/// Immutable; usable from any thread. Evaluation allocates nothing unless a city's name is not ASCII.
public struct BucketPolicy: Sendable {
  /// What a country alone leaves open.
  public struct Needs: Equatable, Sendable {
    /// A rule for the country speaks of a subdivision, and the country alone did not settle it.
    public var subdivision: Bool
    /// A rule for the country speaks of a city, and the country alone did not settle it.
    public var city: Bool

    /// The same as a list.
    package var parts: [Part] { [subdivision ? .subdivision : nil, city ? .city : nil].compactMap(\.self) }
  }

  /// What a rule may ask for besides the country.
  package enum Part: String, Sendable {
    case subdivision, city
  }

  /// What the policy says of a location.
  public enum Outcome: Equatable, Sendable {
    case regionalMarket
    case otherMarket
    /// A rule for the country could not be evaluated: its subdivision or city is missing.
    case notEnoughToDecide
    /// The country is listed as one not to classify.
    case unclassified
  }

  /// The rules in canonical order, groups expanded, each once.
  public let regional: [RegionRule]
  /// The countries not to classify, in alphabetical order, each once.
  public let unclassified: [CountryCode]
  /// Sixteen hexadecimal digits (FNV-1a, 64 bits) of the policy's canonical form. Equal policies have equal
  /// ones, whatever order, groups or case they were written in. Only a city respelled in another Unicode
  /// normalisation form gives another one, which at worst makes an edge file look older than it is.
  public let fingerprint: String
  /// What some country or other asks for: a header that answers nothing of this is never read.
  public let needsOfAnyCountry: Needs

  /// One entry per pair of letters: what the country alone says.
  private let verdicts: [CountryVerdict]
  private let subdivisions: Set<SubdivisionKey>
  private let cities: [CountryCode: [CityName]]

  private enum CountryVerdict: Sendable {
    case regional, other, unclassified
    case open(Needs)

    /// Notes that a rule asks for more than the country.
    mutating func require(subdivision: Bool, city: Bool) {
      var needs = Needs(subdivision: subdivision, city: city)
      if case .open(let before) = self {
        needs.subdivision = needs.subdivision || before.subdivision
        needs.city = needs.city || before.city
      }
      self = .open(needs)
    }
  }

  private struct SubdivisionKey: Hashable, Sendable {
    var country: CountryCode
    var subdivision: SubdivisionCode
  }

  /// Compiles a policy.
  ///
  /// - Throws: `BucketPolicyError.regionalAndUnclassified` when a rule's country is also unclassified.
  public init(regional: [RegionRule], unclassified: [CountryCode]) throws(BucketPolicyError) {
    let sortedRules = Set(regional).sorted { $0.canonicalText < $1.canonicalText }
    let sortedUnclassified = Set(unclassified).sorted { $0.rawValue < $1.rawValue }
    let contradictions = Set(sortedRules.map(\.country)).intersection(sortedUnclassified)
    guard contradictions.isEmpty else {
      throw .regionalAndUnclassified(contradictions.sorted { $0.rawValue < $1.rawValue })
    }
    var verdicts = [CountryVerdict](repeating: .other, count: CountryCode.indexCount)
    var subdivisions = Set<SubdivisionKey>()
    var cities: [CountryCode: [CityName]] = [:]
    for country in sortedUnclassified { verdicts[country.index] = .unclassified }
    for rule in sortedRules {
      switch rule {
      case .country: break
      case .subdivision(let country, let code):
        subdivisions.insert(SubdivisionKey(country: country, subdivision: code))
        verdicts[country.index].require(subdivision: true, city: false)
      case .city(let country, let name):
        cities[country, default: []].append(name)
        verdicts[country.index].require(subdivision: false, city: true)
      }
    }
    // Last, since a whole country's rule leaves nothing open.
    for case .country(let country) in sortedRules { verdicts[country.index] = .regional }
    self.regional = sortedRules
    self.unclassified = sortedUnclassified
    self.verdicts = verdicts
    self.subdivisions = subdivisions
    self.cities = cities
    needsOfAnyCountry = verdicts.reduce(into: Needs(subdivision: false, city: false)) { sum, verdict in
      guard case .open(let needs) = verdict else { return }
      sum.subdivision = sum.subdivision || needs.subdivision
      sum.city = sum.city || needs.city
    }
    fingerprint = Self.fingerprint(regional: sortedRules, unclassified: sortedUnclassified)
  }

  /// What else than the country has to be known. Nothing that this does not ask for need ever be read.
  public func needs(of country: CountryCode) -> Needs {
    if case .open(let needs) = verdicts[country.index] { return needs }
    return Needs(subdivision: false, city: false)
  }

  /// Whether some rule names this city in this country; the bytes must be valid UTF-8.
  public func city(_ utf8: UnsafeRawBufferPointer, in country: CountryCode) -> Location.City {
    guard let names = cities[country] else { return .other }
    return names.contains { $0.matches(utf8) } ? .listed : .other
  }

  /// The policy's word on a location.
  public func evaluate(_ location: Location) -> Outcome {
    switch verdicts[location.country.index] {
    case .regional: return .regionalMarket
    case .other: return .otherMarket
    case .unclassified: return .unclassified
    case .open(let needs):
      if let subdivision = location.subdivision,
        subdivisions.contains(SubdivisionKey(country: location.country, subdivision: subdivision))
      {
        return .regionalMarket
      }
      if location.city == .listed { return .regionalMarket }
      let isMissing =
        needs.subdivision && location.subdivision == nil || needs.city && location.city == .absent
      return isMissing ? .notEnoughToDecide : .otherMarket
    }
  }

  private static func fingerprint(regional: [RegionRule], unclassified: [CountryCode]) -> String {
    let canonical =
      "1\nregional " + regional.map(\.canonicalText).joined(separator: ",") + "\nunclassified "
      + unclassified.map(\.letters).joined(separator: ",") + "\n"
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in canonical.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why rules make no policy.
public enum BucketPolicyError: Error, Equatable, Sendable {
  /// These countries are both regional and not to be classified.
  case regionalAndUnclassified([CountryCode])
}
