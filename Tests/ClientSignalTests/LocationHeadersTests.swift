import RegionModel
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct LocationHeadersTests {
  static func read(_ preset: String, _ lines: [String], _ policy: BucketPolicy) throws -> SignalOutcome {
    let headers = try headers(of: preset)
    return withHead(lines) { headers.read($0, policy: policy) }
  }

  static func place(_ text: String) -> SignalOutcome { .location(.text(text)) }
  static let absent = SignalOutcome.absent(.noSignal)
  static let invalid = SignalOutcome.invalid(.invalid)
  static let realGeo = "x-nf-geo: " + NetlifyGeoTests.base64(Array(NetlifyGeoTests.real.utf8))

  /// The policy that each row is read by: it asks for both parts in the US, for a city in Korea.
  static func policy() throws -> BucketPolicy {
    try ClientSignalTests.policy(
      "US-CA", "US/Mountain View", "US/Sanjose", "KR/Seoul", "BR/São Paulo", "AR-C", "GB-ENG")
  }

  static let rows: [(String, [String], SignalOutcome)] =
    [
      ("cloudfront", ["CloudFront-Viewer-Country: JP"], place("JP")), ("cloudfront", [], absent),
      ("cloudfront", ["CloudFront-Viewer-Country: XX"], invalid),
      ("cloudfront", ["CloudFront-Viewer-Country: T1"], invalid),
      ("cloudfront", ["CloudFront-Viewer-Country: KOR"], invalid),
      ("cloudfront", ["CloudFront-Viewer-Country:"], absent),
      (
        "cloudfront",
        [
          "CloudFront-Viewer-Country: US", "CloudFront-Viewer-Country-Region: CA",
          "CloudFront-Viewer-City: Mountain View",
        ],
        place("US-CA/listed")
      ),
      (
        "cloudfront", ["CloudFront-Viewer-Country: BR", "CloudFront-Viewer-City: S%C3%A3o%20Paulo"],
        place("BR/listed")
      ),
      ("cloudfront", ["CloudFront-Viewer-Country: BR", "CloudFront-Viewer-City: S%C3"], invalid),
      // From AWS's own network: no region, no city.
      ("cloudfront", ["CloudFront-Viewer-Country: US"], place("US")),
      ("cloudflare", ["CF-IPCountry: KR", "cf-ipcity: Seoul"], place("KR/listed")),
      ("cloudflare", ["CF-IPCountry: BR", "cf-ipcity: São Paulo"], place("BR/listed")),
      ("cloudflare", ["CF-IPCountry: US", "cf-region-code: TX", "cf-ipcity: Austin"], place("US-TX/other")),
      ("cloudflare", ["CF-IPCountry: XX"], absent), ("cloudflare", ["CF-IPCountry: T1"], invalid),
      ("cloudflare", ["CF-IPCountry: ZZ"], invalid),
      ("fastly", ["X-Geo-Country: US", "X-Geo-Region: CA", "X-Geo-City: san jose"], place("US-CA/other")),
      ("fastly", ["X-Geo-Country:"], absent), ("fastly", ["X-Geo-Country: **"], invalid),
      (
        "akamai", ["X-Akamai-Edgescape: georegion=246,country_code=US,region_code=CA,city=SANJOSE,zip=95101"],
        place("US-CA/listed")
      ),
      ("akamai", ["X-Akamai-Edgescape: country_code=US,region_code=reserved,city="], place("US")),
      ("akamai", ["X-Akamai-Edgescape: country_code=JP"], place("JP")),
      ("akamai", ["X-Akamai-Edgescape: georegion=1,country_code=reserved"], absent),
      ("akamai", ["X-Akamai-Edgescape: georegion=1"], absent),
      ("akamai", ["X-Akamai-Edgescape: country_code="], absent),
      ("akamai", ["X-Akamai-Edgescape: country_code=US,country_code=KR"], invalid),
      ("akamai", ["X-Akamai-Edgescape: country_code=BR,city=São Paulo"], invalid),
      (
        "google-cloud", ["X-Client-Geo-Location: US,Mountain View", "X-Client-Geo-Subdivision: USCA"],
        place("US-CA/listed")
      ),
      (
        "google-cloud", ["X-Client-Geo-Location: AR,Buenos Aires", "X-Client-Geo-Subdivision: ARC"],
        place("AR-C")
      ),
      ("google-cloud", ["X-Client-Geo-Location: US,"], place("US")),
      ("google-cloud", ["X-Client-Geo-Location: ZZ,"], absent),
      ("google-cloud", ["X-Client-Geo-Location: ,"], absent),
      ("google-cloud", ["X-Client-Geo-Location: KR"], place("KR")),
      ("google-cloud", ["X-Client-Geo-Location: BR,São Paulo"], invalid),
      ("google-cloud", ["X-Client-Geo-Location: AR,", "X-Client-Geo-Subdivision: KRC"], invalid),
      (
        "app-engine",
        ["X-Appengine-Country: US", "X-Appengine-Region: ca", "X-Appengine-City: mountain view"],
        place("US-CA/listed")
      ),
      ("app-engine", ["X-Appengine-Country: KR", "X-Appengine-City: ?"], place("KR")),
      ("app-engine", ["X-Appengine-Country: ZZ"], absent), ("app-engine", ["X-Appengine-Country: ?"], absent),
      ("azure-front-door", ["X-Geo-Country: US"], place("US")),
      ("azure-front-door", ["X-Geo-Country:"], absent),
      (
        "vercel",
        ["x-vercel-ip-country: US", "x-vercel-ip-country-region: CA", "x-vercel-ip-city: Mountain%20View"],
        place("US-CA/listed")
      ),
      ("vercel", ["x-vercel-ip-country: BR", "x-vercel-ip-city: S%C3%A3o+Paulo"], place("BR/other")),
      ("vercel", [], absent),
      ("netlify", ["x-country: US", realGeo], place("US-CA/other")),
      ("netlify", ["x-country: US"], place("US")),
      ("netlify", [realGeo], absent), ("netlify", ["x-country: US", "x-nf-geo: {}"], invalid),
      ("netlify", ["x-country: JP", "x-nf-geo: {}"], place("JP")),
      ("bunny", ["CDN-RequestCountryCode: US", "CDN-RequestStateCode: CA"], place("US-CA")),
      ("bunny", [], absent),
      ("keycdn", ["X-Country-Code: KR"], place("KR")), ("keycdn", [], absent),
      ("alibaba-esa", ["ali-ip-country: kr", "ali-ip-city: Seoul"], place("KR/listed")),
      ("alibaba-esa", [], absent),
    ]

  @Test(arguments: rows)
  func rowsAreRead(preset: String, lines: [String], expected: SignalOutcome) throws {
    #expect(try Self.read(preset, lines, Self.policy()) == expected)
  }

  /// For each header of each row: two lines, even equal ones, are invalid where they are needed.
  @Test func repeatedLinesAreInvalidInEveryRow() throws {
    let policy = try Self.policy()
    var fieldCount = 0
    for preset in CDNPreset.all {
      guard let headers = LocationHeaders(preset) else { continue }
      for field in headers.fields(for: [policy]) {
        let country = try #require(preset.country).name
        let values = [
          "x-akamai-edgescape": "country_code=US", "x-client-geo-location": "US,x", "x-nf-geo": "e30=",
        ]
        let value = values[field.text.lowercased()] ?? "US"
        let lines = ["\(field.text): \(value)", "\(field.text.uppercased()): \(value)"]
        let first = field == country ? [] : ["\(country.text): US"]
        let outcome = withHead(first + lines) { headers.read($0, policy: policy) }
        #expect(outcome == .invalid(.repeatedHeader), "\(preset.name) \(field.text)")
        fieldCount += 1
      }
    }
    #expect(fieldCount > CDNPreset.all.count)
  }

  /// Broken headers that no rule asks for spoil nothing.
  @Test func whatThePolicyDoesNotNeedIsNotRead() throws {
    let lines = [
      "CloudFront-Viewer-Country: KR", "CloudFront-Viewer-Country-Region: \u{1}",
      "CloudFront-Viewer-City: %zz",
      "CloudFront-Viewer-City: %zz",
    ]
    #expect(try Self.read("cloudfront", lines, ClientSignalTests.policy("KR")) == Self.place("KR"))
    #expect(try Self.read("cloudfront", lines, ClientSignalTests.policy("US-CA")) == Self.place("KR"))
    #expect(try Self.read("cloudfront", lines, ClientSignalTests.policy("KR-11")) == Self.invalid)
    #expect(
      try Self.read("cloudfront", lines, ClientSignalTests.policy("KR/Seoul")) == .invalid(.repeatedHeader))
  }

  @Test func whatIsNeededAndMissingLeavesThePlaceOpen() throws {
    let policy = try ClientSignalTests.policy("US-CA")
    let outcome = try Self.read("cloudfront", ["CloudFront-Viewer-Country: US"], policy)
    #expect(outcome == Self.place("US"))
    #expect(policy.evaluate(.text("US")) == .notEnoughToDecide)
  }

  /// Each assigned country passes each row's way, and each other pair of letters does not.
  @Test func allPairsOfLettersThroughEveryForm() throws {
    let policy = try ClientSignalTests.policy("KR")
    var netlify = try #require(CDNPreset.named("netlify"))
    netlify.country = LocationField(FieldName("x-nf-geo"), form: .netlifyGeo(.country))
    let forms: [(CDNPreset?, (String) -> String)] = [
      (CDNPreset.named("cloudfront"), { "CloudFront-Viewer-Country: \($0)" }),
      (CDNPreset.named("akamai"), { "X-Akamai-Edgescape: georegion=1,country_code=\($0),zip=1" }),
      (CDNPreset.named("google-cloud"), { "X-Client-Geo-Location: \($0),x" }),
      (netlify, { "x-nf-geo: " + NetlifyGeoTests.base64(Array("{\"country\":{\"code\":\"\($0)\"}}".utf8)) }),
    ]
    for (preset, line) in forms {
      let preset = try #require(preset)
      let headers = try #require(LocationHeaders(preset))
      var locationCount = 0
      for first in UInt8(ascii: "A")...UInt8(ascii: "Z") {
        for second in UInt8(ascii: "a")...UInt8(ascii: "z") {
          let letters = String(decoding: [first, second], as: UTF8.self)
          let expected: SignalOutcome =
            preset.noDataMarkers.contains(letters.uppercased())
            ? Self.absent
            : CountryCode(first, second).map { .location(Location(country: $0)) } ?? Self.invalid
          let outcome = withHead([line(letters)]) { headers.read($0, policy: policy) }
          #expect(outcome == expected, "\(preset.name) \(letters)")
          if case .location = outcome { locationCount += 1 }
        }
      }
      #expect(locationCount == CountryCode.all.count)
    }
  }

  @Test func aCustomCDNHasTheSameShape() throws {
    let custom = CDNPreset(
      name: "custom", country: LocationField(FieldName("X-C")!),
      city: LocationField(FieldName("X-P")!, form: .commaElement(1)), cityEncoding: .percent,
      noDataMarkers: ["none"], notACountryMarkers: ["AQ"])
    let headers = try #require(LocationHeaders(custom))
    let policy = try Self.policy()
    for (lines, expected) in [
      (["X-C: KR", "X-P: a,Seoul"], Self.place("KR/listed")), (["X-C: NONE"], Self.absent),
      (["X-C: AQ"], Self.invalid),
      (["X-C: BR", "X-P: a,S%C3%A3o Paulo,b"], Self.place("BR/listed")),
      (["X-C: KR", "X-P: a"], Self.place("KR")),
      (["X-C: KR", "X-P: a,none"], Self.place("KR")),
    ] {
      #expect(withHead(lines) { headers.read($0, policy: policy) } == expected, "\(lines)")
    }
  }
}
