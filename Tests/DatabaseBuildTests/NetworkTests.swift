import TestFixtures
import Testing

@testable import DatabaseBuild

@Suite struct NetworkTests {
  static let accepted: [(String, String)] = [
    ("0.0.0.0/0", "0.0.0.0-255.255.255.255"), ("1.2.3.0/24", "1.2.3.0-1.2.3.255"),
    ("255.255.255.255", "255.255.255.255-255.255.255.255"), ("1.2.3.4/32", "1.2.3.4-1.2.3.4"),
    ("::/0", "0:0:0:0:0:0:0:0-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("::", "0:0:0:0:0:0:0:0-0:0:0:0:0:0:0:0"), ("::1/128", "0:0:0:0:0:0:0:1-0:0:0:0:0:0:0:1"),
    ("2001:db8::/32", "2001:db8:0:0:0:0:0:0-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:DB8::/032", "2001:db8:0:0:0:0:0:0-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("::ffff:1.2.3.0/120", "1.2.3.0-1.2.3.255"), ("::ffff:1.2.3.4", "1.2.3.4-1.2.3.4"),
    ("::ffff:0:0/96", "0.0.0.0-255.255.255.255"),
    ("::fffe:0:0/95", "0:0:0:0:0:fffe:0:0-0:0:0:0:0:ffff:ffff:ffff"),
    (
      "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.254/127",
      "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    ),
  ]

  @Test(arguments: accepted)
  func accepts(_ text: String, _ range: String) throws {
    let network = try #require(Network(text))
    #expect(
      "\(addressText(network.family, network.first))-\(addressText(network.family, network.last))" == range)
  }

  static let refused: [(String, InputProblem)] = [
    ("", .badNetwork), ("/", .badNetwork), ("1.2.3/24", .badNetwork), ("1.2.3.4.5", .badNetwork),
    ("256.0.0.0/8", .badNetwork), ("010.0.0.0/8", .badNetwork), ("0x1.0.0.0/8", .badNetwork),
    ("1.2.3.4 /32", .badNetwork), ("1.2.3.4\0", .badNetwork), ("1", .badNetwork), (":", .badNetwork),
    (":::/8", .badNetwork), ("1::2::3", .badNetwork), ("12345::/16", .badNetwork),
    ("fe80::1%lo", .badNetwork),
    ("[::1]", .badNetwork), ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.2555", .badNetwork),
    ("1.2.3.4/", .badPrefixLength), ("1.2.3.4/33", .badPrefixLength), ("1.2.3.4/+8", .badPrefixLength),
    ("::/129", .badPrefixLength), ("::/0000", .badPrefixLength), ("::/8/8", .badPrefixLength),
    ("1.2.3.5/31", .bitsBeyondPrefix), ("0.0.0.1/0", .bitsBeyondPrefix),
    ("2001:db8::1/32", .bitsBeyondPrefix),
  ]

  @Test(arguments: refused)
  func refuses(_ text: String, _ problem: InputProblem) {
    var copy = text
    let result = copy.withUTF8 { bytes in
      Result { () throws(InputProblem) in try NetworkText.network(UnsafeRawBufferPointer(bytes)) }
    }
    #expect(result == .failure(problem))
    #expect(Network(text) == nil)
  }

  @Test func refusesPartsOutOfRange() {
    #expect(Network(.ipv4, first: 0, prefixLength: 33) == nil)
    #expect(Network(.ipv4, first: 0, prefixLength: -1) == nil)
    #expect(Network(.ipv4, first: 1 << 32, prefixLength: 32) == nil)
    #expect(Network(.ipv6, first: 1, prefixLength: 127) == nil)
  }

  @Test func cutsRangesIntoTheFewestNetworks() {
    var generator = SeededGenerator(seed: 2)
    var ranges = [
      AddressRange(family: .ipv4, first: 0, last: 0xFFFF_FFFF),
      AddressRange(family: .ipv6, first: 0, last: .max),
      AddressRange(family: .ipv6, first: .max, last: .max), AddressRange(family: .ipv4, first: 0, last: 0),
      AddressRange(family: .ipv6, first: 1, last: .max),
    ]
    for _ in 0..<500 {
      let ends = (0..<2).map { _ in UInt128.random(in: 0...UInt128(UInt16.max), using: &generator) }
      ranges.append(AddressRange(family: .ipv4, first: ends.min()!, last: ends.max()!))
    }
    for range in ranges {
      let blocks = Network.blocks(range)
      #expect(blocks.first?.first == range.first)
      #expect(blocks.last?.last == range.last)
      for (left, right) in zip(blocks, blocks.dropFirst()) {
        #expect(left.last + 1 == right.first)
        // Two halves of one network would be one too many.
        let areHalves =
          left.prefixLength == right.prefixLength
          && Network(range.family, first: left.first, prefixLength: left.prefixLength - 1) != nil
        #expect(!areHalves)
      }
    }
  }
}
