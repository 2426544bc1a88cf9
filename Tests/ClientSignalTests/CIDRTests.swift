import TestFixtures
import Testing

@testable import ClientSignal

@Suite struct CIDRTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.0.0.0", "10.255.255.255"), ("0.0.0.0/0", "0.0.0.0", "255.255.255.255"),
    ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("192.0.2.7/32", "192.0.2.7", "192.0.2.7"),
    ("192.0.2.128/25", "192.0.2.128", "192.0.2.255"),
    ("2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("::1", "::1", "::1"), ("::1/128", "::1", "::1"),
    ("::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    // An IPv4-mapped block is an IPv4 one.
    ("::ffff:10.0.0.0/104", "10.0.0.0", "10.255.255.255"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
    ("::ffff:0:0/96", "0.0.0.0", "255.255.255.255"),
  ])
  func blocksAreRead(text: String, first: String, last: String) throws {
    let blocks = try CIDRBlock.parse(text)
    let firstAddress = try #require(address(first))
    #expect(blocks.count == 1)
    #expect(blocks[0].isIPv4 == firstAddress.isIPv4)
    #expect(blocks[0].first == firstAddress.bits)
    #expect(blocks[0].last == address(last)?.bits)
  }

  @Test(arguments: [
    ("", CIDRBlockError.notAnAddress), ("/8", .notAnAddress), ("10.0.0/8", .notAnAddress),
    ("Loopback", .notAnAddress), ("10.0.0.0 /8", .notAnAddress), ("fe80::1%eth0", .notAnAddress),
    ("10.0.0.0:80", .notAnAddress), ("[::1]", .notAnAddress), ("010.0.0.0/8", .notAnAddress),
    ("example.com", .notAnAddress),
    ("10.0.0.0/", .badPrefix(max: 32)), ("10.0.0.0/33", .badPrefix(max: 32)),
    ("10.0.0.0/08", .badPrefix(max: 32)), ("10.0.0.0/-1", .badPrefix(max: 32)),
    ("10.0.0.0/255.0.0.0", .badPrefix(max: 32)), ("10.0.0.0/8/8", .badPrefix(max: 32)),
    ("10.0.0.0/ 8", .badPrefix(max: 32)), ("10.0.0.0/9999999999999999999", .badPrefix(max: 32)),
    ("2001:db8::/129", .badPrefix(max: 128)), ("2001:db8::/", .badPrefix(max: 128)),
    ("10.0.0.1/8", .hostBits), ("10.0.0.1/0", .hostBits), ("192.0.2.1/31", .hostBits),
    ("2001:db8::1/64", .hostBits), ("::1/0", .hostBits), ("::ffff:10.0.0.1/104", .hostBits),
    ("::ffff:0:0/90", .hostBits),
    ("64:ff9b::/96", .translated), ("64:ff9b::192.0.2.1", .translated),
  ])
  func otherTextsAreRefusedWithTheReason(text: String, error: CIDRBlockError) {
    #expect(throws: error) { try CIDRBlock.parse(text) }
  }

  @Test(arguments: [
    (CIDRBlockError.notAnAddress, "not an address, nor the word loopback or private"),
    (.badPrefix(max: 32), "the part behind / is not a number from 0 to 32"),
    (.hostBits, "bits behind the prefix are set: shorten the address or lengthen the prefix"),
    (.translated, "NAT64 addresses are compared as IPv4: write the IPv4 block"),
  ])
  func errorsAreSentences(error: CIDRBlockError, sentence: String) {
    #expect(String(describing: error) == sentence)
  }

  @Test(arguments: [
    ("127.0.0.0", true), ("127.255.255.255", true), ("126.255.255.255", false), ("128.0.0.0", false),
    ("::1", true), ("::", false), ("::2", false), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
  ])
  func loopbackIsThisMachine(text: String, isIn: Bool) throws {
    #expect(try set("loopback").contains(#require(address(text))) == isIn)
    #expect(CIDRSet.loopback.contains(try #require(address(text))) == isIn)
  }

  @Test(arguments: [
    ("10.0.0.0", true), ("10.255.255.255", true), ("9.255.255.255", false), ("11.0.0.0", false),
    ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true), ("172.32.0.0", false),
    ("192.168.0.0", true), ("192.168.255.255", true), ("192.169.0.0", false), ("fc00::", true),
    ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), ("fe00::", false), ("fe80::1", false),
    ("100.64.0.1", false), ("127.0.0.1", false), ("::1", false), ("169.254.0.1", false),
  ])
  func privateIsTheOperatorsOwnNetworks(text: String, isIn: Bool) throws {
    #expect(try set("private").contains(#require(address(text))) == isIn)
  }

  @Test func familiesAreApart() throws {
    let everyIPv6 = try set("::/0")
    #expect(!everyIPv6.contains(IPAddress(ipv4: 0x7F00_0001)))
    #expect(everyIPv6.contains(IPAddress(ipv6High: .max, low: .max)))
    let everyIPv4 = try set("0.0.0.0/0")
    #expect(everyIPv4.contains(IPAddress(ipv4: .max)))
    #expect(!everyIPv4.contains(IPAddress(ipv6High: 0, low: 1)))
    #expect(!CIDRSet([]).contains(IPAddress(ipv4: 0)))
    #expect(!CIDRSet([]).contains(IPAddress(ipv6High: 0, low: 0)))
  }

  /// A set holds exactly what one of its blocks holds, for blocks that nest, touch and lie apart.
  @Test func setsHoldTheUnionOfTheirBlocks() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      let blocks = try (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        let prefixBits = UInt32.random(in: 0...8, using: &generator)
        let octet = UInt32.random(in: 0...255, using: &generator) & (0xFF << (8 - prefixBits))
        return try CIDRBlock.parse(
          Bool.random(using: &generator)
            ? "\(octet).0.0.0/\(prefixBits)"
            : "\(String(octet << 8, radix: 16))::/\(prefixBits)")[0]
      }
      let union = CIDRSet(blocks)
      for octet in UInt64(0)...255 {
        for address in [
          IPAddress(ipv4: UInt32(octet) << 24), IPAddress(ipv4: UInt32(octet) << 24 | 0xFF_FFFF),
          IPAddress(ipv6High: octet << 56, low: 0), IPAddress(ipv6High: octet << 56 | 0xFFFF, low: .max),
        ] {
          let isInSome = blocks.contains {
            $0.isIPv4 == address.isIPv4 && ($0.first...$0.last).contains(address.bits)
          }
          #expect(union.contains(address) == isInSome)
        }
      }
    }
  }

  @Test(arguments: [
    ("loopback", false), ("private", false), ("10.1.0.0/16", false), ("100.64.0.0/10", false),
    ("192.0.2.0/24", false), ("fd00::/8", false), ("fe80::/10", false), ("4000::/3", false),
    ("240.0.0.0/4", false), ("0.0.0.0/0", true), ("::/0", true), ("10.0.0.0/7", true), ("8.8.8.8", true),
    ("192.0.0.0/23", true), ("2000::/3", true), ("::/2", true), ("2600:9000::/28", true),
    ("172.0.0.0/8", true),
  ])
  func publicSpaceIsNoticed(text: String, isPublic: Bool) throws {
    #expect(try set(text).coversPublicSpace == isPublic)
    #expect(try set("loopback", text).coversPublicSpace == isPublic)
  }
}
