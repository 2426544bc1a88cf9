import RegionModel
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct ConsultedFieldsTests {
  static let edge = EdgeSignal(
    bucketField: FieldName("X-Region-Bucket"), policyField: FieldName("X-Region-Policy"), fingerprint: "0")
  static let address = ClientAddressRule(name: FieldName("X-Forwarded-For"), kind: .list, walk: .hops(1))

  static func texts(_ names: [FieldName]) -> [String] { names.map(\.text) }

  @Test func everySourceCounts() throws {
    let fields = ConsultedFields(
      edge: Self.edge, location: try headers(of: "cloudfront"), policies: [try policy("US-CA", "KR/Seoul")],
      clientAddress: Self.address)
    let location = [
      "CloudFront-Viewer-Country", "CloudFront-Viewer-Country-Region", "CloudFront-Viewer-City",
    ]
    #expect(Self.texts(fields.vary) == ["X-Region-Bucket", "X-Region-Policy"] + location)
    #expect(Self.texts(fields.all) == Self.texts(fields.vary) + ["X-Forwarded-For"])
  }

  @Test func onlyListedSourcesCount() throws {
    let none = ConsultedFields(edge: nil, location: nil, policies: [try policy("KR")], clientAddress: nil)
    #expect(none.all.isEmpty && none.vary.isEmpty)
    withHead(["X-Forwarded-For: 8.8.8.8", "CloudFront-Viewer-Country: KR"]) {
      #expect(!none.isAnyCarried(by: $0))
    }
    let database = ConsultedFields(edge: nil, location: nil, policies: [], clientAddress: Self.address)
    #expect(database.vary.isEmpty)
    #expect(Self.texts(database.all) == ["X-Forwarded-For"])
  }

  @Test(arguments: [
    (["KR"], ["CloudFront-Viewer-Country"]),
    (["US-CA"], ["CloudFront-Viewer-Country", "CloudFront-Viewer-Country-Region"]),
    (["KR/Seoul"], ["CloudFront-Viewer-Country", "CloudFront-Viewer-City"]),
    // The whole country is regional: the rule for a part of it asks for nothing.
    (["US", "US-CA"], ["CloudFront-Viewer-Country"]),
  ])
  func whatNoRuleAsksForDoesNotCount(rules: [String], expected: [String]) throws {
    let policy = try BucketPolicy(regional: rules.flatMap { try RegionRule.parse($0) }, unclassified: [])
    #expect(Self.texts(try headers(of: "cloudfront").fields(for: [policy])) == expected)
  }

  @Test func aPolicyBesideCountsToo() throws {
    let policies = [try policy("KR"), try policy("US-CA")]
    let fields = try headers(of: "vercel").fields(for: policies)
    #expect(Self.texts(fields) == ["x-vercel-ip-country", "x-vercel-ip-country-region"])
  }

  @Test func partsOfOneHeaderCountOnce() throws {
    let fields = try headers(of: "akamai").fields(for: [try policy("US-CA", "KR/Seoul")])
    #expect(Self.texts(fields) == ["X-Akamai-Edgescape"])
    let twice = ConsultedFields(
      edge: nil, location: nil, policies: [],
      clientAddress: ClientAddressRule(name: FieldName("x-a"), kind: .single, walk: .hops(1)))
    #expect(Self.texts(twice.all) == ["x-a"])
    #expect(
      [FieldName("X-A"), FieldName("x-a"), FieldName("X-B")].compactMap { $0 }.uniqued.map(\.text) == [
        "X-A", "X-B",
      ])
  }

  @Test(arguments: [
    ("cloudfront-viewer-country: KR", true), ("X-Region-Policy:", true), ("X-FORWARDED-FOR: x", true),
    ("CloudFront-Viewer-City: Seoul", false), ("X-Real-IP: 8.8.8.8", false),
    ("X_Forwarded_For: 8.8.8.8", false),
  ])
  func anyLineOfSuchAHeaderIsNoticed(line: String, isCarried: Bool) throws {
    let fields = ConsultedFields(
      edge: Self.edge, location: try headers(of: "cloudfront"), policies: [try policy("KR")],
      clientAddress: Self.address)
    withHead(["Host: example.com", line]) { #expect(fields.isAnyCarried(by: $0) == isCarried) }
  }
}
