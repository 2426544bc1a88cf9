import TestFixtures

@testable import HTTPWire

/// Chunked bodies: exactly the body is eaten, however it comes.
enum ChunkFuzzing {
  static func check(_ bytes: [UInt8]) {
    let small = WireLimits(headerSectionBytesMax: 40, fieldCountMax: 2, bodyBytesMax: 32)
    for limits in [WireLimits(), small] { check(bytes, limits) }
    checkMade(bytes)
  }

  private static func check(_ bytes: [UInt8], _ limits: WireLimits) {
    var generator = SeededGenerator(seed: bytes.seed)
    let whole = drop([bytes[...]], limits)
    expect(drop(bytes.indices.map { bytes[$0...$0] }, limits) == whole, "byte by byte it is what it is whole")
    expect(drop(bytes.cut(using: &generator), limits) == whole, "in pieces it is what it is whole")
    switch whole {
    case .needMore: break
    case .rejected: expect(drop([(bytes + [0x30])[...]], limits) == whole, "what follows changes nothing")
    case .complete(let consumed):
      expect(drop([(bytes + Array("0\r\n\r\n".utf8))[...]], limits) == whole, "what follows changes nothing")
      expect(simpleEnd(bytes) == consumed, "a simple reader finds the same end")
    }
  }

  /// A body made of the bytes as its content ends where it was made to end.
  private static func checkMade(_ bytes: [UInt8]) {
    var generator = SeededGenerator(seed: bytes.seed &+ 1)
    var body: [UInt8] = []
    for piece in bytes.cut(using: &generator) where !piece.isEmpty {
      let size = String(piece.count, radix: 16, uppercase: .random(using: &generator))
      body += Array(size.utf8) + (Bool.random(using: &generator) ? Array(" ; a=\"\\\"\"".utf8) : [])
      body += [0x0D, 0x0A] + piece + [0x0D, 0x0A]
    }
    body += Array((Bool.random(using: &generator) ? "0\r\n\r\n" : "00;b\r\nX: y\r\n\r\n").utf8)
    let next = Array("GET / HTTP/1.1\r\n".utf8)
    let pieces = (body + next).cut(using: &generator)
    expect(
      drop(pieces, WireLimits(bodyBytesMax: bytes.count)) == .complete(consumed: body.count), "made body")
  }

  private static func drop(_ pieces: [ArraySlice<UInt8>], _ limits: WireLimits) -> BodyProgress {
    var dropper = BodyDropper(.chunked, limits: limits)
    var before = 0
    for piece in pieces {
      let progress = exactly(piece) { dropper.drop($0) }
      switch progress {
      case .needMore(let consumed):
        expect(consumed == piece.count, "what goes on takes all there is")
        before += consumed
      case .complete(let consumed):
        expect(consumed <= piece.count, "no more is eaten than there was")
        expect(
          exactly(piece) { dropper.drop($0) } == .complete(consumed: 0), "what is complete takes no more")
        return .complete(consumed: before + consumed)
      case .rejected:
        expect(exactly(piece) { dropper.drop($0) } == progress, "a refusal lasts")
        return progress
      }
    }
    return .needMore(consumed: before)
  }

  /// Where a reader that only cuts at line ends has the end of a body; nil when it has none.
  private static func simpleEnd(_ bytes: [UInt8]) -> Int? {
    var rest = bytes[...]
    func line() -> ArraySlice<UInt8>? {
      guard let end = rest.firstIndex(of: 0x0A), end > rest.startIndex, rest[end - 1] == 0x0D else {
        return nil
      }
      defer { rest = rest[(end + 1)...] }
      return rest[..<(end - 1)]
    }
    while let sizeLine = line() {
      let digits = sizeLine.prefix { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      if size == 0 {
        while let trailer = line() { if trailer.isEmpty { return rest.startIndex } }
        return nil
      }
      guard rest.count >= size else { return nil }
      rest = rest.dropFirst(size)
      guard line()?.isEmpty == true else { return nil }
    }
    return nil
  }
}
