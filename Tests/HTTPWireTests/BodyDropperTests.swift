import TestFixtures
import Testing

@testable import HTTPWire

/// One rule, tried with one body.
struct BodyVector: CustomTestStringConvertible {
  /// What is to come of it: the end stands where the text ends, or a refusal with its status.
  enum Expected: Equatable {
    case complete
    case refused(Rejection, Int)
    case incomplete
  }

  let section: String
  /// `▲` stands behind the byte at which a refusal is certain.
  let text: String
  let expected: Expected
  let limits: WireLimits

  init(_ section: String, _ text: String, _ expected: Expected, limits: WireLimits = WireLimits()) {
    self.section = section
    self.text = text
    self.expected = expected
    self.limits = limits
  }

  var testDescription: String { "\(section): \(text.debugDescription.prefix(120))" }
}

@Suite struct BodyDropperTests {
  private static let buffer = 1 << 17

  /// Feeds the bytes in pieces that end at the counts; what came of it, and after how many bytes.
  private func feed(
    _ bytes: [UInt8], upTo counts: some Sequence<Int>, _ framing: BodyFraming, _ limits: WireLimits
  ) -> (BodyProgress, Int) {
    let buffer = GuardedBuffer(capacity: Self.buffer)
    var dropper = BodyDropper(framing, limits: limits)
    var start = 0
    for end in counts {
      let progress = buffer.withBytes(bytes[start..<end]) { dropper.drop($0) }
      switch progress {
      case .needMore(let consumed):
        #expect(consumed == end - start)
        start = end
      case .complete(let consumed):
        let again = buffer.withBytes(bytes[end...]) { dropper.drop($0) }
        #expect(again == .complete(consumed: 0), "what is complete takes no more")
        return (.complete(consumed: start + consumed), end)
      case .rejected:
        let again = buffer.withBytes(bytes[end...]) { dropper.drop($0) }
        #expect(again == progress, "a refusal lasts")
        return (progress, end)
      }
    }
    return (.needMore(consumed: start), start)
  }

  private func check(_ vector: BodyVector, _ framing: BodyFraming, sourceLocation: SourceLocation) {
    let bytes = vector.text.replacing("▲", with: "").latin1
    let decisive = vector.text.firstRange(of: "▲").map { vector.text[..<$0.lowerBound].latin1.count }
    let (whole, _) = feed(bytes, upTo: [bytes.count], framing, vector.limits)
    switch vector.expected {
    case .complete: #expect(whole == .complete(consumed: bytes.count), sourceLocation: sourceLocation)
    case .incomplete: #expect(whole == .needMore(consumed: bytes.count), sourceLocation: sourceLocation)
    case .refused(let rejection, let status):
      #expect(whole == .rejected(rejection), sourceLocation: sourceLocation)
      #expect(rejection.status == status, sourceLocation: sourceLocation)
      #expect("\(rejection.rfcSection)" == vector.section, sourceLocation: sourceLocation)
    }
    let (bytewise, count) = feed(bytes, upTo: 0...bytes.count, framing, vector.limits)
    #expect(bytewise == whole, sourceLocation: sourceLocation)
    #expect(count == decisive ?? bytes.count, sourceLocation: sourceLocation)
    var generator = SeededGenerator(seed: UInt64(bytes.count))
    for _ in 0..<20 {
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator) }
      let (split, _) = feed(bytes, upTo: cuts.sorted() + [bytes.count], framing, vector.limits)
      #expect(split == whole, sourceLocation: sourceLocation)
    }
    guard vector.expected != .incomplete else { return }
    let glued = bytes + "GET / HTTP/1.1\r\n".latin1
    #expect(
      feed(glued, upTo: [glued.count], framing, vector.limits).0 == whole, sourceLocation: sourceLocation)
  }

  @Test func noBodyIsCompleteAtOnce() {
    for framing in [BodyFraming.none, .length(0)] {
      #expect(feed([], upTo: [0], framing, WireLimits()).0 == .complete(consumed: 0))
      #expect(feed([0x47], upTo: [1], framing, WireLimits()).0 == .complete(consumed: 0))
    }
  }

  @Test(arguments: [
    (BodyVector("RFC 9112 §6.2", "hello", .complete), 5),
    (BodyVector("RFC 9112 §6.2", "\r\n\0\u{FF}", .complete), 4),
    (BodyVector("RFC 9112 §6.2", "hello", .incomplete), 6),
  ]) func lengths(_ vector: BodyVector, _ length: Int) {
    check(vector, .length(length), sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    BodyVector("RFC 9112 §7.1", "0\r\n\r\n", .complete),
    BodyVector("RFC 9112 §7.1", "0000000000000000\r\n\r\n", .complete),
    BodyVector("RFC 9112 §7.1", "5\r\nhello\r\n0\r\n\r\n", .complete),
    BodyVector(
      "RFC 9112 §7.1", "1\r\na\r\n00A\r\n0123456789\r\n0b\r\n\r\n\0\u{FF}56789ab\r\n0\r\n\r\n", .complete),
    BodyVector("RFC 9112 §7.1", "5\r\n0\r\n\r\n\r\n0\r\n\r\n", .complete),
    BodyVector("RFC 9112 §7.1", "5\r\nhel", .incomplete),
    BodyVector("RFC 9112 §7.1", "5\r\nhello\r\n", .incomplete),
    BodyVector("RFC 9112 §7.1", "0\r\n", .incomplete),
    BodyVector("RFC 9112 §7.1", "\r▲\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", " ▲5\r\nhello", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", ";▲a\r\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "+▲5\r\nhello", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "-▲5\r\nhello", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "0x▲5\r\nhello", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "5_▲0\r\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "g▲\r\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "5,▲5\r\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "00000000000000000▲", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §7.1", "5\r\nhelloX▲", .refused(.missingChunkEnd, 400)),
    BodyVector("RFC 9112 §7.1", "5\r\nhello0▲\r\n\r\n", .refused(.missingChunkEnd, 400)),
    BodyVector("RFC 9112 §7.1", "5\r\nhello\r\n\r▲\n", .refused(.invalidChunkSize, 400)),
    BodyVector("RFC 9112 §2.2", "5\n▲hello", .refused(.bareLF, 400)),
    BodyVector("RFC 9112 §2.2", "5\rh▲ello", .refused(.bareCR, 400)),
    BodyVector("RFC 9112 §2.2", "5\r\nhello\n▲", .refused(.bareLF, 400)),
    BodyVector("RFC 9112 §2.2", "5\r\nhello\rX▲", .refused(.bareCR, 400)),
    BodyVector("RFC 9112 §2.2", "0\r\n\n▲", .refused(.bareLF, 400)),
    BodyVector("RFC 9112 §2.2", "0\r\n\rX▲", .refused(.bareCR, 400)),
  ]) func chunks(_ vector: BodyVector) { check(vector, .chunked, sourceLocation: #_sourceLocation) }

  private static func accepted(_ chunkExtension: String) -> BodyVector {
    BodyVector("RFC 9112 §7.1.1", "1\(chunkExtension)\r\na\r\n0\(chunkExtension)\r\n\r\n", .complete)
  }

  private static func refused(_ line: String) -> BodyVector {
    BodyVector("RFC 9112 §7.1.1", "5\(line)\r\nhello", .refused(.invalidChunkExtension, 400))
  }

  @Test(
    arguments: [
      ";a", ";a=b", ";a;b;c=d", " ; a = b", "\t;\ta\t=\tb\t;c", ";a=\"\"", ";a=\"b;c,=\"", ";a=\"\\\"\\\\\"",
      ";a=\"\u{E9}\t \"", ";a=\"b\" ;c", ";a ;b",
    ].map { accepted($0) }) func extensions(_ vector: BodyVector)
  {
    check(vector, .chunked, sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    refused(" \r▲"), refused("\t\r▲"), refused(" 5▲"), refused(";\r▲"), refused("; \r▲"), refused(";;▲a"),
    refused(";=▲b"), refused(";a=\r▲"), refused(";a= \r▲"), refused(";a=;▲"), refused(";a \r▲"),
    refused(";a b▲"),
    refused(";a=b \r▲"), refused(";a=b=▲c"), refused(";a=b c▲"), refused(";a=\"b\r▲"), refused(";a=\"\\\r▲"),
    refused(";a=\"b\"c▲"), refused(";a=\"b\" \r▲"), refused(";a=\"\0▲"), refused(";a=\"\\\0▲"),
    refused(";a=\"\u{7F}▲"),
    refused(";\u{E9}▲"), refused(";a=\u{E9}▲"), refused(";a\0▲"), refused(";a=b\"▲"),
    BodyVector("RFC 9112 §2.2", "5;a\n▲hello", .refused(.bareLF, 400)),
    BodyVector("RFC 9112 §2.2", "5;a=\"\n▲hello", .refused(.bareLF, 400)),
    BodyVector("RFC 9112 §2.2", "5;a\rh▲ello", .refused(.bareCR, 400)),
    BodyVector(
      "RFC 9112 §7.1.1", "1;" + String(repeating: "x", count: 4095) + "\r\na\r\n0\r\n\r\n", .complete),
    BodyVector(
      "RFC 9112 §7.1.1", "1;" + String(repeating: "x", count: 4095) + "x▲\r\na\r\n0\r\n\r\n",
      .refused(.chunkExtensionsTooLong, 413)),
    BodyVector(
      "RFC 9112 §7.1.1", String(repeating: "1;a=bcdefghijklmn\r\na\r\n", count: 256) + "0;▲\r\n\r\n",
      .refused(.chunkExtensionsTooLong, 413)),
  ]) func badExtensions(_ vector: BodyVector) { check(vector, .chunked, sourceLocation: #_sourceLocation) }

  private static let small = WireLimits(headerSectionBytesMax: 20, fieldCountMax: 2, bodyBytesMax: 32)

  @Test(arguments: [
    BodyVector("RFC 9112 §7.1.2", "0\r\nX: y\r\nZ:\r\n\r\n", .complete),
    BodyVector("RFC 9112 §7.1.2", "0\r\nContent-Length: 5\r\nHost: b\r\n\r\n", .complete),
    BodyVector("RFC 9112 §5.1", "0\r\nX ▲: y\r\n\r\n", .refused(.spaceBeforeColon, 400)),
    BodyVector("RFC 9112 §5.2", "0\r\nX: y\r\n ▲z\r\n\r\n", .refused(.obsoleteFolding, 400)),
    BodyVector("RFC 9112 §2.2", "0\r\n ▲X: y\r\n\r\n", .refused(.whitespaceBeforeFirstField, 400)),
    BodyVector("RFC 9110 §5.5", "0\r\nX: \0▲\r\n\r\n", .refused(.badFieldValueByte, 400)),
    BodyVector("RFC 9110 §5.1", "0\r\n(▲: y\r\n\r\n", .refused(.badFieldNameByte, 400)),
    BodyVector("RFC 6585 §5", "0\r\nA:\r\nB:\r\n\r\n", .complete, limits: small),
    BodyVector("RFC 6585 §5", "0\r\nA:\r\nB:\r\nC▲:\r\n\r\n", .refused(.tooManyFields, 431), limits: small),
    BodyVector("RFC 6585 §5", "0\r\nA: 4567890123456\r\n\r\n", .complete, limits: small),
    BodyVector(
      "RFC 6585 §5", "0\r\nA: 45678901234567\r\n\r▲\n", .refused(.headerSectionTooLarge, 431), limits: small),
    BodyVector(
      "RFC 6585 §5", "0\r\nA: 45678901234567890▲1\r\n", .refused(.headerSectionTooLarge, 431), limits: small),
  ]) func trailers(_ vector: BodyVector) { check(vector, .chunked, sourceLocation: #_sourceLocation) }

  @Test(arguments: [
    BodyVector(
      "RFC 9110 §15.5.14", "20\r\n" + String(repeating: "a", count: 32) + "\r\n0\r\n\r\n", .complete),
    BodyVector("RFC 9110 §15.5.14", "21▲\r\n", .refused(.bodyTooLarge, 413)),
    BodyVector("RFC 9110 §15.5.14", "FF▲FFFFFFFFFFFFFF\r\n", .refused(.bodyTooLarge, 413)),
    BodyVector("RFC 9110 §15.5.14", "10\r\n0123456789abcdef\r\n11▲\r\n", .refused(.bodyTooLarge, 413)),
    BodyVector(
      "RFC 9110 §15.5.14", String(repeating: "1\r\na\r\n", count: 32) + "1▲\r\na\r\n",
      .refused(.bodyTooLarge, 413)),
  ]) func contentLimit(_ vector: BodyVector) {
    let limited = BodyVector(vector.section, vector.text, vector.expected, limits: Self.small)
    check(limited, .chunked, sourceLocation: #_sourceLocation)
  }
}
