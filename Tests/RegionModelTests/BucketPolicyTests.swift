import Testing

@testable import RegionModel

@Suite struct BucketPolicyTests {
  @Test func countryAloneDecides() throws {
    let policy = try BucketPolicy(regional: RegionRule.parse("KR"), unclassified: [])
    let korea = try #require(CountryCode("kr"))
    #expect(policy.evaluate(Location(country: korea)) == .regionalMarket)
  }
}
