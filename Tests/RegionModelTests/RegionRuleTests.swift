import Testing

@testable import RegionModel

@Suite struct RegionRuleTests {
  @Test(arguments: [
    ("KR", ["KR"]), ("kr", ["KR"]), ("XK", ["XK"]), ("US-CA", ["US-CA"]), ("us-ca", ["US-CA"]),
    ("GB-ENG", ["GB-ENG"]),
    ("KR/Seoul", ["KR/seoul"]), ("kr/SEOUL", ["KR/seoul"]), ("US/New York", ["US/new york"]),
    ("FR/Aix-en-Provence", ["FR/aix-en-provence"]),
    ("KR/a/b", ["KR/a/b"]),
  ])
  func rulesAreRead(text: String, canonical: [String]) throws {
    #expect(try RegionRule.parse(text).map(\.canonicalText) == canonical)
  }

  @Test func groupsAreTheirMembers() throws {
    #expect(try RegionRule.parse("EU") == CountryCode.europeanUnion.map { .country($0) })
    #expect(try RegionRule.parse("EEA") == CountryCode.europeanEconomicArea.map { .country($0) })
  }

  @Test(arguments: [
    ("", RegionRuleError.unknownCountry), ("UK", .unknownCountry), ("XX", .unknownCountry),
    ("eu", .unknownCountry),
    ("KOR", .unknownCountry), (" KR", .unknownCountry), ("KR,US", .unknownCountry), ("-CA", .unknownCountry),
    ("EU-CA", .unknownCountry), ("/Seoul", .unknownCountry), ("UK/London", .unknownCountry),
    ("US-CA/Paris", .unknownCountry),
    ("US-", .badSubdivision), ("US-CALI", .badSubdivision), ("US-C A", .badSubdivision),
    ("US--", .badSubdivision),
    ("KR/", .badCity), ("KR/ Seoul", .badCity), ("KR/Seoul ", .badCity), ("KR/Se\u{0}oul", .badCity),
    ("KR/\u{85}", .badCity),
  ])
  func otherTextsAreRefusedWithTheReason(text: String, error: RegionRuleError) {
    #expect(throws: error) { try RegionRule.parse(text) }
  }
}
