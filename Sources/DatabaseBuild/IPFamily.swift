/// One of the two address families.
package enum IPFamily: Sendable, CaseIterable {
  /// 32 bits.
  case ipv4
  /// 128 bits.
  case ipv6

  /// The bits of an address, which is the longest prefix of a network.
  package var bitCount: Int {
    switch self {
    case .ipv4: 32
    case .ipv6: 128
    }
  }

  /// The highest address, all ones, in the low bits.
  package var addressMax: UInt128 { UInt128.max >> UInt128(128 - bitCount) }

  /// The place of a family in lists that have one of something for each.
  var index: Int {
    switch self {
    case .ipv4: 0
    case .ipv6: 1
    }
  }
}
