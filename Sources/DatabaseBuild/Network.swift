/// A block of addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3).
///
/// It is data of a database, not anybody's address. A value type; usable from any thread.
package struct Network: Hashable, Sendable {
  /// Which family it is of.
  package let family: IPFamily
  /// The lowest address, in host order; an IPv4 address in the low 32 bits.
  package let first: UInt128
  /// How many leading bits the addresses share: 0 to 32, or to 128.
  package let prefixLength: Int

  /// The highest address.
  package let last: UInt128

  /// A network from its parts; nil when the length is out of range or `first` has bits set beyond it.
  package init?(_ family: IPFamily, first: UInt128, prefixLength: Int) {
    guard (0...family.bitCount).contains(prefixLength), first <= family.addressMax else { return nil }
    let host = family.addressMax.zeroing(leading: prefixLength, of: family)
    guard first & host == 0 else { return nil }
    self.family = family
    self.first = first
    self.prefixLength = prefixLength
    last = first | host
  }

  /// A network from text such as `192.0.2.0/24` or `2001:db8::/32`, or a single address; nil when it is neither.
  package init?(_ text: String) {
    var text = text
    guard let network = text.withUTF8({ try? NetworkText.network(UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = network
  }
}

extension Network {
  /// Its addresses.
  var range: AddressRange { AddressRange(family: family, first: first, last: last) }

  /// The IPv4 network that this one is in IPv6 form (inside `::ffff:0:0/96`); else itself.
  var unmapped: Network {
    guard family == .ipv6, first >> 32 == 0xFFFF, prefixLength >= 96 else { return self }
    return Network(.ipv4, first: first & IPFamily.ipv4.addressMax, prefixLength: prefixLength - 96)!
  }

  /// The fewest networks that together are a range, in ascending order.
  static func blocks(_ range: AddressRange) -> [Network] {
    let (family, last) = (range.family, range.last)
    var blocks: [Network] = []
    var first = range.first
    while true {
      // As wide as the start is aligned, but not beyond the end.
      var freeBits = min(first.trailingZeroBitCount, family.bitCount)
      while freeBits > 0,
        first | family.addressMax.zeroing(leading: family.bitCount - freeBits, of: family) > last
      {
        freeBits -= 1
      }
      let block = Network(family, first: first, prefixLength: family.bitCount - freeBits)!
      blocks.append(block)
      guard block.last < last else { return blocks }
      first = block.last + 1
    }
  }
}

/// The addresses from one to another, both included.
struct AddressRange: Equatable {
  var family: IPFamily
  var first: UInt128
  /// Never below `first`.
  var last: UInt128
}

extension UInt128 {
  /// This value with the first bits of an address of that family cleared.
  fileprivate func zeroing(leading bitCount: Int, of family: IPFamily) -> UInt128 {
    let kept = family.bitCount - bitCount
    // A shift by 128 gives 0, as it should.
    return self & ((1 << UInt128(kept)) &- 1)
  }
}
