import RegionModel
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct EdgeSignalTests {
  static let table: [([String], EdgeSignal.Outcome)] = [
    (
      ["X-Region-Bucket: regionalMarket", "X-Region-Policy: 0123456789abcdef"],
      EdgeSignal.Outcome.bucket(.regionalMarket)
    ),
    (["x-region-policy: 0123456789abcdef", "x-region-bucket: otherMarket"], .bucket(.otherMarket)),
    (["X-Region-Bucket: unknown", "X-Region-Policy: 0123456789abcdef"], .bucket(.unknown)),
    ([], .absent), (["X-Region-Policy: 0123456789abcdef"], .absent),
    (["X-Region-Bucket:", "X-Region-Policy: 0123456789abcdef"], .absent),
    (["X-Region-Policy: 0123456789abcdef", "X-Region-Policy: 0123456789abcdef"], .absent),
    // Another policy than ours, or none named: whatever the bucket says.
    (["X-Region-Bucket: regionalMarket"], .stale),
    (["X-Region-Bucket: regionalMarket", "X-Region-Policy:"], .stale),
    (["X-Region-Bucket: regionalMarket", "X-Region-Policy: 0123456789abcde0"], .stale),
    (["X-Region-Bucket: regionalMarket", "X-Region-Policy: 0123456789ABCDEF"], .stale),
    (["X-Region-Bucket: regionalMarket", "X-Region-Policy: 0123456789abcde"], .stale),
    (["X-Region-Bucket: regionalMarket", "X-Region-Policy: 0123456789abcdef0"], .stale),
    (["X-Region-Bucket: nonsense", "X-Region-Policy: 0123456789abcde0"], .stale),
    (["X-Region-Bucket: regionalmarket", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)),
    (["X-Region-Bucket: REGIONALMARKET", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)),
    (
      ["X-Region-Bucket: regionalMarket,otherMarket", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)
    ),
    (["X-Region-Bucket: \"unknown\"", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)),
    (["X-Region-Bucket: regionalMarketX", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)),
    (["X-Region-Bucket: regionalMarke", "X-Region-Policy: 0123456789abcdef"], .invalid(.invalid)),
    (
      ["X-Region-Bucket: unknown", "X-Region-Bucket: unknown", "X-Region-Policy: 0123456789abcdef"],
      .invalid(.repeatedHeader)
    ),
    (
      ["X-Region-Bucket:", "X-Region-Bucket:", "X-Region-Policy: 0123456789abcdef"], .invalid(.repeatedHeader)
    ),
    (
      ["X-Region-Bucket: unknown", "X-Region-Policy: 0123456789abcdef", "X-Region-Policy: 0123456789abcdef"],
      .invalid(.repeatedHeader)
    ),
  ]

  @Test(arguments: table)
  func whatTheEdgeSaysIsTakenLetterForLetter(lines: [String], outcome: EdgeSignal.Outcome) {
    let edge = EdgeSignal(
      bucketField: FieldName("X-Region-Bucket"), policyField: FieldName("X-Region-Policy"),
      fingerprint: "0123456789abcdef")
    withHead(lines) { #expect(edge.read($0) == outcome) }
  }

  @Test func aPolicysFingerprintIsWhatIsCompared() throws {
    let policy = try policy("KR")
    let edge = EdgeSignal(
      bucketField: FieldName("B"), policyField: FieldName("P"), fingerprint: policy.fingerprint)
    withHead(["B: otherMarket", "P: \(policy.fingerprint)"]) {
      #expect(edge.read($0) == .bucket(.otherMarket))
    }
    let other = try ClientSignalTests.policy("US").fingerprint
    withHead(["B: otherMarket", "P: \(other)"]) { #expect(edge.read($0) == .stale) }
  }
}
