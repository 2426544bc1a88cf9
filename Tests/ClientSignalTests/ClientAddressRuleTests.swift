import RegionModel
import TestFixtures
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct ClientAddressRuleTests {
  static func client(
    _ lines: [String], name: String = "X-Forwarded-For", kind: ClientAddressField.Kind = .list,
    walk: ClientAddressRule.Walk
  ) -> ClientAddress {
    let rule = ClientAddressRule(name: FieldName(name)!, kind: kind, walk: walk)
    return withHead(lines.map { "\(name): \($0)" } + ["X-Real-IP: 9.9.9.9", "Via: 1.1 x"]) {
      rule.client(in: $0)
    }
  }

  static let own = "10.0.0.0/8"

  @Test(arguments: [
    (["8.8.8.8"], "8.8.8.8"), (["8.8.8.8, 10.0.0.1"], "8.8.8.8"), (["8.8.8.8,10.0.0.1,10.0.0.2"], "8.8.8.8"),
    (["1.1.1.1, 8.8.8.8"], "8.8.8.8"), (["1.1.1.1, 8.8.8.8, 10.0.0.1"], "8.8.8.8"),
    (["8.8.8.8:443"], "8.8.8.8"), (["[2001:220::1]:443, 10.0.0.1:80"], "2001:220::1"),
    (["2001:220::1"], "2001:220::1"), (["::ffff:8.8.8.8"], "8.8.8.8"), (["64:ff9b::8.8.8.8"], "8.8.8.8"),
    (["8.8.8.8, ::ffff:10.0.0.1"], "8.8.8.8"),
    // Empty elements and white space.
    ([",, 8.8.8.8 ,\t, 10.0.0.1,"], "8.8.8.8"), (["\t8.8.8.8\t"], "8.8.8.8"),
    // Lines are one list, joined in order.
    (["1.1.1.1", "8.8.8.8"], "8.8.8.8"), (["8.8.8.8", "10.0.0.1"], "8.8.8.8"),
    (["1.1.1.1, 8.8.8.8", "10.0.0.1", ", ,", "", "10.0.0.2, 10.0.0.3"], "8.8.8.8"),
    // What a client wrote to the left is never looked at.
    (["garbage, \"open, 8.8.8.8"], "8.8.8.8"), (["unknown", "8.8.8.8, 10.0.0.1"], "8.8.8.8"),
    (["10.0.0.9, 8.8.8.8"], "8.8.8.8"),
  ])
  func theFirstOutsideFromTheRightIsTheClient(lines: [String], expected: String) throws {
    let client = Self.client(lines, walk: .skip(try set(Self.own)))
    #expect(client == .address(try #require(address(expected))))
  }

  @Test(arguments: [
    ([], UnknownReason.noSignal), ([""], .noSignal), ([", ,\t,"], .noSignal), (["", ""], .noSignal),
    (["unknown"], .noSignal), (["UNKNOWN, 10.0.0.1"], .noSignal), (["_hidden"], .noSignal),
    // Never on to the left of what is no address.
    (["8.8.8.8, unknown"], .noSignal), (["8.8.8.8, garbage"], .invalid),
    (["8.8.8.8, garbage, 10.0.0.1"], .invalid),
    (["8.8.8.8", "garbage"], .invalid), (["8.8.8.8 10.0.0.1"], .invalid), (["8.8.8.8;10.0.0.1"], .invalid),
    (["010.8.8.8"], .invalid), (["fe80::1%eth0"], .invalid), (["8.8.8.8:99999"], .invalid),
    (["\"8.8.8.8\""], .invalid),
    (["8.8.8"], .invalid), (["0x08080808"], .invalid), ([String(repeating: "8", count: 65)], .invalid),
    // All inside: the left-most is the client.
    (["10.0.0.1"], .addressNotGlobal), (["10.0.0.3, 10.0.0.2", "10.0.0.1"], .addressNotGlobal),
    (["192.168.0.1"], .addressNotGlobal), (["8.8.8.8, 192.168.0.1"], .addressNotGlobal),
    (["192.0.2.1"], .addressNotGlobal), (["2001:db8::1, 10.0.0.1"], .addressNotGlobal),
  ])
  func otherwiseThereIsNoClient(lines: [String], reason: UnknownReason) throws {
    #expect(Self.client(lines, walk: .skip(try set(Self.own))) == .none(reason))
  }

  @Test func whenAllAreSkippedTheLeftMostIsTheClient() throws {
    let walk = ClientAddressRule.Walk.skip(try set("8.0.0.0/8", Self.own))
    let client = try #require(address("8.8.8.8"))
    #expect(Self.client(["8.8.8.8, 8.4.4.4", "8.0.0.1"], walk: walk) == .address(client))
    #expect(Self.client([", ", "8.8.8.8", "10.0.0.1"], walk: walk) == .address(client))
    #expect(Self.client(["unknown, 8.8.8.8", "10.0.0.1"], walk: walk) == .none(.noSignal))
  }

  @Test func skippedEntriesOfALineAreBounded() throws {
    let walk = ClientAddressRule.Walk.skip(try set(Self.own))
    let most = [String](repeating: "10.0.0.1", count: ClientAddressRule.skippedEntriesMax - 1)
    let client = try #require(address("8.8.8.8"))
    #expect(Self.client([(["8.8.8.8"] + most).joined(separator: ",")], walk: walk) == .address(client))
    #expect(
      Self.client([(["8.8.8.8", "10.0.0.1"] + most).joined(separator: ",")], walk: walk) == .none(.invalid))
    // A client's own long line does not spoil what a proxy wrote behind it.
    #expect(Self.client([(most + most).joined(separator: ","), "8.8.8.8"], walk: walk) == .address(client))
  }

  @Test(arguments: [
    (["8.8.8.8"], 1, "8.8.8.8"), (["8.8.8.8, 34.1.1.1"], 2, "8.8.8.8"),
    (["1.1.1.1, 8.8.8.8, 34.1.1.1"], 2, "8.8.8.8"),
    (["garbage, 8.8.8.8, garbage"], 2, "8.8.8.8"), (["1.1.1.1", "8.8.8.8", "34.1.1.1"], 2, "8.8.8.8"),
    (["1.1.1.1, 8.8.8.8", "34.1.1.1, , 34.1.1.2"], 3, "8.8.8.8"),
    (["8.8.8.8, 1.1.1.1", "", "9.9.9.9"], 3, "8.8.8.8"),
  ])
  func hopsCountFromTheRight(lines: [String], hops: Int, expected: String) throws {
    #expect(Self.client(lines, walk: .hops(hops)) == .address(try #require(address(expected))))
  }

  @Test(arguments: [
    ([], 1, UnknownReason.noSignal), ([", ,"], 1, .noSignal), (["8.8.8.8"], 2, .noSignal),
    (["8.8.8.8", "1.1.1.1"], 3, .noSignal), (["8.8.8.8, garbage, 1.1.1.1"], 2, .invalid),
    (["8.8.8.8, unknown, 1.1.1.1"], 2, .noSignal), (["10.0.0.1, 34.1.1.1"], 2, .addressNotGlobal),
  ])
  func hopsThatLeadNowhere(lines: [String], hops: Int, reason: UnknownReason) {
    #expect(Self.client(lines, walk: .hops(hops)) == .none(reason))
  }

  /// The walks agree with a plain reading of the rule: join, drop empty elements, go from the right.
  @Test func walksAgreeWithThePlainRule() throws {
    var generator = SeededGenerator(seed: 3)
    let entries = [
      "8.8.8.8", "1.1.1.1", "10.0.0.1", "10.2.3.4", "", " ", "unknown", "garbage", "2001:220::1",
    ]
    let skipped = try set(Self.own)
    for _ in 0..<5_000 {
      let lines = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in entries.randomElement(using: &generator)! }
      }
      let plain = lines.joined().filter { $0.contains { $0 != " " } }
      func judged(_ entry: String?) -> ClientAddress {
        guard let entry, entry != "unknown" else { return .none(.noSignal) }
        return address(entry).map { ClientAddress($0) } ?? .none(.invalid)
      }
      let outside = plain.last { !(address($0).map { skipped.contains($0) } ?? false) }
      let texts = lines.map { $0.joined(separator: ",") }
      #expect(Self.client(texts, walk: .skip(skipped)) == judged(outside ?? plain.first), "\(texts)")
      for hops in 1...5 {
        let entry = hops <= plain.count ? plain[plain.count - hops] : nil
        #expect(Self.client(texts, walk: .hops(hops)) == judged(entry), "\(texts) \(hops)")
      }
    }
  }

  @Test(arguments: [
    (["8.8.8.8"], ClientAddressField.Kind.single, "8.8.8.8"), (["[2001:220::1]:443"], .single, "2001:220::1"),
    (["8.8.8.8:443"], .single, "8.8.8.8"), (["8.8.8.8:443"], .addressAndPort, "8.8.8.8"),
    (["2001:220::1:443"], .addressAndPort, "2001:220::1"),
  ])
  func singleHeadersHoldOneAddress(lines: [String], kind: ClientAddressField.Kind, expected: String) throws {
    let client = Self.client(lines, name: "CF-Connecting-IP", kind: kind, walk: .hops(1))
    #expect(client == .address(try #require(address(expected))))
  }

  @Test(arguments: [
    ([], ClientAddressField.Kind.single, UnknownReason.noSignal), ([""], .single, .noSignal),
    (["unknown"], .single, .noSignal), (["8.8.8.8", "8.8.8.8"], .single, .repeatedHeader),
    (["", ""], .single, .repeatedHeader),
    (["8.8.8.8, 1.1.1.1"], .single, .invalid), (["8.8.8.8,"], .single, .invalid), (["x"], .single, .invalid),
    (["10.0.0.1"], .single, .addressNotGlobal), (["8.8.8.8"], .addressAndPort, .invalid),
    (["8.8.8.8:443", "8.8.8.8:443"], .addressAndPort, .repeatedHeader), ([""], .addressAndPort, .noSignal),
    (["[2001:220::1]:443"], .addressAndPort, .invalid),
    (["10.0.0.1:443"], .addressAndPort, .addressNotGlobal),
  ])
  func singleHeadersThatHoldNone(lines: [String], kind: ClientAddressField.Kind, reason: UnknownReason) {
    #expect(Self.client(lines, name: "CF-Connecting-IP", kind: kind, walk: .hops(1)) == .none(reason))
  }

  @Test func noOtherHeaderIsLookedAt() {
    let rule = ClientAddressRule(name: FieldName("X-Forwarded-For"), kind: .list, walk: .hops(1))
    let client = withHead(["Forwarded: for=8.8.8.8", "X-Forwarded-Fo: 8.8.8.8", "X_Forwarded_For: 8.8.8.8"]) {
      rule.client(in: $0)
    }
    #expect(client == .none(.noSignal))
  }

  @Test func missingAddressesAreAbsentOrInvalid() throws {
    #expect(ClientAddress.address(try #require(address("8.8.8.8"))).missing == nil)
    for reason in UnknownReason.allCases {
      let isInvalid = reason == .invalid || reason == .repeatedHeader
      #expect(ClientAddress.none(reason).missing == (isInvalid ? .invalid(reason) : .absent(reason)))
    }
  }
}
