import RegionModel
import TestFixtures
import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct ForwardedTests {
  static func client(_ lines: [String], walk: ClientAddressRule.Walk) -> ClientAddress {
    let rule = ClientAddressRule(name: FieldName("Forwarded"), kind: .forwarded, walk: walk)
    return withHead(lines.map { "Forwarded: \($0)" }) { rule.client(in: $0) }
  }

  @Test(arguments: [
    ("for=8.8.8.8", "8.8.8.8"), ("For=8.8.8.8", "8.8.8.8"), ("FOR=\"8.8.8.8\"", "8.8.8.8"),
    ("for=8.8.8.8;proto=http;by=203.0.113.43", "8.8.8.8"), ("by=10.0.0.1;for=8.8.8.8", "8.8.8.8"),
    ("proto=https; for=8.8.8.8 ; by=10.0.0.1", "8.8.8.8"), (";for=8.8.8.8;;", "8.8.8.8"),
    ("for=\"8.8.8.8:443\"", "8.8.8.8"), ("for=\"[2001:220::1]\"", "2001:220::1"),
    ("for=\"[2001:220::1]:443\"", "2001:220::1"), ("for=\"[2001:220::1]:_p0.r-t\"", "2001:220::1"),
    ("for=\"8.8.8.8:_x\"", "8.8.8.8"), ("for=\"[::ffff:8.8.8.8]\"", "8.8.8.8"),
    ("host=\"a,b;for=1.1.1.1\";for=8.8.8.8", "8.8.8.8"), ("host=\"a\\\",b\";for=8.8.8.8", "8.8.8.8"),
    ("host=\"\\\\\";for=8.8.8.8", "8.8.8.8"), ("for=8.8.8.8;host=\"x,y\"", "8.8.8.8"),
    ("for=1.1.1.1, for=8.8.8.8", "8.8.8.8"), ("for=8.8.8.8, for=10.0.0.1;by=10.0.0.2", "8.8.8.8"),
    ("for=8.8.8.8, for=\"10.0.0.1:80\";host=\"a,b\"", "8.8.8.8"),
    // An open quotation mark or other text of the client's does not reach what the proxies appended.
    ("for=\"open, for=8.8.8.8", "8.8.8.8"), ("\", for=8.8.8.8", "8.8.8.8"),
    ("for=\"x\\, for=8.8.8.8", "8.8.8.8"),
    ("for=\"open, for=8.8.8.8, for=\"10.0.0.1:80\"", "8.8.8.8"), ("=;=, for=8.8.8.8", "8.8.8.8"),
    ("for=\"1.1.1.1, for=\"[2001:220::1]:443\"", "2001:220::1"),
  ])
  func theClientIsRead(value: String, expected: String) throws {
    #expect(
      Self.client([value], walk: .skip(try set("10.0.0.0/8"))) == .address(try #require(address(expected))))
  }

  @Test(arguments: [
    ("", UnknownReason.noSignal), (";", .noSignal), ("proto=https", .noSignal), ("for=unknown", .noSignal),
    ("for=UNKNOWN", .noSignal), ("for=\"unknown:80\"", .noSignal), ("for=_hidden", .noSignal),
    ("for=\"_gazonk\"", .noSignal), ("for=\"_x:_y\"", .noSignal), ("for=8.8.8.8, for=unknown", .noSignal),
    ("for=8.8.8.8, by=10.0.0.1", .noSignal),
    ("8.8.8.8", .invalid), ("for", .invalid), ("for=", .invalid), ("=8.8.8.8", .invalid),
    ("for =8.8.8.8", .invalid),
    ("for= 8.8.8.8", .invalid), ("for=8.8.8.8;for=1.1.1.1", .invalid), ("for=8.8.8.8;For=8.8.8.8", .invalid),
    ("for=8.8.8.8 1.1.1.1", .invalid), ("for=8.8.8.8:443", .invalid), ("for=[2001:220::1]", .invalid),
    ("for=\"2001:220::1\"", .invalid), ("for=\"[8.8.8.8]\"", .invalid), ("for=\"[2001:220::1\"", .invalid),
    ("for=\"[2001:220::1]x\"", .invalid), ("for=\"[2001:220::1]:\"", .invalid),
    ("for=\"8.8.8.8:_\"", .invalid),
    ("for=\"8.8.8.8:99999\"", .invalid), ("for=\"\"", .invalid), ("for=\"8.8.8.8", .invalid),
    ("for=\"8.8.8.8\"x", .invalid), ("for=\"\\8.8.8.8\"", .invalid), ("for=\"8.8.8.8\\", .invalid),
    ("for=008.8.8.8", .invalid), ("for=\"[fe80::1%25eth0]\"", .invalid), ("for=example.com", .invalid),
    ("proto=https;host;for=8.8.8.8", .invalid), ("for=8.8.8.8, garbage", .invalid),
    ("for=(8.8.8.8)", .invalid),
    ("for=192.168.0.1", .addressNotGlobal), ("for=10.0.0.2, for=10.0.0.1", .addressNotGlobal),
  ])
  func otherwiseThereIsNoClient(value: String, reason: UnknownReason) throws {
    #expect(Self.client([value], walk: .skip(try set("10.0.0.0/8"))) == .none(reason))
  }

  @Test func linesAreOneList() throws {
    let walk = ClientAddressRule.Walk.skip(try set("10.0.0.0/8"))
    let client = try #require(address("8.8.8.8"))
    #expect(
      Self.client(["for=1.1.1.1;host=\"open", "for=8.8.8.8", "for=10.0.0.1"], walk: walk) == .address(client))
    #expect(Self.client(["for=1.1.1.1", "for=8.8.8.8, for=9.9.9.9"], walk: .hops(2)) == .address(client))
    #expect(Self.client(["for=8.8.8.8;host=\"a,b\"", "for=9.9.9.9"], walk: .hops(2)) == .address(client))
  }

  /// Whatever stands in front, the entry that a proxy appended is the one that is read.
  @Test func nothingToTheLeftChangesTheRightEnd() throws {
    var generator = SeededGenerator(seed: 4)
    let bytes = Array("\"\\,;= for8.:[]_".utf8)
    let client = try #require(address("8.8.8.8"))
    let appended = [
      "for=8.8.8.8", "for=\"8.8.8.8:443\"", "for=8.8.8.8;host=\"a,b\"", "host=\"\\\\\\\"\";for=8.8.8.8",
    ]
    for round in 0..<10_000 {
      let junk = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        bytes.randomElement(using: &generator)!
      }
      let value = String(decoding: junk, as: UTF8.self) + ", " + appended[round % appended.count]
      #expect(Self.client([value], walk: .hops(1)) == .address(client), "\(value)")
    }
  }

  @Test func everyUnquotedByte() throws {
    let client = try #require(address("8.8.8.8"))
    let rule = ClientAddressRule(name: FieldName("Forwarded"), kind: .forwarded, walk: .hops(1))
    for byte in UInt8.min...(.max) where byte != UInt8(ascii: ",") {
      let value = Array("x=a".utf8) + [byte] + Array("b;for=8.8.8.8".utf8)
      let isRead = FieldSyntax.isTokenCharacter(byte)
      let expected: ClientAddress = isRead ? .address(client) : .none(.invalid)
      let read = withHead([Line("Forwarded", value)]) { rule.client(in: $0) }
      // White space inside a value is malformed; a semicolon ends the pair, and `b` alone is none.
      #expect(read == expected, "\(byte)")
    }
  }
}
