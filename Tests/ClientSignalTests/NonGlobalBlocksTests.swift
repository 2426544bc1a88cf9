import Testing

@testable import ClientSignal

@Suite struct NonGlobalBlocksTests {
  /// Each block of the registries: its first and last addresses are refused, its neighbours are judged alone.
  @Test(arguments: [
    ("0.0.0.0/8", nil, "1.0.0.0"), ("10.0.0.0/8", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0/10", "100.63.255.255", "100.128.0.0"), ("127.0.0.0/8", "126.255.255.255", "128.0.0.0"),
    ("169.254.0.0/16", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0/12", "172.15.255.255", "172.32.0.0"), ("192.0.0.0/24", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0/24", "192.0.1.255", "192.0.3.0"), ("192.88.99.0/24", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0/16", "192.167.255.255", "192.169.0.0"), ("198.18.0.0/15", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0/24", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0/24", "203.0.112.255", "203.0.114.0"), ("224.0.0.0/4", "223.255.255.255", nil),
    ("240.0.0.0/4", nil, nil), ("255.255.255.255/32", nil, nil),
    ("::/128", nil, nil), ("::1/128", nil, nil), ("::/96", nil, nil), ("64:ff9b:1::/48", nil, nil),
    ("100::/64", nil, nil), ("100:0:0:1::/64", nil, nil),
    ("2001::/32", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("2001:2::/48", nil, nil),
    ("2001:10::/28", nil, nil), ("2001:20::/28", nil, nil), ("2001:30::/28", nil, nil),
    ("2001:1fe::/31", nil, "2001:200::"),
    ("2001:db8::/32", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
    ("2002::/16", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
    ("3fff::/20", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"), ("4000::/3", nil, nil),
    ("5f00::/16", nil, nil), ("fc00::/7", nil, nil), ("fe80::/10", nil, nil), ("fec0::/10", nil, nil),
    ("ff00::/8", nil, nil),
  ])
  func specialPurposeBlocksAreNotGlobal(text: String, before: String?, after: String?) throws {
    let block = try CIDRBlock.parse(text)[0]
    #expect(!IPAddress(family: block, bits: block.first).isGlobal)
    #expect(!IPAddress(family: block, bits: block.last).isGlobal)
    if let before { #expect(try #require(address(before)).isGlobal) }
    if let after { #expect(try #require(address(after)).isGlobal) }
  }

  @Test(arguments: [
    "8.8.8.8", "168.126.63.1", "1.1.1.1", "192.175.48.1", "192.31.196.1", "2001:220::1", "2620:4f:8000::1",
    "2a00::1", "2000::", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
  ])
  func publicAddressesAreGlobal(text: String) throws {
    #expect(try #require(address(text)).isGlobal)
  }

  @Test(arguments: ["::ffff:10.0.0.1", "64:ff9b::192.168.0.1", "::8.8.8.8", "2002:808:808::1", "2001::1"])
  func wrappedAddressesAreJudgedByWhatTheyMean(text: String) throws {
    #expect(!(try #require(address(text)).isGlobal))
  }
}

extension IPAddress {
  /// An address of a block's family.
  fileprivate init(family block: CIDRBlock, bits: UInt128) {
    self =
      block.isIPv4
      ? IPAddress(ipv4: UInt32(bits))
      : IPAddress(ipv6High: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }
}
