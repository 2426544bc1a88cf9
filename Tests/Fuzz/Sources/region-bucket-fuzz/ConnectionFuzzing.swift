import ClientSignal
import RegionService
import TestFixtures

@testable import RegionServer

/// Whole connections, from the first byte to the last answer: the same answers however the bytes come, and none but
/// those that the service has.
enum ConnectionFuzzing {
  private static let service = snapshot()

  static func check(_ bytes: [UInt8]) {
    var generator = SeededGenerator(seed: bytes.seed)
    // The peer that may speak the PROXY protocol does when its first bytes look like it.
    let isPrefaced =
      bytes.starts(with: Array("PROXY".utf8)) || bytes.starts(with: [0x0D, 0x0A, 0x0D, 0x0A, 0x00])
    for (peer, role) in [(Peer.loopback, ListenerRole.service), (.stranger, .service), (.loopback, .admin)] {
      func feed(_ pieces: [ArraySlice<UInt8>], outputBytes: Int = 1 << 16) -> MemoryConnection {
        let connection = MemoryConnection(
          service, peer: peer, role: role, hasPreface: isPrefaced, outputBytes: outputBytes)
        for piece in pieces where !connection.isAborted { connection.feed(piece) }
        return connection
      }
      let whole = feed([bytes[...]])
      let bytewise = feed(bytes.indices.map { bytes[$0...$0] })
      let split = feed(bytes.cut(using: &generator))
      let answers = withoutContinue(whole.answered)
      for other in [bytewise, split] {
        expect(withoutContinue(other.answered) == answers, "in pieces it is answered as it is whole")
        expect((other.lingers == nil) == (whole.lingers == nil), "in pieces it is closed as it is whole")
        expect(other.isAborted == whole.isAborted, "in pieces it is aborted as it is whole")
      }
      if role == .service {
        let narrow = feed([bytes[...]], outputBytes: 1200)
        expect(narrow.answered == whole.answered, "a small output loses nothing")
      }
      if role == .service { checkAnswers(answers, isClosed: whole.lingers != nil) }
    }
  }

  private static let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Whether a client is told to go on depends on whether its body had come.
  private static func withoutContinue(_ answered: [UInt8]) -> [UInt8] {
    var rest = answered[...]
    var kept: [UInt8] = []
    while let byte = rest.first {
      if byte == interim[0], rest.starts(with: interim) {
        rest = rest.dropFirst(interim.count)
      } else {
        kept.append(byte)
        rest = rest.dropFirst()
      }
    }
    return kept
  }

  /// Every answer is one that there is, whole, and none stands behind the last.
  private static func checkAnswers(_ answered: [UInt8], isClosed: Bool) {
    var rest = answered[...]
    var isLast = false
    while !rest.isEmpty {
      expect(!isLast, "nothing is answered behind the last answer")
      guard let head = takeHead(&rest) else { return expect(false, "an answer has a head") }
      let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
      let words = lines[0].split(separator: " ")
      expect(words[0] == "HTTP/1.1" && Int(words[1]) != nil, "an answer has a status line")
      expect(lines.contains { $0.hasPrefix("Date: ") }, "an answer has a date")
      isLast = lines.contains("Connection: close")
      let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
      guard let length, !rest.isEmpty, !rest.starts(with: Array("HTTP/1.1 ".utf8)) else { continue }
      expect(rest.count >= length, "an answer is whole")
      checkBody(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length)
    }
    expect(!isClosed || isLast || answered.isEmpty, "a closed connection's last answer says so")
  }

  private static func takeHead(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    var index = rest.startIndex
    while index + end.count <= rest.endIndex {
      if rest[index...].starts(with: end) {
        defer { rest = rest[(index + end.count)...] }
        return rest[..<index]
      }
      index += 1
    }
    return nil
  }

  private static func checkBody(_ body: String) {
    let buckets = ["regionalMarket", "otherMarket", "unknown"].map { "{\"bucket\":\"\($0)\"}" }
    let isKnown =
      (buckets + ["ok\n", "ready\n", "not ready\n"]).contains(body)
      || body.hasPrefix("{\"type\":\"about:blank\",\"title\":\"")
    expect(isKnown, "an answer's content is one that there is: \(body.prefix(100))")
  }
}
