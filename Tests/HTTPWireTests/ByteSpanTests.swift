import TestFixtures
import Testing

@testable import HTTPWire

/// Sixteen bytes at a time mean the same as one at a time.
@Suite struct ByteSpanTests {
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  private static let name = Set("\(letters)-".utf8)
  private static let host = Set("\(letters)0123456789-.".utf8)
  private static let path = Set("\(letters)0123456789-./".utf8)

  /// The spans from the given place to the end, in memory that ends there.
  private func check(_ bytes: [UInt8], from start: Int = 0) {
    let rest = bytes[start...]
    bytes.withUnsafeBytes { raw in
      let range = start..<bytes.count
      #expect(ByteSpan.name(raw, range) == rest.prefix { Self.name.contains($0) }.count, "\(bytes)")
      #expect(ByteSpan.host(raw, range) == rest.prefix { Self.host.contains($0) }.count, "\(bytes)")
      #expect(ByteSpan.path(raw, range) == rest.prefix { Self.path.contains($0) }.count, "\(bytes)")
      #expect(
        ByteSpan.printable(raw, range) == rest.prefix { $0 >= 0x20 && $0 != 0x7F }.count, "\(bytes)")
    }
  }

  /// What comes after the first that is of another kind does not count, wherever they stand.
  @Test func everyByteInEveryLane() {
    HTTPWireTests.everyByteInEveryLane(of: 16) { check($0) }
  }

  /// Around the ends of whole blocks, and where there is none.
  @Test func everyLength() {
    for count in 1...50 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: 0x7A, count: count)
        check(bytes, from: place)
        bytes[place] = 0x0D
        check(bytes)
      }
    }
  }

  @Test func anyBytesInAnyLanes() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...40, using: &generator)
      check((0..<count).map { _ in UInt8.random(in: 0x1E...0x82, using: &generator) })
    }
  }
}
