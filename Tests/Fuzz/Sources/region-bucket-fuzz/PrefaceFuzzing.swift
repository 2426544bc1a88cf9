import Glibc
import RegionModel

@testable import ClientSignal

/// Prefaces of the PROXY protocol: decided at one byte, for good, and the addresses are those that the C library reads.
enum PrefaceFuzzing {
  static func check(_ bytes: [UInt8]) {
    let whole = exactly(bytes) { ProxyPreface.parse($0) }
    var decided: Seen?
    for count in 0...bytes.count {
      let seen = Seen(exactly(bytes[..<count]) { ProxyPreface.parse($0) })
      if let decided {
        expect(seen == decided, "what is decided stays so")
      } else if seen != .needMore {
        if case .complete(let consumed, _) = seen {
          expect(consumed == count, "it is complete at its last byte")
        }
        decided = seen
      }
    }
    expect(Seen(whole) == decided ?? .needMore, "whole it is what it is byte by byte")
    if bytes.first == UInt8(ascii: "P"), case .complete(let consumed, let peer) = whole {
      checkLine(Array(bytes[..<consumed]), peer)
    }
    if bytes.first == 0x0D, case .complete(let consumed, _) = whole {
      expect(consumed == 16 + Int(bytes[14]) << 8 + Int(bytes[15]), "it takes as much as it says")
    }
  }

  private enum Seen: Equatable {
    case needMore, malformed
    case complete(Int, Peer)

    init(_ progress: ProxyPreface.Progress) {
      switch progress {
      case .needMore: self = .needMore
      case .malformed: self = .malformed
      case .complete(let consumed, let peer): self = .complete(consumed, peer)
      }
    }

    static func == (left: Seen, right: Seen) -> Bool {
      switch (left, right) {
      case (.needMore, .needMore), (.malformed, .malformed): true
      case (.complete(let count, let peer), .complete(let otherCount, let otherPeer)):
        count == otherCount && isSame(peer, otherPeer)
      default: false
      }
    }

    private static func isSame(_ left: Peer, _ right: Peer) -> Bool {
      switch (left, right) {
      case (.unnamed, .unnamed), (.unixSocket, .unixSocket): true
      case (.address(let address), .address(let other)): address == other
      default: false
      }
    }
  }

  private static func checkLine(_ line: [UInt8], _ peer: Peer) {
    expect(line.count <= 107 && line.suffix(2) == [0x0D, 0x0A], "a line ends within its limit")
    let words = String(decoding: line.dropLast(2), as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    guard case .address(let address) = peer else {
      let isOfTheMachine =
        words.count == 6 && SystemAddress.parse(words[2]).map(CIDRSet.loopback.contains) == true
      return expect(words[1] == "UNKNOWN" || isOfTheMachine, "nobody is named, or one of the machine itself")
    }
    expect(words.count == 6 && ["TCP4", "TCP6"].contains(words[1]), "a line has six words")
    expect(SystemAddress.parse(words[2]) == address, "the C library reads the same source")
    expect(SystemAddress.parse(words[3]) != nil, "the C library reads the destination")
    for port in words[4...] { expect(UInt16(port).map { String($0) } == String(port), "a port is a number") }
  }
}

/// Addresses as inet_pton(3) reads them.
enum SystemAddress {
  static func parse(_ text: some StringProtocol) -> IPAddress? {
    guard !text.utf8.contains(0) else { return nil }
    var ipv4 = in_addr()
    if inet_pton(AF_INET, String(text), &ipv4) == 1 { return IPAddress(ipv4: UInt32(bigEndian: ipv4.s_addr)) }
    var ipv6 = in6_addr()
    guard inet_pton(AF_INET6, String(text), &ipv6) == 1 else { return nil }
    return withUnsafeBytes(of: &ipv6) { bytes in
      IPAddress(
        ipv6High: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}
