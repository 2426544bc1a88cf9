/// `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum HostSyntax {
  /// What has to follow the host.
  enum Port { case optional, required }

  /// Whether the bytes are a host that is not empty, and a port.
  ///
  /// A host is a bracketed IPv6 address, a bracketed future one, or a registered name (an IPv4 address is
  /// one by its letters); no user information, no zone. A port is decimal and at most 65535; with its colon
  /// it may be empty where it is optional, as the grammar has it.
  static func isAuthority(_ bytes: UnsafeRawBufferPointer, port: Port) -> Bool {
    guard let first = bytes.first else { return false }
    let hostEnd: Int
    if first == 0x5B {
      guard let bracket = bytes.firstIndex(of: 0x5D) else { return false }
      guard isAddressLiteral(UnsafeRawBufferPointer(rebasing: bytes[1..<bracket])) else { return false }
      hostEnd = bracket + 1
    } else {
      guard let end = registeredNameEnd(bytes), end > 0 else { return false }
      hostEnd = end
    }
    if hostEnd == bytes.count { return port == .optional }
    guard bytes[hostEnd] == 0x3A else { return false }
    return isPort(UnsafeRawBufferPointer(rebasing: bytes[(hostEnd + 1)...]), port)
  }

  /// Where the registered name at the start ends; nil if its percent-encoding is broken.
  private static func registeredNameEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var index = ByteSpan.host(bytes, 0..<bytes.count)
    while index < bytes.count {
      if ByteClass.registeredName.contains(bytes[index]) {
        index &+= 1
      } else if bytes[index] == 0x25 {
        guard PercentSyntax.isTriplet(bytes, at: index) else { return nil }
        index &+= 3
      } else {
        break
      }
    }
    return index
  }

  private static func isPort(_ bytes: UnsafeRawBufferPointer, _ port: Port) -> Bool {
    var number = 0
    for byte in bytes {
      guard let digit = FieldSyntax.decimalDigit(byte) else { return false }
      number = number * 10 + digit
      if number > 65535 { return false }
    }
    return port == .optional || !bytes.isEmpty
  }

  /// `IPv6address` or `IPvFuture`, without the brackets.
  private static func isAddressLiteral(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return false }
    return first | 0x20 == 0x76 ? isFutureAddress(bytes) : isIPv6Address(bytes)
  }

  /// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
  private static func isFutureAddress(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let dot = bytes.firstIndex(of: 0x2E), dot > 1, dot + 1 < bytes.count else { return false }
    return bytes[1..<dot].allSatisfy { FieldSyntax.hexadecimalDigit($0) != nil }
      && bytes[(dot + 1)...].allSatisfy { ByteClass.futureAddress.contains($0) }
  }

  /// Eight groups of one to four hex digits; `::` once, for one or more of them; the last two may be an
  /// IPv4 address.
  private static func isIPv6Address(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var groups = 0
    var isCompressed = false
    if bytes.count >= 2, bytes[0] == 0x3A, bytes[1] == 0x3A {
      isCompressed = true
      index = 2
      if index == bytes.count { return true }
    }
    while true {
      let start = index
      while index < bytes.count, FieldSyntax.hexadecimalDigit(bytes[index]) != nil { index += 1 }
      if index < bytes.count, bytes[index] == 0x2E {
        guard isIPv4Address(UnsafeRawBufferPointer(rebasing: bytes[start...])) else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(index - start) else { return false }
      groups += 1
      if index == bytes.count { break }
      guard bytes[index] == 0x3A else { return false }
      index += 1
      guard index < bytes.count else { return false }
      if bytes[index] == 0x3A {
        guard !isCompressed else { return false }
        isCompressed = true
        index += 1
        if index == bytes.count { break }
      }
    }
    return isCompressed ? groups <= 7 : groups == 8
  }

  /// Four `dec-octet` without leading zeros.
  private static func isIPv4Address(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var octets = 0
    var index = 0
    while true {
      let start = index
      var number = 0
      while index < bytes.count, index - start < 3, let digit = FieldSyntax.decimalDigit(bytes[index]) {
        number = number * 10 + digit
        index += 1
      }
      guard index > start, number <= 255, index - start == 1 || bytes[start] != 0x30 else { return false }
      octets += 1
      if index == bytes.count { return octets == 4 }
      guard octets < 4, bytes[index] == 0x2E else { return false }
      index += 1
    }
  }
}

/// `pct-encoded` (RFC 3986 §2.1).
enum PercentSyntax {
  /// Whether two hex digits follow the `%` at the index.
  @inline(__always)
  static func isTriplet(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    index + 2 < bytes.count && FieldSyntax.hexadecimalDigit(bytes[index + 1]) != nil
      && FieldSyntax.hexadecimalDigit(bytes[index + 2]) != nil
  }
}
