import Testing

@testable import RegionModel

@Suite struct BucketPolicyTests {
  static func policy(_ rules: [String], unclassified: [String] = []) throws -> BucketPolicy {
    try BucketPolicy(
      regional: rules.flatMap { try RegionRule.parse($0) },
      unclassified: unclassified.compactMap { CountryCode($0) })
  }

  static func location(
    _ country: String, _ subdivision: String? = nil, city: Location.City = .absent
  ) throws -> Location {
    Location(
      country: try #require(CountryCode(country)),
      subdivision: try subdivision.map { try #require(SubdivisionCode(Array($0.utf8))) }, city: city)
  }

  static let rules = [
    "KR", "US-CA", "US-NY", "JP/Tokyo", "CA-QC", "CA/Toronto", "FR", "FR-IDF", "FR/Paris", "DE/Berlin",
  ]

  typealias Row = (country: String, subdivision: String?, city: Location.City, outcome: BucketPolicy.Outcome)

  static let rows: [Row] = [
    ("KR", nil, .absent, .regionalMarket), ("KR", "11", .other, .regionalMarket),
    ("GB", nil, .absent, .otherMarket),
    // A subdivision decides: given, missing, another country's of that name.
    ("US", "CA", .absent, .regionalMarket), ("US", "NY", .other, .regionalMarket),
    ("US", "TX", .absent, .otherMarket),
    ("US", nil, .absent, .notEnoughToDecide), ("US", nil, .other, .notEnoughToDecide),
    ("GB", "NY", .absent, .otherMarket),
    // A city decides.
    ("JP", nil, .listed, .regionalMarket), ("JP", nil, .other, .otherMarket),
    ("JP", nil, .absent, .notEnoughToDecide),
    ("JP", "13", .absent, .notEnoughToDecide),
    // Either of both decides for; against, both have to be known.
    ("CA", "QC", .absent, .regionalMarket), ("CA", nil, .listed, .regionalMarket),
    ("CA", "ON", .listed, .regionalMarket),
    ("CA", "ON", .other, .otherMarket), ("CA", "ON", .absent, .notEnoughToDecide),
    ("CA", nil, .other, .notEnoughToDecide),
    ("CA", nil, .absent, .notEnoughToDecide),
    // A whole country leaves nothing open.
    ("FR", nil, .absent, .regionalMarket), ("FR", "BRE", .other, .regionalMarket),
    ("CN", nil, .absent, .unclassified), ("CN", "11", .listed, .unclassified),
  ]

  @Test(arguments: rows)
  func placesAreEvaluated(row: Row) throws {
    let policy = try Self.policy(Self.rules, unclassified: ["CN"])
    let location = try Self.location(row.country, row.subdivision, city: row.city)
    #expect(policy.evaluate(location) == row.outcome)
  }

  @Test(arguments: [
    ("KR", false, false), ("US", true, false), ("JP", false, true), ("CA", true, true), ("FR", false, false),
    ("CN", false, false), ("GB", false, false),
  ])
  func needsAreWhatTheCountryLeavesOpen(country: String, subdivision: Bool, city: Bool) throws {
    let policy = try Self.policy(Self.rules, unclassified: ["CN"])
    let needs = policy.needs(of: try #require(CountryCode(country)))
    #expect(needs == BucketPolicy.Needs(subdivision: subdivision, city: city))
  }

  @Test(arguments: [
    ([], false, false), (["KR"], false, false), (["US-CA"], true, false), (["KR/Seoul"], false, true),
    (["US-CA", "KR/Seoul"], true, true), (["US", "US-CA", "US/Reno"], false, false), (["EU"], false, false),
  ])
  func needsOfAnyCountryAreTheirSum(rules: [String], subdivision: Bool, city: Bool) throws {
    let needs = try Self.policy(rules).needsOfAnyCountry
    #expect(needs == BucketPolicy.Needs(subdivision: subdivision, city: city))
  }

  @Test func citiesAreLookedForInTheirCountryOnly() throws {
    let policy = try Self.policy(["KR/Seoul", "KR/부산", "US/Paris"])
    func city(_ text: String, _ country: String) throws -> Location.City {
      let country = try #require(CountryCode(country))
      return Array(text.utf8).withUnsafeBytes { policy.city($0, in: country) }
    }
    #expect(try city("seoul", "KR") == .listed)
    #expect(try city("부산", "KR") == .listed)
    #expect(try city("Paris", "KR") == .other)
    #expect(try city("Paris", "US") == .listed)
    #expect(try city("Paris", "FR") == .other)
    #expect(try city("", "KR") == .other)
  }

  /// All countries, against a list: rules for whole countries alone never leave anything open.
  @Test func everyCountryIsOnOneSide() throws {
    let policy = try Self.policy(["EEA", "KR"], unclassified: ["CN", "RU"])
    for country in CountryCode.all {
      let expected: BucketPolicy.Outcome =
        if country.letters == "KR" || CountryCode.europeanEconomicArea.contains(country) {
          .regionalMarket
        } else if ["CN", "RU"].contains(country.letters) {
          .unclassified
        } else {
          .otherMarket
        }
      #expect(policy.evaluate(Location(country: country)) == expected)
    }
  }

  @Test func anEmptyPolicyKnowsNoRegionalPlace() throws {
    let policy = try Self.policy([])
    for country in CountryCode.all { #expect(policy.evaluate(Location(country: country)) == .otherMarket) }
  }

  @Test(arguments: [
    (["KR"], ["KR"], ["KR"]), (["US-CA"], ["US"], ["US"]), (["KR/Seoul"], ["US", "KR"], ["KR"]),
    (["EU", "KR"], ["KR", "FR", "DE"], ["DE", "FR", "KR"]),
  ])
  func aCountryInBothListsIsAContradiction(rules: [String], unclassified: [String], named: [String]) {
    #expect(throws: BucketPolicyError.regionalAndUnclassified(named.compactMap { CountryCode($0) })) {
      try Self.policy(rules, unclassified: unclassified)
    }
  }

  @Test(arguments: [
    (["KR", "US-CA"], ["US-CA", "KR"]), (["KR", "KR"], ["KR"]), (["kr"], ["KR"]), (["us-ca"], ["US-CA"]),
    (["KR/Seoul"], ["KR/SEOUL"]), (["EEA"], ["NO", "LI", "IS", "EU"]), (["EU", "FR"], ["EU"]),
  ])
  func equalPoliciesHaveEqualFingerprints(one: [String], other: [String]) throws {
    #expect(try Self.policy(one).fingerprint == Self.policy(other).fingerprint)
    #expect(try Self.policy(one).regional == Self.policy(other).regional)
  }

  @Test func differentPoliciesHaveDifferentFingerprints() throws {
    let policies = [
      try Self.policy([]), try Self.policy(["KR"]), try Self.policy(["US"]), try Self.policy(["KR", "US"]),
      try Self.policy(["US-CA"]), try Self.policy(["US/CA"]), try Self.policy([], unclassified: ["KR"]),
      try Self.policy(["KR"], unclassified: ["US"]), try Self.policy(["KR/Seoul"]),
      try Self.policy(["KR/Busan"]),
    ]
    #expect(Set(policies.map(\.fingerprint)).count == policies.count)
  }

  /// Edge files in the field carry fingerprints: that of a policy must never change. This one is
  /// FNV-1a of "1\nregional KR\nunclassified \n".
  @Test func fingerprintsStayWhatTheyAre() throws {
    #expect(try Self.policy(["KR"]).fingerprint == "6f3a179e8f0e0c1c")
    #expect(try Self.policy([]).fingerprint.count == 16)
    let canonical = Array("1\nregional KR/seoul,US-CA\nunclassified CN\n".utf8)
    let hash = canonical.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let policy = try Self.policy(["US-CA", "KR/Seoul"], unclassified: ["CN"])
    #expect(UInt64(policy.fingerprint, radix: 16) == hash)
  }

  @Test func bucketsAreTheWireContracts() {
    #expect(RegionBucket.allCases.map(\.rawValue) == ["regionalMarket", "otherMarket", "unknown"])
    #expect(DecisionSource.allCases.map(\.rawValue) == ["none", "edge", "cdn", "database"])
  }
}
