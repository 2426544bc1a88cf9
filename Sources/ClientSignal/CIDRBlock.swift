/// A block of addresses that share a prefix (RFC 4632 §3.1, RFC 4291 §2.3).
///
/// The operator's own words, unlike an address. Usable from any thread.
package struct CIDRBlock: Hashable, Sendable {
  /// Which family it is of. An IPv4-mapped block is an IPv4 one.
  package let isIPv4: Bool
  /// The first address: IPv4 in the low 32 bits.
  let first: UInt128
  /// The last address.
  let last: UInt128

  private init(isIPv4: Bool, bits: UInt128, prefixBits: Int) throws(CIDRBlockError) {
    let hostBits = (isIPv4 ? 32 : 128) - prefixBits
    let hostMask: UInt128 = hostBits == 128 ? .max : (1 << hostBits) - 1
    guard bits & hostMask == 0 else { throw .hostBits }
    self.isIPv4 = isIPv4
    first = bits
    last = bits | hostMask
  }

  /// The blocks that a text stands for: `10.0.0.0/8`, `2001:db8::/32`, a single address, or one of the words
  /// `loopback` (127.0.0.0/8, ::1) and `private` (RFC 1918's three blocks and fc00::/7).
  ///
  /// - Throws: `CIDRBlockError` that says what is wrong with the text.
  package static func parse(_ text: some StringProtocol) throws(CIDRBlockError) -> [CIDRBlock] {
    switch text {
    case "loopback": loopback
    case "private": privateUse
    default: [try block(text)]
    }
  }

  /// `127.0.0.0/8` (RFC 1122 §3.2.1.3) and `::1` (RFC 4291 §2.5.3).
  package static let loopback = blocks("127.0.0.0/8", "::1/128")

  /// RFC 1918's blocks and `fc00::/7` (RFC 4193). Not 100.64.0.0/10, which a carrier's customers share.
  package static let privateUse = blocks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")

  /// Whether every address of the other block is in this one.
  package func contains(_ other: CIDRBlock) -> Bool {
    isIPv4 == other.isIPv4 && first <= other.first && other.last <= last
  }

  /// Whether some address in it is a public one: trusting such a block trusts strangers unless it is the
  /// operator's own.
  package var coversPublicSpace: Bool {
    !NonGlobalBlocks.all.contains { $0.contains(self) }
  }

  /// Blocks that stand in the source: a programmer's error unless they parse.
  static func blocks(_ texts: String...) -> [CIDRBlock] {
    do { return try texts.map { try block($0) } } catch { fatalError("a block of the source: \(error)") }
  }

  private static func block(_ text: some StringProtocol) throws(CIDRBlockError) -> CIDRBlock {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= IPAddress.textBytesMax,
      let literal = Array(parts[0]).withUnsafeBytes({ AddressLiteral.parse($0) })
    else { throw .notAnAddress }
    switch literal {
    case .ipv4(let bits):
      let prefixBits = try prefixBits(parts.dropFirst().first, max: 32)
      return try CIDRBlock(isIPv4: true, bits: UInt128(bits), prefixBits: prefixBits)
    case .ipv6(let bits):
      let prefixBits = try prefixBits(parts.dropFirst().first, max: 128)
      guard prefixBits >= 96 else { return try CIDRBlock(isIPv4: false, bits: bits, prefixBits: prefixBits) }
      let address = IPAddress(literal)
      if address.isIPv4 {
        guard bits >> 32 == 0xFFFF else { throw .translated }
        return try CIDRBlock(isIPv4: true, bits: address.bits, prefixBits: prefixBits - 96)
      }
      return try CIDRBlock(isIPv4: false, bits: bits, prefixBits: prefixBits)
    }
  }

  /// The number behind the slash; the whole address when there is no slash.
  private static func prefixBits(
    _ digits: (some Collection<UInt8>)?, max: Int
  ) throws(CIDRBlockError) -> Int {
    guard let digits else { return max }
    guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      throw .badPrefix(max: max)
    }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .badPrefix(max: max) }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    guard value <= max else { throw .badPrefix(max: max) }
    return value
  }
}

extension IPAddress {
  /// The address as one number: IPv4 in the low 32 bits.
  var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }
}

/// Why a text is no block.
package enum CIDRBlockError: Error, Equatable, CustomStringConvertible {
  /// What stands before the slash is neither an IPv4 nor an IPv6 address, nor is the text a known word.
  case notAnAddress
  /// What stands behind the slash is no number from 0 to `max`.
  case badPrefix(max: Int)
  /// Bits behind the prefix are set: the prefix or the address is a slip.
  case hostBits
  /// A block of 64:ff9b::/96: addresses from there are compared as the IPv4 addresses they carry.
  case translated

  /// A sentence for the operator. It repeats nothing of the text.
  package var description: String {
    switch self {
    case .notAnAddress: "not an address, nor the word loopback or private"
    case .badPrefix(let max): "the part behind / is not a number from 0 to \(max)"
    case .hostBits: "bits behind the prefix are set: shorten the address or lengthen the prefix"
    case .translated: "NAT64 addresses are compared as IPv4: write the IPv4 block"
    }
  }
}
