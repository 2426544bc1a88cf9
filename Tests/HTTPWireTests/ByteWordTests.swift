import TestFixtures
import Testing

@testable import HTTPWire

/// Eight bytes at a time mean the same as one at a time.
@Suite struct ByteWordTests {
  private func check(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      let word = ByteWord(raw, at: 0)
      let lowercased = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
      #expect(withUnsafeBytes(of: word.lowercased.littleEndian) { $0.elementsEqual(lowercased) }, "\(bytes)")
    }
  }

  @Test func everyByteInEveryLane() {
    HTTPWireTests.everyByteInEveryLane(of: 8) { check($0) }
  }

  @Test func anyBytesInAnyLanes() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<20_000 { check((0..<8).map { _ in UInt8.random(in: 0x1E...0x82, using: &generator) }) }
  }

  @Test(arguments: [
    ("host", "HOST", true), ("content-length", "Content-Length", true),
    ("content-length", "Content_Length", false),
    ("transfer-encoding", "Transfer-Encodinh", false), ("transfer-encoding", "Uransfer-Encoding", false),
    ("transfer-encoding", "TransferXEncoding", false), ("close", "clos", false), ("close", "closed", false),
    ("k@[{", "K`{[", false), ("keep-alive", "KEEP\u{0D}ALIVE", false), ("", "", true),
  ]) func words(_ lowercased: String, _ text: String, _ isMatch: Bool) {
    text.latin1.withUnsafeBytes { bytes in
      lowercased.latin1.withUnsafeBytes { #expect(FieldSyntax.matches(bytes, lowercased: $0) == isMatch) }
    }
  }
}
