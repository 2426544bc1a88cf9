/// A set of addresses made of blocks: who is trusted, what is skipped.
///
/// Immutable; usable from any thread. A look-up allocates nothing and takes the logarithm of the number of
/// separate ranges.
package struct CIDRSet: Sendable {
  private let ipv4: DisjointRanges<UInt32>
  private let ipv6: DisjointRanges<UInt128>
  /// Whether some address in it is a public one.
  package let coversPublicSpace: Bool

  /// The union of the blocks, in any order, overlapping or not.
  package init(_ blocks: [CIDRBlock]) {
    ipv4 = DisjointRanges(
      blocks.lazy.filter(\.isIPv4).map { UInt32($0.first)...UInt32($0.last) })
    ipv6 = DisjointRanges(blocks.lazy.filter { !$0.isIPv4 }.map { $0.first...$0.last })
    coversPublicSpace = blocks.contains(where: \.coversPublicSpace)
  }

  /// This machine's own addresses: the default of those who are trusted.
  package static let loopback = CIDRSet(CIDRBlock.loopback)

  /// Whether the address is in one of the blocks. IPv4 addresses are in IPv4 blocks only, `::/0` has none.
  package func contains(_ address: IPAddress) -> Bool {
    address.isIPv4 ? ipv4.contains(UInt32(truncatingIfNeeded: address.low)) : ipv6.contains(address.bits)
  }
}

/// Closed ranges in ascending order that neither overlap nor touch.
private struct DisjointRanges<Bound: FixedWidthInteger & Sendable>: Sendable {
  private let ranges: [ClosedRange<Bound>]

  init(_ unordered: some Sequence<ClosedRange<Bound>>) {
    var merged: [ClosedRange<Bound>] = []
    for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  func contains(_ value: Bound) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }
}
