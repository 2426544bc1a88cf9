#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Addresses, networks and ranges as text.
enum NetworkText {
  /// An address with its family.
  struct Address: Equatable {
    var family: IPFamily
    var bits: UInt128

    /// Whether it is an IPv4 address in IPv6 form, `::ffff:a.b.c.d` (RFC 4291 section 2.5.5.2).
    var isIPv4Mapped: Bool { family == .ipv6 && bits >> 32 == 0xFFFF }
  }

  /// The longest textual address: an IPv6 one that ends in dotted decimals.
  static let addressBytesMax = 45

  /// A dotted IPv4 address or an IPv6 address without a zone, as inet_pton(3) takes it; nil for all else.
  static func address(_ text: UnsafeRawBufferPointer) -> Address? {
    guard (2...addressBytesMax).contains(text.count) else { return nil }
    // One byte more than the longest: inet_pton wants a NUL behind.
    return withUnsafeTemporaryAllocation(byteCount: addressBytesMax + 1, alignment: 1) { copy -> Address? in
      copy.copyMemory(from: text)
      copy[text.count] = 0
      guard text.index(of: 0) == nil, let start = copy.baseAddress else { return nil }
      let isIPv6 = text.index(of: UInt8(ascii: ":")) != nil
      return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { parsed -> Address? in
        guard
          inet_pton(
            isIPv6 ? AF_INET6 : AF_INET, start.assumingMemoryBound(to: CChar.self), parsed.baseAddress) == 1
        else { return nil }
        if isIPv6 { return Address(family: .ipv6, bits: UInt128(bigEndian: parsed.load(as: UInt128.self))) }
        return Address(family: .ipv4, bits: UInt128(UInt32(bigEndian: parsed.load(as: UInt32.self))))
      }
    }
  }

  /// The addresses from one to another, both included. A range of IPv4-mapped ones is one of IPv4.
  static func range(_ first: Address, _ last: Address) throws(InputProblem) -> AddressRange {
    guard first.family == last.family else { throw .badRange }
    guard first.bits <= last.bits else { throw .reversedRange }
    guard first.isIPv4Mapped, last.isIPv4Mapped else {
      return AddressRange(family: first.family, first: first.bits, last: last.bits)
    }
    let ipv4 = IPFamily.ipv4.addressMax
    return AddressRange(family: .ipv4, first: first.bits & ipv4, last: last.bits & ipv4)
  }

  /// A network in CIDR notation, or a single address. One of IPv4-mapped addresses is one of IPv4.
  static func network(_ text: UnsafeRawBufferPointer) throws(InputProblem) -> Network {
    guard let slash = text.index(of: UInt8(ascii: "/")) else {
      guard let address = address(text) else { throw .badNetwork }
      return Network(address.family, first: address.bits, prefixLength: address.family.bitCount)!.unmapped
    }
    guard let address = address(UnsafeRawBufferPointer(rebasing: text[..<slash])) else { throw .badNetwork }
    let lengthText = text[(slash + 1)...]
    guard lengthText.count <= 3, let length = decimal(UnsafeRawBufferPointer(rebasing: lengthText)),
      length <= UInt64(address.family.bitCount)
    else { throw .badPrefixLength }
    guard let network = Network(address.family, first: address.bits, prefixLength: Int(length)) else {
      throw .bitsBeyondPrefix
    }
    return network.unmapped
  }

  /// A run of decimal digits; nil when there is none, anything else, or more than 64 bits hold.
  static func decimal(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard (1...20).contains(text.count) else { return nil }
    var value: UInt64 = 0
    for byte in text {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(UInt64(byte - 0x30))
      guard !isTooLarge, !isStillTooLarge else { return nil }
      value = sum
    }
    return value
  }
}
