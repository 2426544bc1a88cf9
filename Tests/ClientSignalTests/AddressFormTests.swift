import Glibc
import TestFixtures
import Testing

@testable import ClientSignal

@Suite struct AddressFormTests {
  static let v4 = IPAddress(ipv4: 0xC000_0201)
  static let v6 = IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 1)

  @Test(arguments: [
    ("192.0.2.1", v4), ("0.0.0.0", IPAddress(ipv4: 0)), ("255.255.255.255", IPAddress(ipv4: .max)),
    ("2001:db8::1", v6), ("2001:DB8::1", v6), ("2001:0db8:0:0:0:0:0:1", v6),
    ("2001:db8:0:0:0:0:0.0.0.1", v6), ("::", IPAddress(ipv6High: 0, low: 0)),
    ("::1", IPAddress(ipv6High: 0, low: 1)), ("1::", IPAddress(ipv6High: 1 << 48, low: 0)),
    ("1:2:3:4:5:6:7::", IPAddress(ipv6High: 0x1_0002_0003_0004, low: 0x5_0006_0007_0000)),
    ("::2:3:4:5:6:7:8", IPAddress(ipv6High: 0x0000_0002_0003_0004, low: 0x5_0006_0007_0008)),
    // IPv4-mapped and NAT64 are IPv4, in each spelling.
    ("::ffff:192.0.2.1", v4), ("::FFFF:c000:201", v4), ("0:0:0:0:0:ffff:192.0.2.1", v4),
    ("64:ff9b::192.0.2.1", v4), ("64:ff9b::c000:201", v4),
    // Not the mapped prefix, so IPv6.
    ("::192.0.2.1", IPAddress(ipv6High: 0, low: 0xC000_0201)),
    ("64:ff9b:1::1", IPAddress(ipv6High: 0x0064_FF9B_0001_0000, low: 1)),
  ])
  func bareAddressesAreRead(text: String, expected: IPAddress) {
    #expect(address(text, .bare) == expected)
    #expect(address(text, .optionalPort) == expected)
  }

  @Test(arguments: [
    "", " ", ".", ":", ":::", "1", "192.0.2", "192.0.2.", ".192.0.2.1", "192.0.2.1.", "192.0.2.1.5",
    "192..2.1", "192.0.2.256", "192.0.2.01", "192.0.2.00", "0300.0.2.1", "0xC0.0.2.1", "3221225985",
    "192.0.2.1 ", " 192.0.2.1", "192.0.2.1\n", "192.0.2.1\0", "192.0.2.-1", "192.0.2.+1", "１92.0.2.1",
    "2001:db8", "2001:db8::1::", "2001:db8:::1", ":2001:db8::1", "2001:db8::1:", "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "12345::",
    "2001:db8::g", "::192.0.2", "::192.0.2.1:1", "::192.0.2.01", "1:2:3:4:5:6:7:192.0.2.1",
    "::1:2:3:4:5:6:192.0.2.1", "192.0.2.1::", "fe80::1%eth0", "fe80::1%1", "2001:db8::1/64", "localhost",
    "unknown", "_hidden", "-",
  ])
  func otherTextIsNoAddress(text: String) {
    #expect(address(text, .bare) == nil)
    #expect(address(text, .optionalPort) == nil)
  }

  @Test(arguments: [
    ("192.0.2.1:443", v4), ("192.0.2.1:0", v4), ("192.0.2.1:65535", v4), ("192.0.2.1:00080", v4),
    ("[2001:db8::1]", v6), ("[2001:db8::1]:443", v6), ("[::ffff:192.0.2.1]:443", v4),
  ])
  func portsAndBracketsAreReadWhereAllowed(text: String, expected: IPAddress) {
    #expect(address(text, .optionalPort) == expected)
    #expect(address(text, .bare) == nil)
  }

  @Test(arguments: [
    "192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:000080", "192.0.2.1:-1", "192.0.2.1:8a", "192.0.2.1: 80",
    "192.0.2.1:80:80", "[192.0.2.1]", "[192.0.2.1]:80", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]:",
    "[2001:db8::1]:65536", "[2001:db8::1]443", "[2001:db8::1] :443", "[[2001:db8::1]]", "[]", "[]:80", "[",
    "[fe80::1%25eth0]:80", "[2001:db8::1]:80:80", ":80",
  ])
  func brokenPortsAndBracketsAreRefused(text: String) {
    #expect(address(text, .optionalPort) == nil)
  }

  @Test(arguments: [
    ("192.0.2.1:46532", v4), ("2001:db8::1:46532", v6), ("2001:db8:0:0:0:0:0:1:443", v6),
    ("::ffff:192.0.2.1:443", v4),
  ])
  func theLastColonSplitsCloudFrontsForm(text: String, expected: IPAddress) {
    #expect(address(text, .portBehindLastColon) == expected)
  }

  @Test(arguments: [
    "", ":", "192.0.2.1", "192.0.2.1:", "192.0.2.1:65536", "2001:db8::1", "[2001:db8::1]:443",
    "2001:db8:0:0:0:0:0:1", "2001:db8::1:", "2001:db8::1:port", ":443",
  ])
  func cloudFrontsFormAlwaysHasAPort(text: String) {
    #expect(address(text, .portBehindLastColon) == nil)
  }

  @Test func textOverTheLimitIsNotLookedAt() {
    let zeros = "0000:0000:0000:0000:0000:ffff:192.168.100.100"
    #expect(address(zeros) != nil)
    let padded = String(repeating: "0", count: IPAddress.textBytesMax + 1)
    #expect(address(padded, .bare) == nil)
    // The limit's own length is looked at, and refused for what it is.
    #expect(address(String(padded.dropLast())) == nil)
  }

  /// Texts near the grammar's edges: pieces of addresses put together, and addresses with a byte changed.
  static func generated(_ count: Int) -> [String] {
    var generator = SeededGenerator(seed: 1)
    let pieces = [
      ":", "::", ".", "0", "1", "00", "255", "256", "ffff", "FFFF", "12345", "64", "ff9b", "1.2.3.4", "g",
      "01",
      "192.0.2.1", "2001:db8", "fe80::", ":0", ":1", ":2:3", "%",
    ]
    let bytes = Array("0123456789abcdefABCDEF:.:.:.%/ g".utf8)
    return (0..<count).map { round in
      if round.isMultiple(of: 2) {
        return (0..<Int.random(in: 1...9, using: &generator))
          .map { _ in pieces.randomElement(using: &generator)! }.joined()
      }
      var groups = (0..<8).map { _ in
        String(
          UInt16.random(in: 0...(.max), using: &generator) >> UInt16.random(in: 0...15, using: &generator),
          radix: 16)
      }
      if Bool.random(using: &generator) { groups.replaceSubrange(6...7, with: ["10.0.200.9"]) }
      if Bool.random(using: &generator) {
        let start = Int.random(in: 0..<groups.count, using: &generator)
        groups.replaceSubrange(start..<Int.random(in: start...groups.count, using: &generator), with: [""])
      }
      var text = Array(groups.joined(separator: ":").utf8)
      if !text.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
        text[Int.random(in: 0..<text.count, using: &generator)] = bytes.randomElement(using: &generator)!
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  @Test func bareAddressesAreThoseOfGlibc() {
    var acceptedCount = 0
    let texts = Self.generated(40_000)
    for text in texts {
      var ipv4 = in_addr()
      var ipv6 = in6_addr()
      let expected: AddressLiteral? =
        if inet_pton(AF_INET, text, &ipv4) == 1 {
          .ipv4(UInt32(bigEndian: ipv4.s_addr))
        } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
          .ipv6(withUnsafeBytes(of: ipv6) { $0.reduce(0) { $0 << 8 | UInt128($1) } })
        } else {
          nil
        }
      let ours = withGuarded(text.utf8) { AddressLiteral.parse($0) }
      #expect(ours == expected, "\(text)")
      if expected != nil { acceptedCount += 1 }
    }
    // Both answers are common, or the comparison says nothing.
    #expect(acceptedCount > texts.count / 5)
    #expect(acceptedCount < texts.count * 4 / 5)
  }

  @Test func reflectionShowsNothing() {
    #expect(Mirror(reflecting: Self.v4).children.isEmpty)
    var dumped = ""
    dump(Self.v6, to: &dumped)
    #expect(!dumped.contains("2306139568115548160"))
    #expect(!String(describing: Optional(Self.v4)).contains("3221225985"))
  }
}
