/// How a place in a header, on a command line or in a configuration writes an address.
package enum AddressForm: Sendable {
  /// `192.0.2.1`, `2001:db8::1`.
  case bare
  /// The bare forms and `192.0.2.1:443`, `[2001:db8::1]`, `[2001:db8::1]:443`.
  case optionalPort
  /// `192.0.2.1:443` and, without brackets, `2001:db8::1:443`: the port always follows the last colon.
  /// Only `CloudFront-Viewer-Address` is written so.
  case portBehindLastColon
}

extension IPAddress {
  /// The longest text that is looked at, in bytes.
  static let textBytesMax = 64

  /// An address from ASCII text; nil unless the bytes are one, wholly, in the given form.
  ///
  /// Refused: zone identifiers, white space, leading zeros and short forms of IPv4, ports over 65535, more than
  /// `textBytesMax` bytes. IPv4-mapped and NAT64 addresses become IPv4. Allocates nothing.
  package init?(_ text: UnsafeRawBufferPointer, form: AddressForm) {
    guard text.count <= Self.textBytesMax else { return nil }
    let address: UnsafeRawBufferPointer
    switch form {
    case .bare: address = text
    case .optionalPort:
      guard let part = Self.withoutOptionalPort(text) else { return nil }
      address = part
    case .portBehindLastColon:
      guard let colon = text.lastIndex(of: UInt8(ascii: ":")), Self.isPort(text[(colon + 1)...]) else {
        return nil
      }
      address = UnsafeRawBufferPointer(rebasing: text[..<colon])
    }
    guard let literal = AddressLiteral.parse(address) else { return nil }
    self.init(literal)
  }

  /// The same from a string of the operator's: configuration and command line only.
  package init?(_ text: some StringProtocol, form: AddressForm) {
    let bytes = Array(text.utf8)
    guard let address = bytes.withUnsafeBytes({ IPAddress($0, form: form) }) else { return nil }
    self = address
  }

  init(_ literal: AddressLiteral) {
    switch literal {
    case .ipv4(let bits): self.init(ipv4: bits)
    case .ipv6(let bits):
      self.init(ipv6High: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
  }

  /// The address part of a text that may have brackets and a port; what is left may still be no address.
  private static func withoutOptionalPort(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if text.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let rest = text[(bracket + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") && isPort(rest.dropFirst()) else { return nil }
      let inside = UnsafeRawBufferPointer(rebasing: text[1..<bracket])
      // Brackets are for IPv6 alone (RFC 3986 §3.2.2).
      return inside.contains(UInt8(ascii: ":")) ? inside : nil
    }
    // One colon is IPv4's port; more than one is IPv6 without a port.
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      !text[(colon + 1)...].contains(UInt8(ascii: ":"))
    else { return text }
    return isPort(text[(colon + 1)...]) ? UnsafeRawBufferPointer(rebasing: text[..<colon]) : nil
  }

  /// One to five digits, at most 65535.
  static func isPort(_ digits: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard (1...5).contains(digits.count) else { return false }
    var port = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return false }
      port = port * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return port <= 65535
  }
}
