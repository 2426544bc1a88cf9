import HTTPWire
import RegionModel

/// One line a request, if the operator wants it: closed words and numbers, nothing that was sent. Belongs to one
/// loop, which collects lines here and hands them over together.
///
/// Whatever of a line is a closed word is rendered once; a line is then three copies and a number.
package final class AccessLog {
  /// Lines are handed over when there are so many bytes of them, or the first is so old.
  package static let handOverBytes = 32 << 10
  package static let handOverMilliseconds: Int64 = 100

  /// What the closed words of a line depend on.
  private struct Kind: Equatable {
    /// Nil: the request was refused before it was read whole.
    var method: RequestMethod?
    var route: Route
    var status: Int
    var decision: Decision?

    /// A place for its words; different kinds may share one, and then take turns.
    var place: Int {
      var mixed = UInt64(method?.rawValue ?? 0xFF) | UInt64(route.rawValue) << 8 | UInt64(status) << 16
      if let decision {
        let reason = decision.reason?.index ?? 0x0F
        mixed |= UInt64(decision.bucket.index | decision.source.index << 4 | reason << 8 | 1 << 16) << 32
      }
      return Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
  }

  private struct Words {
    var kind: Kind
    var bytes: [UInt8]
  }

  private let log: Log
  private let words: UnsafeMutableBufferPointer<Words?>
  /// The places of answers whose time is not known yet; each has the words of that answer's kind.
  private var unfinished: [Int] = []
  private var lines: LineBuffer
  private var second = Int64.min
  private var time: [UInt8] = []
  /// When the first of the lines was made, in monotonic milliseconds.
  private var oldestAt: Int64 = 0

  /// A collector of lines for a log.
  package init(_ log: Log) {
    self.log = log
    words = .allocate(capacity: 256)
    words.initialize(repeating: nil)
    lines = LineBuffer(capacity: 2 * Self.handOverBytes)
    unfinished.reserveCapacity(256)
  }

  deinit {
    words.deinitialize()
    words.deallocate()
    lines.deallocate()
  }

  /// Whether lines wait to be handed over.
  package private(set) var isWaiting = false

  /// Notes an answer. Without a method: the request was refused before it was read whole.
  func note(method: RequestMethod?, route: Route, status: Int, decision: Decision?) {
    let kind = Kind(method: method, route: route, status: status, decision: decision)
    let place = kind.place
    if words[place]?.kind != kind {
      // Answers that wait with the words that were here keep them.
      if unfinished.contains(place) { finish(nanoseconds: 0, unixSeconds: second) }
      words[place] = Words(kind: kind, bytes: render(kind))
    }
    unfinished.append(place)
    isWaiting = true
  }

  /// Makes lines of the answers noted since the last call, which took so long.
  func finish(nanoseconds: Int64, unixSeconds: Int64) {
    if second != unixSeconds {
      second = unixSeconds
      time = Array((log.format == .json ? "{\"time\":\"" : "").utf8) + Array(Timestamp.text(unixSeconds).utf8)
    }
    for place in unfinished {
      if !lines.hasRoomForLine { handOver() }
      lines.append(time)
      lines.append(words[place]!.bytes)
      lines.append(number: max(nanoseconds, 0) / 1000)
      lines.append(log.format == .json ? "}\n" : "\n")
      lines.lineCount += 1
    }
    unfinished.removeAll(keepingCapacity: true)
  }

  /// Hands the lines over once they are many or old. Never waits: what the log has no room for is dropped and
  /// counted there.
  ///
  /// - Parameter now: in monotonic milliseconds.
  package func handOverIfDue(now: Int64, unixSeconds: Int64) {
    if !unfinished.isEmpty { finish(nanoseconds: 0, unixSeconds: unixSeconds) }
    if oldestAt == 0 { oldestAt = now }
    if lines.count >= Self.handOverBytes || now - oldestAt >= Self.handOverMilliseconds { handOver() }
  }

  /// Hands the lines over at once.
  package func handOver() {
    oldestAt = 0
    guard lines.count > 0 else { return }
    isWaiting = !unfinished.isEmpty
    log.append(lines.bytes, lineCount: lines.lineCount)
    lines.removeAll()
  }

  /// All of a line between its time and the number at its end.
  private func render(_ kind: Kind) -> [UInt8] {
    var text: [UInt8] = []
    let isJSON = log.format == .json

    func append(_ part: StaticString) {
      text.append(contentsOf: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
    }
    func appendKey(_ key: StaticString) {
      append(isJSON ? ",\"" : " ")
      append(key)
      append(isJSON ? "\":" : "=")
    }
    func append(_ key: StaticString, _ word: StaticString) {
      appendKey(key)
      if isJSON { append("\"") }
      append(word)
      if isJSON { append("\"") }
    }

    append(isJSON ? "\",\"level\":\"info\",\"event\":\"access\"" : " info access")
    append("method", kind.method?.name ?? "none")
    append("route", kind.route.name)
    appendKey("status")
    text += String(kind.status).utf8
    if let decision = kind.decision {
      append("bucket", decision.bucket.name)
      append("source", decision.source.name)
      if let reason = decision.reason { append("reason", reason.name) }
    }
    appendKey("microseconds")
    return text
  }
}
