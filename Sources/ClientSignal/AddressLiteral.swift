import HTTPWire

/// An address as its text has it, before IPv4-mapped and NAT64 forms are made IPv4.
///
/// Own parser, since `inet_pton` wants a terminated string and knows no ports. Accepts for a bare address
/// exactly what glibc's `inet_pton` accepts.
enum AddressLiteral: Equatable {
  case ipv4(UInt32)
  case ipv6(UInt128)

  /// An address without port, brackets or zone; nil when the bytes are none.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> AddressLiteral? {
    if let bits = ipv4(bytes) { return .ipv4(bits) }
    if let bits = ipv6(bytes) { return .ipv6(bits) }
    return nil
  }

  /// Four decimal octets without leading zeros (RFC 6943 §3.1.1, strict form).
  static func ipv4(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
    var address: UInt32 = 0
    var octet: UInt32 = 0
    var digitCount = 0
    var dotCount = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard digitCount == 0 || octet > 0 else { return nil }
        octet = octet * 10 + UInt32(byte - UInt8(ascii: "0"))
        digitCount += 1
        guard octet <= 255 else { return nil }
      case UInt8(ascii: "."):
        guard digitCount > 0, dotCount < 3 else { return nil }
        address = address << 8 | octet
        octet = 0
        digitCount = 0
        dotCount += 1
      default: return nil
      }
    }
    guard dotCount == 3, digitCount > 0 else { return nil }
    return address << 8 | octet
  }

  /// The forms of RFC 4291 §2.2: eight groups, `::` once for one or more zero groups, a dotted quad last.
  static func ipv6(_ bytes: UnsafeRawBufferPointer) -> UInt128? {
    var value: UInt128 = 0
    var groupCount = 0
    var groupCountBeforeGap: Int?
    var index = 0
    if bytes.count >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
      groupCountBeforeGap = 0
      index = 2
    }
    while index < bytes.count {
      guard groupCount < 8 else { return nil }
      let start = index
      var group: UInt128 = 0
      while index < bytes.count, index - start < 4, let digit = FieldSyntax.hexadecimalDigit(bytes[index]) {
        group = group << 4 | UInt128(digit)
        index += 1
      }
      if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
        guard let quad = ipv4(UnsafeRawBufferPointer(rebasing: bytes[start...])) else { return nil }
        value = value << 32 | UInt128(quad)
        groupCount += 2
        break
      }
      guard index > start else { return nil }
      value = value << 16 | group
      groupCount += 1
      guard index < bytes.count else { break }
      guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else { return nil }
      index += 1
      if bytes[index] == UInt8(ascii: ":") {
        guard groupCountBeforeGap == nil else { return nil }
        groupCountBeforeGap = groupCount
        index += 1
      }
    }
    guard let groupCountBeforeGap else { return groupCount == 8 ? value : nil }
    guard groupCount < 8 else { return nil }
    let tailBits = 16 * (groupCount - groupCountBeforeGap)
    let tail = value & ((1 << tailBits) - 1)
    // Shifts by a whole width are zero, so an empty head or tail needs no case of its own.
    return (value >> tailBits) << (128 - 16 * groupCountBeforeGap) | tail
  }
}
