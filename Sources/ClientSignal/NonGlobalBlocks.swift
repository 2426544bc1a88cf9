extension IPAddress {
  /// Whether a client on the public Internet may have this address. Any other is never looked up.
  package var isGlobal: Bool { !NonGlobalBlocks.set.contains(self) }
}

/// The blocks whose addresses are no client's on the public Internet.
///
/// After the IANA IPv4 and IPv6 Special-Purpose Address Registries as of 2025-10-09, with what they leave out:
/// multicast, and for IPv6 everything outside 2000::/3, the only part that unicast addresses are allocated from.
///
/// Narrower on purpose than the registries' "globally reachable": anycast services inside a refused block
/// (192.0.0.9, 2001:1::1 …) and ORCHIDs are no client's source address, and the tunnels 6to4 and Teredo say
/// where a relay or server is. AS112 and AMT blocks outside refused ones are left to the database.
enum NonGlobalBlocks {
  static let all =
    CIDRBlock.blocks(
      "0.0.0.0/8",  // "this network", RFC 791
      "10.0.0.0/8",  // private use, RFC 1918
      "100.64.0.0/10",  // shared address space of carriers, RFC 6598
      "127.0.0.0/8",  // loopback, RFC 1122
      "169.254.0.0/16",  // link-local, RFC 3927
      "172.16.0.0/12",  // private use, RFC 1918
      "192.0.0.0/24",  // IETF protocol assignments, RFC 6890
      "192.0.2.0/24",  // documentation, RFC 5737
      "192.88.99.0/24",  // 6to4 relay anycast, deprecated by RFC 7526
      "192.168.0.0/16",  // private use, RFC 1918
      "198.18.0.0/15",  // benchmarking, RFC 2544
      "198.51.100.0/24",  // documentation, RFC 5737
      "203.0.113.0/24",  // documentation, RFC 5737
      "224.0.0.0/3"  // multicast, RFC 5771; reserved, RFC 1112; limited broadcast, RFC 919
    )
    + CIDRBlock.blocks(
      "::/3",  // unspecified, loopback, local NAT64 (RFC 8215), discard (RFC 6666), unassigned
      "2001::/23",  // IETF protocol assignments, RFC 2928: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP
      "2001:db8::/32",  // documentation, RFC 3849
      "2002::/16",  // 6to4, RFC 3056, deprecated by RFC 7526
      "3fff::/20",  // documentation, RFC 9637
      "4000::/2",  // unassigned, and SRv6 SIDs (5f00::/16, RFC 9602)
      "8000::/1"  // unique local (RFC 4193), link-local, site-local (RFC 3879), multicast, unassigned
    )

  static let set = CIDRSet(all)
}
