import TestFixtures
import Testing

@testable import ClientSignal

/// What a preface must come to; addresses are compared, never printed.
private enum Expected {
  case ipv4(UInt32, consumed: Int)
  case ipv6(UInt64, UInt64, consumed: Int)
  case unnamed(consumed: Int)
  case malformed
}

private let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

private func binary(_ command: UInt8, _ family: UInt8, _ payload: [UInt8], length: Int? = nil) -> [UInt8] {
  let length = length ?? payload.count
  return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
}

private let ipv4Payload: [UInt8] = [203, 0, 113, 7, 192, 0, 2, 1, 0xDC, 0x04, 0x01, 0xBB]
private let ipv6Payload: [UInt8] =
  [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
  + [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [0xDC, 0x04, 0x01, 0xBB]
private let mappedPayload: [UInt8] =
  [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 203, 0, 113, 7] + [UInt8](repeating: 0, count: 16) + [
    0, 1, 0, 2,
  ]

private let address: UInt32 = 0xCB00_7107

private let vectors: [(name: String, bytes: [UInt8], expected: Expected)] = [
  ("TCP4", line("PROXY TCP4 203.0.113.7 192.0.2.1 56324 443\r\n"), .ipv4(address, consumed: 44)),
  (
    "TCP4, ports at their ends", line("PROXY TCP4 203.0.113.7 192.0.2.1 0 65535\r\n"),
    .ipv4(address, consumed: 42)
  ),
  (
    "TCP6", line("PROXY TCP6 2001:db8::7 2001:db8::1 56324 443\r\n"),
    .ipv6(0x2001_0DB8_0000_0000, 7, consumed: 46)
  ),
  ("TCP6, mapped", line("PROXY TCP6 ::ffff:203.0.113.7 ::1 1 2\r\n"), .ipv4(address, consumed: 39)),
  ("TCP4, from this machine", line("PROXY TCP4 127.0.0.1 192.0.2.1 1 2\r\n"), .unnamed(consumed: 36)),
  ("TCP4, its last address", line("PROXY TCP4 127.255.255.255 192.0.2.1 1 2\r\n"), .unnamed(consumed: 42)),
  ("TCP6, from this machine", line("PROXY TCP6 ::1 2001:db8::1 1 2\r\n"), .unnamed(consumed: 32)),
  ("TCP6, mapped from it", line("PROXY TCP6 ::ffff:127.0.0.1 ::1 1 2\r\n"), .unnamed(consumed: 37)),
  ("UNKNOWN", line("PROXY UNKNOWN\r\n"), .unnamed(consumed: 15)),
  ("UNKNOWN with more", line("PROXY UNKNOWN ffff:: ffff:: 65535 65535\r\n"), .unnamed(consumed: 41)),
  ("no port", line("PROXY TCP4 203.0.113.7 192.0.2.1 56324\r\n"), .malformed),
  ("too many words", line("PROXY TCP4 203.0.113.7 192.0.2.1 1 2 3\r\n"), .malformed),
  ("two spaces", line("PROXY TCP4  203.0.113.7 192.0.2.1 1 2\r\n"), .malformed),
  ("port too great", line("PROXY TCP4 203.0.113.7 192.0.2.1 65536 443\r\n"), .malformed),
  ("port with a leading zero", line("PROXY TCP4 203.0.113.7 192.0.2.1 01 443\r\n"), .malformed),
  ("port with a sign", line("PROXY TCP4 203.0.113.7 192.0.2.1 +1 443\r\n"), .malformed),
  ("address of the other family", line("PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n"), .malformed),
  ("dots for TCP6", line("PROXY TCP6 203.0.113.7 192.0.2.1 1 2\r\n"), .malformed),
  ("no address", line("PROXY TCP4 localhost 192.0.2.1 1 2\r\n"), .malformed),
  ("bare line feed", line("PROXY TCP4 203.0.113.7 192.0.2.1 1 2\n"), .malformed),
  ("lower case", line("proxy TCP4 203.0.113.7 192.0.2.1 1 2\r\n"), .malformed),
  ("another family", line("PROXY UDP4 203.0.113.7 192.0.2.1 1 2\r\n"), .malformed),
  ("no line end within 107 bytes", line("PROXY UNKNOWN " + String(repeating: "x", count: 120)), .malformed),
  ("a request", line("GET / HTTP/1.1\r\n"), .malformed),
  ("TLS", [0x16, 0x03, 0x01], .malformed),
  ("v2 TCP4", binary(0x21, 0x11, ipv4Payload), .ipv4(address, consumed: 28)),
  ("v2 TCP4 with extensions", binary(0x21, 0x11, ipv4Payload + [4, 0, 1, 9]), .ipv4(address, consumed: 32)),
  ("v2 TCP6", binary(0x21, 0x21, ipv6Payload), .ipv6(0x2001_0DB8_0000_0000, 7, consumed: 52)),
  ("v2 TCP6, mapped", binary(0x21, 0x21, mappedPayload), .ipv4(address, consumed: 52)),
  (
    "v2 TCP4, from this machine", binary(0x21, 0x11, [127, 0, 0, 1] + ipv4Payload.dropFirst(4)),
    .unnamed(consumed: 28)
  ),
  (
    "v2 TCP6, from this machine",
    binary(0x21, 0x21, [UInt8](repeating: 0, count: 15) + [1] + ipv6Payload.dropFirst(16)),
    .unnamed(consumed: 52)
  ),
  ("v2 LOCAL", binary(0x20, 0x00, []), .unnamed(consumed: 16)),
  ("v2 LOCAL with an address", binary(0x20, 0x11, ipv4Payload), .unnamed(consumed: 28)),
  ("v2 unspecified", binary(0x21, 0x00, [1, 2, 3]), .unnamed(consumed: 19)),
  ("v2 unix", binary(0x21, 0x31, [UInt8](repeating: 0, count: 216)), .unnamed(consumed: 232)),
  ("v2 TCP4 cut short", binary(0x21, 0x11, Array(ipv4Payload.prefix(11))), .malformed),
  ("v2 TCP6 cut short", binary(0x21, 0x21, Array(ipv6Payload.prefix(35))), .malformed),
  ("v2 UDP", binary(0x21, 0x12, ipv4Payload), .malformed),
  ("v2 another version", binary(0x31, 0x11, ipv4Payload), .malformed),
  ("v2 another command", binary(0x22, 0x11, ipv4Payload), .malformed),
  ("v2 too long", binary(0x21, 0x11, ipv4Payload, length: 4097), .malformed),
  ("v2 broken signature", [0x0D, 0x0A, 0x0D, 0x0A, 0x01], .malformed),
]

@Suite struct ProxyPrefaceTests {
  private func matches(_ progress: ProxyPreface.Progress, _ expected: Expected) -> Bool {
    switch (progress, expected) {
    case (.malformed, .malformed): true
    case (.complete(let got, .unnamed), .unnamed(let consumed)): got == consumed
    case (.complete(let got, .address(let peer)), .ipv4(let bits, let consumed)):
      got == consumed && peer == IPAddress(ipv4: bits)
    case (.complete(let got, .address(let peer)), .ipv6(let high, let low, let consumed)):
      got == consumed && peer == IPAddress(ipv6High: high, low: low)
    default: false
    }
  }

  private func parse(_ bytes: some Collection<UInt8>) -> ProxyPreface.Progress {
    withGuarded(bytes) { ProxyPreface.parse($0) }
  }

  @Test(arguments: vectors.indices) func whole(_ index: Int) {
    let vector = vectors[index]
    #expect(matches(parse(vector.bytes), vector.expected), "\(vector.name)")
  }

  @Test(arguments: vectors.indices) func gluedToARequest(_ index: Int) {
    let vector = vectors[index]
    #expect(
      matches(parse(vector.bytes + Array("GET / HTTP/1.1\r\n\r\n".utf8)), vector.expected), "\(vector.name)")
  }

  /// Every shorter part asks for more, or refuses what is to be refused anyway; none is taken for whole.
  @Test(arguments: vectors.indices) func byteByByte(_ index: Int) {
    let vector = vectors[index]
    for count in 0..<vector.bytes.count {
      switch parse(vector.bytes[..<count]) {
      case .needMore: continue
      case .complete: Issue.record("\(vector.name): complete after \(count) bytes")
      case .malformed:
        if case .malformed = vector.expected { continue }
        Issue.record("\(vector.name): malformed after \(count) bytes")
      }
    }
  }
}
