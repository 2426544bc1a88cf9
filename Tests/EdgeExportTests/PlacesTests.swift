import RegionModel
import Testing

@testable import EdgeExport

@Suite struct PlacesTests {
  static func policy(_ rules: [String], unclassified: [String] = []) throws -> BucketPolicy {
    try BucketPolicy(
      regional: rules.flatMap { try RegionRule.parse($0) },
      unclassified: unclassified.compactMap { CountryCode($0) })
  }

  static let names = EdgeNames(
    bucket: "X-Bucket", policy: "X-Policy", country: "X-Country", subdivision: "X-Subdivision", city: "X-City"
  )

  @Test func everyCountryHasOnePlace() throws {
    let places = EdgePlaces(
      try Self.policy(["KR", "US-CA", "JP/Tokyo", "JP/São", "FR", "FR-IDF"], unclassified: ["AQ"]))
    #expect(places.regional.map(\.letters) == ["FR", "KR"])
    #expect(places.open.map(\.country.letters) == ["JP", "US"])
    #expect(places.open.map(\.cities) == [["são", "tokyo"], nil])
    #expect(places.open.map(\.asciiCities) == [["tokyo"], []])
    #expect(places.open.map { $0.subdivisions?.map(\.characters) } == [nil, ["CA"]])
    #expect(places.other.count == CountryCode.all.count - 5)
    #expect(!places.other.map(\.letters).contains("AQ"))
    #expect(places.needsSubdivision && places.needsCity)
  }

  @Test(arguments: [
    ("tokyo", "^[ \\t]*(?:tokyo)[ \\t]*$"), ("st. john's", "^[ \\t]*(?:st\\x2e\\x20john\\x27s)[ \\t]*$"),
    ("a\"%$\\", "^[ \\t]*(?:a\\x22\\x25\\x24\\x5c)[ \\t]*$"),
  ])
  func cityPatternsHoldNothingThatQuotesKnow(name: String, pattern: String) {
    #expect(PlacePatterns.cities([name]) == pattern)
  }

  @Test func subdivisionPatternsTellThreeCharactersFromACountryAndOne() throws {
    let country = try #require(CountryCode("AR"))
    let codes = try ["C", "BA"].map { try #require(SubdivisionCode(Array($0.utf8))) }
    #expect(
      PlacePatterns.subdivisions(codes, of: country) == "^[ \\t]*(?:(?:AR-)?C|(?:AR-?)?BA)[ \\t]*$")
    #expect(PlacePatterns.cities([]) == nil)
  }

  @Test(arguments: [
    ("seoul", "\"seoul\""), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("são", "\"s\\u00e3o\""),
    ("\u{1F600}", "\"\\ud83d\\ude00\""),
  ])
  func literalsAreASCII(text: String, literal: String) {
    #expect(EdgeJavaScript.literal(text) == literal)
  }

  @Test(arguments: EdgeTarget.allCases)
  func codeNamesItsPolicyAndItsHeaders(target: EdgeTarget) throws {
    let policy = try Self.policy(["KR", "US-CA", "JP/Tokyo"])
    let text = EdgeExport(policy: policy, names: Self.names).text(for: target)
    let head = text.split(separator: "\n").prefix(2).joined()
    #expect(head.contains(policy.fingerprint))
    #expect(text.contains("X-Bucket") || text.contains("x-bucket"))
    #expect(text.contains("X-Policy") || text.contains("x-policy"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    #expect(!text.split(separator: "\n").contains { $0.hasSuffix(" ") })
    if let limit = EdgeExport.bytesMax(of: target) { #expect(text.utf8.count < limit) }
  }

  @Test func nothingIsReadThatThePolicyDoesNotAskFor() throws {
    for target in EdgeTarget.allCases {
      let text = EdgeExport(policy: try Self.policy(["KR"]), names: Self.names).text(for: target)
      for word in ["judgeSubdivision", "judgeCity", "$region_city", "req.http.X-City", "client.geo.city"] {
        #expect(!text.contains(word), "\(target): \(word)")
      }
    }
  }
}
