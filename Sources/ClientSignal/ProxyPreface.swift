/// The preface of the PROXY protocol, versions 1 and 2: what a balancer of layer 4 says of the connection that it
/// passes on, in front of that connection's own bytes.
///
/// A pure function of the bytes so far. It vouches for an address and for no HTTP header. A source on the balancer's
/// own machine is nobody's address elsewhere, and names nobody: loopback addresses are trusted because whoever has one
/// connects from this machine, which a preface cannot show.
package enum ProxyPreface {
  /// What came of looking at the first bytes of a connection.
  package enum Progress: Sendable {
    /// Nothing wrong so far, and not complete.
    case needMore
    /// The preface takes so many bytes and names this peer; the connection's own bytes follow.
    case complete(consumed: Int, peer: Peer)
    /// No preface, or a broken one: nothing may be answered on this connection.
    case malformed
  }

  /// The longest line of version 1, with its CRLF.
  static let lineBytesMax = 107
  /// Addresses and extensions of version 2. The protocol allows 64 KiB; real ones take some hundred bytes.
  static let payloadBytesMax = 4096

  private static let headerBytes = 16
  private static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"
  private static let word: StaticString = "PROXY "

  /// Looks at a connection from its first byte on.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Progress {
    guard let first = bytes.first else { return .needMore }
    return first == 0x0D ? parseBinary(bytes) : parseLine(bytes)
  }

  private static func isPrefix(_ bytes: UnsafeRawBufferPointer, of text: StaticString) -> Bool {
    let count = min(bytes.count, text.utf8CodeUnitCount)
    return (0..<count).allSatisfy { bytes[$0] == text.utf8Start[$0] }
  }

  // MARK: Version 1

  private static func parseLine(_ bytes: UnsafeRawBufferPointer) -> Progress {
    guard isPrefix(bytes, of: word) else { return .malformed }
    let visible = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, lineBytesMax)])
    guard let lineFeed = visible.firstIndex(of: 0x0A) else {
      return visible.count < lineBytesMax ? .needMore : .malformed
    }
    guard lineFeed > word.utf8CodeUnitCount, visible[lineFeed - 1] == 0x0D else { return .malformed }
    let line = UnsafeRawBufferPointer(rebasing: visible[word.utf8CodeUnitCount..<(lineFeed - 1)])
    guard let peer = peer(ofLine: line) else { return .malformed }
    return .complete(consumed: lineFeed + 1, peer: peer)
  }

  /// `TCP4 SOURCE DESTINATION PORT PORT`, the same with TCP6, or UNKNOWN and anything behind it.
  private static func peer(ofLine line: UnsafeRawBufferPointer) -> Peer? {
    let parts = line.split(separator: 0x20, maxSplits: 5, omittingEmptySubsequences: false)
    guard let family = parts.first else { return nil }
    if family.elementsEqual("UNKNOWN".utf8) { return .unnamed }
    let isIPv4 = family.elementsEqual("TCP4".utf8)
    guard isIPv4 || family.elementsEqual("TCP6".utf8), parts.count == 5, isPort(parts[3]), isPort(parts[4]),
      let source = address(parts[1], isIPv4: isIPv4), address(parts[2], isIPv4: isIPv4) != nil
    else { return nil }
    return peer(at: source)
  }

  private static func peer(at source: IPAddress) -> Peer {
    CIDRSet.loopback.contains(source) ? .unnamed : .address(source)
  }

  /// An address of the family that the line names: dots for TCP4, colons for TCP6.
  private static func address(_ text: Slice<UnsafeRawBufferPointer>, isIPv4: Bool) -> IPAddress? {
    guard text.contains(UInt8(ascii: ":")) != isIPv4 else { return nil }
    return IPAddress(UnsafeRawBufferPointer(rebasing: text), form: .bare)
  }

  private static func isPort(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard (1...5).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    if text.count > 1, text.first == 0x30 { return false }
    return text.reduce(0) { $0 * 10 + Int($1) - 0x30 } <= 65_535
  }

  // MARK: Version 2

  private static func parseBinary(_ bytes: UnsafeRawBufferPointer) -> Progress {
    guard isPrefix(bytes, of: signature) else { return .malformed }
    guard bytes.count >= headerBytes else { return .needMore }
    let command = bytes[12]
    let length = Int(bytes[14]) << 8 | Int(bytes[15])
    guard command >> 4 == 2, command & 0xF <= 1, length <= payloadBytesMax else { return .malformed }
    let total = headerBytes + length
    guard bytes.count >= total else { return .needMore }
    // LOCAL: the balancer itself, checking on us. What else it says does not count.
    if command & 0xF == 0 { return .complete(consumed: total, peer: .unnamed) }
    switch bytes[13] {
    case 0x11:
      guard length >= 12 else { return .malformed }
      return .complete(consumed: total, peer: peer(at: IPAddress(ipv4: load(bytes, 16))))
    case 0x21:
      guard length >= 36 else { return .malformed }
      let high = UInt64(load(bytes, 16)) << 32 | UInt64(load(bytes, 20))
      let low = UInt64(load(bytes, 24)) << 32 | UInt64(load(bytes, 28))
      return .complete(consumed: total, peer: peer(at: IPAddress(ipv6High: high, low: low)))
    // Unspecified, a Unix-domain socket on the balancer's machine, or UDP, which cannot be.
    case 0x00, 0x31, 0x32: return .complete(consumed: total, peer: .unnamed)
    default: return .malformed
    }
  }

  private static func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
