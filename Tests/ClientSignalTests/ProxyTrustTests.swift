import RegionModel
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct ProxyTrustTests {
  static func secret(
    _ values: String..., onMissing: OriginSecret.OnMissing = .refuse
  ) throws -> OriginSecret {
    try OriginSecret(
      name: FieldName("X-Origin-Secret"), values: values.map { Array($0.utf8) }, onMissing: onMissing)
  }

  static func peer(_ text: String) -> Peer { .address(address(text)!) }

  @Test(arguments: [
    (peer("127.0.0.1"), TrustVerdict.trusted), (peer("127.255.255.255"), .trusted), (peer("::1"), .trusted),
    (peer("::ffff:127.0.0.1"), .trusted), (.unixSocket, .trusted), (peer("10.0.0.1"), .untrusted),
    (peer("8.8.8.8"), .untrusted), (peer("::2"), .untrusted), (.unnamed, .untrusted),
  ])
  func byDefaultThisMachineIsTrusted(peer: Peer, verdict: TrustVerdict) {
    withHead(["X-Origin-Secret: anything"]) { #expect(ProxyTrust().judge(peer: peer, head: $0) == verdict) }
  }

  @Test(arguments: [
    (peer("127.0.0.1"), TrustVerdict.trusted), (peer("127.0.0.2"), .untrusted), (peer("::1"), .untrusted),
    (peer("10.1.2.3"), .trusted), (peer("::ffff:10.1.2.3"), .trusted), (peer("2001:db8::1"), .trusted),
    (.unixSocket, .trusted), (.unnamed, .untrusted),
  ])
  func trustedPeersAreTheConfiguredOnes(peer: Peer, verdict: TrustVerdict) throws {
    let trust = ProxyTrust(trustedPeers: try set("127.0.0.1/32", "10.0.0.0/8", "2001:db8::/32"))
    withHead([] as [String]) { #expect(trust.judge(peer: peer, head: $0) == verdict) }
  }

  static let carried: [([String], Bool)] = [
    (["X-Origin-Secret: s3cret-of-today"], true), (["x-origin-secret: s3cret-of-today"], true),
    (["X-Origin-Secret: s3cret-of-yesterday"], true),
    (["Accept: */*", "X-Origin-Secret: s3cret-of-today"], true),
    ([], false), (["X-Origin-Secret:"], false), (["X-Origin-Secret: s3cret-of-toda"], false),
    (["X-Origin-Secret: s3cret-of-todayy"], false), (["X-Origin-Secret: S3cret-of-today"], false),
    (["X-Origin-Secret: s3cret-of-todaz"], false), (["X-Origin-Secret: t3cret-of-today"], false),
    (["X-Origin-Secret: s3cret-of-today,s3cret-of-today"], false), (["X-Origin-Secret: s"], false),
    (["X-Origin-Secret: s3cret-of-todays3cret-of-today"], false), (["X-Other: s3cret-of-today"], false),
    (["X-Origin-Secret: s3cret-of-today", "X-Origin-Secret: s3cret-of-today"], false),
    (["X-Origin-Secret: s3cret-of-today", "x-origin-secret: x"], false),
  ]

  @Test(arguments: carried)
  func aSecretDecidesWhateverThePeer(lines: [String], isCarried: Bool) throws {
    for (onMissing, verdict) in [
      (OriginSecret.OnMissing.refuse, TrustVerdict.refused), (.distrust, .untrusted),
    ] {
      let secret = try Self.secret("s3cret-of-today", "s3cret-of-yesterday", onMissing: onMissing)
      let trust = ProxyTrust(trustedPeers: try set("127.0.0.1"), secret: secret)
      withHead(lines) { head in
        for peer in [Self.peer("127.0.0.1"), Self.peer("8.8.8.8"), .unixSocket, .unnamed] {
          #expect(trust.judge(peer: peer, head: head) == (isCarried ? .trusted : verdict))
        }
      }
    }
  }

  /// Repeating the candidate to the secret's length must not make a repetition pass for the secret.
  @Test(arguments: ["abab", "ab", "ababab", "aaaa", "a"])
  func periodicSecretsAreComparedInLength(value: String) throws {
    let secret = try Self.secret(value)
    for length in 1...8 {
      for candidate in ["ab", "a", "abc"].map({ String(String(repeating: $0, count: 8).prefix(length)) }) {
        withHead(["X-Origin-Secret: \(candidate)"]) {
          #expect((secret.match(in: $0) != .none) == (candidate == value), "\(candidate)")
        }
      }
    }
  }

  @Test(arguments: [
    ("s3cret-of-today", OriginSecret.Match.first), ("s3cret-of-yesterday", .other), ("s3cret-of-old", .other),
    ("s3cret", .none), ("", .none),
  ])
  func thePlaceOfTheSecretIsTold(value: String, match: OriginSecret.Match) throws {
    // One that is there twice is the first.
    let secret = try Self.secret("s3cret-of-today", "s3cret-of-yesterday", "s3cret-of-old", "s3cret-of-today")
    withHead(["X-Origin-Secret: \(value)"]) { #expect(secret.match(in: $0) == match) }
    withHead(["X-Origin-Secret: \(value)"]) { #expect(ProxyTrust().match(in: $0) == .none) }
  }

  @Test func everyChangedByteIsNoticed() throws {
    let value = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    let secret = try OriginSecret(name: FieldName("X-Origin-Secret"), values: [value], onMissing: .refuse)
    for index in value.indices {
      for bit in 0..<8 {
        var candidate = value
        candidate[index] ^= 1 << bit
        withHead([Line("X-Origin-Secret", candidate)]) { #expect(secret.match(in: $0) == .none) }
      }
    }
    withHead([Line("X-Origin-Secret", value)]) { #expect(secret.match(in: $0) != .none) }
  }

  @Test(arguments: [
    ([], OriginSecretError.valueCount(max: 4), "there must be 1 to 4 secrets"),
    (["a", "b", "c", "d", "e"], .valueCount(max: 4), "there must be 1 to 4 secrets"),
    ([""], .emptyValue, "a secret is empty"), (["a", ""], .emptyValue, "a secret is empty"),
    (["a b"], .notVisibleASCII, "a secret holds white space or something else than visible ASCII"),
    (["a\n"], .notVisibleASCII, "a secret holds white space or something else than visible ASCII"),
    (["é"], .notVisibleASCII, "a secret holds white space or something else than visible ASCII"),
    ([String(repeating: "a", count: 513)], .tooLong(bytesMax: 512), "a secret is longer than 512 bytes"),
  ])
  func valuesThatAreNoSecretAreRefused(values: [String], error: OriginSecretError, sentence: String) {
    #expect(throws: error) {
      try OriginSecret(
        name: FieldName("X-Origin-Secret"), values: values.map { Array($0.utf8) }, onMissing: .refuse)
    }
    #expect(String(describing: error) == sentence)
  }

  @Test func theLongestSecretsAreTaken() throws {
    let value = String(repeating: "~", count: OriginSecret.valueBytesMax)
    let secret = try Self.secret(value, "a", "b", "c")
    withHead(["X-Origin-Secret: \(value)"]) { #expect(secret.match(in: $0) != .none) }
  }

  @Test func nothingShowsASecret() throws {
    let trust = ProxyTrust(secret: try Self.secret("s3cret"))
    var dumped = ""
    dump(trust, to: &dumped)
    for text in [dumped, String(describing: trust), String(reflecting: trust.secret as Any)] {
      #expect(!text.contains("s3cret") && !text.contains("115"), "\(text)")
    }
  }
}
