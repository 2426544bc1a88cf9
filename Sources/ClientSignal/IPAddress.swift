/// An Internet address: of a peer or of a client.
///
/// It is somebody's, so it lives no longer than its request and cannot be made into text: interpolating one is
/// refused by the compiler, and reflection shows nothing. Seventeen bytes on the stack; usable from any thread.
package struct IPAddress: Equatable, Sendable {
  /// The high half of an IPv6 address; 0 for IPv4.
  package let high: UInt64
  /// The low half of an IPv6 address, or an IPv4 address in its low 32 bits.
  package let low: UInt64
  /// Which family it is.
  package let isIPv4: Bool

  /// An IPv4 address from its 32 bits in host order.
  package init(ipv4 bits: UInt32) {
    high = 0
    low = UInt64(bits)
    isIPv4 = true
  }

  /// An IPv6 address from its halves in host order. IPv4-mapped ones (`::ffff:a.b.c.d`) and NAT64's
  /// (`64:ff9b::/96`) become IPv4.
  package init(ipv6High high: UInt64, low: UInt64) {
    let isMapped = high == 0 && low >> 32 == 0xFFFF
    let isNAT64 = high == 0x0064_FF9B_0000_0000 && low >> 32 == 0
    isIPv4 = isMapped || isNAT64
    self.high = isIPv4 ? 0 : high
    self.low = isIPv4 ? low & 0xFFFF_FFFF : low
  }
}

extension IPAddress: CustomReflectable {
  /// Empty: `dump` and the default `description` have nothing to show.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension DefaultStringInterpolation {
  /// An address has no textual form: appends nothing, and calling it is a warning, which is an error in this
  /// package. An unavailable function would not do: the compiler would take the one for any value instead.
  @available(*, deprecated, message: "an address must not become text")
  package mutating func appendInterpolation(_ address: IPAddress) {}
}
