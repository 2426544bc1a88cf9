import RegionModel
import Testing

@testable import ServiceConfig

@Suite struct PolicyTests {
  private func load(_ policy: String) -> ConfigLoad {
    Loading().load("{ sources: ['cdn'], cdn: { preset: 'cloudfront' }, policy: { \(policy) } }")
  }

  @Test func placesAndGroupsAreRead() throws {
    let config = try #require(
      load("regional: ['kr', 'US-ca', 'JP/Tōkyō', 'EEA'], unclassified: ['CN']").config)
    let places = config.policy.active.regional.map(\.canonicalText)
    #expect(places.count == 3 + CountryCode.europeanEconomicArea.count)
    #expect(
      places.contains("KR") && places.contains("US-CA") && places.contains("JP/tōkyō")
        && places.contains("NO"))
    #expect(config.policy.active.unclassified.map(\.letters) == ["CN"])
    #expect(config.policy.shadow == nil)
    #expect(config.signals.edge == nil)
  }

  @Test func aGroupMayBeUnclassified() throws {
    let config = try #require(load("regional: ['KR'], unclassified: ['EU']").config)
    #expect(config.policy.active.unclassified.count == CountryCode.europeanUnion.count)
  }

  @Test(
    arguments: [
      ("regional: ['JP']", ["JP"], ["CN"]), ("unclassified: ['RU']", ["KR"], ["RU"]),
      ("unclassified: []", ["KR"], []), ("regional: [], unclassified: []", [], []),
    ] as [(String, [String], [String])]) func theShadowDiffersWhereItSays(
      shadow: String, regional: [String], unclassified: [String]
    ) throws
  {
    let config = try #require(load("regional: ['KR'], unclassified: ['CN'], shadow: { \(shadow) }").config)
    let policy = try #require(config.policy.shadow)
    #expect(policy.regional.map(\.canonicalText) == regional)
    #expect(policy.unclassified.map(\.letters) == unclassified)
  }

  @Test(
    arguments: [
      ("regional: ['UK']", ["policy.regional[0]: \"UK\" is not a country of ISO 3166-1; did you mean `GB`?"]),
      (
        "regional: ['UK-ENG']",
        ["policy.regional[0]: \"UK-ENG\": \"UK\" is not a country of ISO 3166-1; did you mean `GB`?"]
      ),
      (
        "regional: ['KOR', 'Korea']",
        [
          "policy.regional[0]: \"KOR\" is not a country of ISO 3166-1; did you mean `KR`?",
          "policy.regional[1]: \"Korea\" is not a country of ISO 3166-1; did you mean its two letters "
            + "(ISO 3166-1 alpha-2)?",
        ]
      ),
      ("regional: ['eu']", ["policy.regional[0]: \"eu\" is not a country of ISO 3166-1; did you mean `EU`?"]),
      ("regional: ['T1']", ["policy.regional[0]: \"T1\" is not a country of ISO 3166-1"]),
      (
        "regional: ['KR-Seoul']",
        [
          "policy.regional[0]: \"KR-Seoul\": behind `-` stands a subdivision of ISO 3166-2, from 1 to 3 "
            + "letters or "
            + "digits; a city is written `KR/Name`"
        ]
      ),
      (
        "regional: ['KR/']",
        [
          "policy.regional[0]: \"KR/\": behind `/` stands a city's name, of 512 bytes at most and "
            + "without control "
            + "characters"
        ]
      ),
      (
        "regional: ['KR'], unclassified: ['US-CA', 'AN']",
        [
          "policy.unclassified[0]: \"US-CA\" is not a whole country",
          "policy.unclassified[1]: \"AN\" is not a country of ISO 3166-1; did you mean `BQ`, `CW` or `SX`?",
        ]
      ),
      (
        "regional: ['KR', 'US-CA'], unclassified: ['US', 'KR']",
        ["policy.regional: KR, US: both regional and unclassified"]
      ),
      (
        "regional: ['KR'], shadow: { unclassified: ['KR'] }",
        ["policy.shadow.unclassified: KR: both regional and unclassified"]
      ),
      (
        "regional: ['KR'], shadow: { regional: ['XX'] }",
        ["policy.shadow.regional[0]: \"XX\" is not a country of ISO 3166-1"]
      ),
    ] as [(String, [String])]) func mistakesAreReported(policy: String, problems: [String])
  {
    let errors = load(policy).diagnostics.filter { $0.severity == .error }
    #expect(
      errors.map { $0.text.replacing(Loading.fileName, with: "FILE") }
        == problems.map { "error: FILE:1: \($0)" })
  }

  @Test func rulesThatAddNothingAreDoubted() {
    #expect(
      load("regional: ['KR', 'KR/Seoul', 'US-CA']").diagnostics.map(\.text) == [
        "warning: \(Loading.fileName):1: policy.regional: KR/seoul adds nothing: all of KR is regional"
      ])
    #expect(
      load("regional: []").diagnostics.map(\.text) == [
        "warning: \(Loading.fileName):1: policy.regional: no place is regional: no answer is ever "
          + "`regionalMarket`"
      ])
  }

  /// Every hint must be one that helps.
  @Test func whatIsSuggestedIsACountry() throws {
    for code in [
      "UK", "EL", "SU", "CS", "YU", "AN", "TP", "ZR", "BU", "FX", "NT", "AC", "TA", "CP", "DG", "EA", "IC",
    ] {
      let hint = try #require(PlaceExplanation(of: .unknownCountry, in: code).hint)
      #expect(CountryCode(code) == nil)
      let suggested = hint.split(separator: "`").map(String.init).filter { $0.allSatisfy(\.isUppercase) }
      #expect(!suggested.isEmpty)
      for letters in suggested { #expect(CountryCode(letters) != nil, "\(letters)") }
    }
  }
}
