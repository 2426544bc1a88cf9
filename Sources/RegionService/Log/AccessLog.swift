import HTTPWire
import RegionModel

#if canImport(Glibc)
  import Glibc
#endif

/// One line a request, if the operator wants it: closed words and numbers, nothing that was sent. Belongs to one
/// loop, which collects lines here and hands them over together.
///
/// Whatever of a line is a closed word is rendered once, its time once a second; a line is then a copy and a number.
package final class AccessLog {
  /// Lines are handed over when there are so many bytes of them, or the first is so old.
  package static let handOverBytes = 128 << 10
  package static let handOverMilliseconds: Int64 = 100

  /// What the closed words of a line depend on.
  private struct Kind {
    /// Nil: the request was refused before it was read whole.
    var method: RequestMethod?
    var route: Route
    var status: Int
    var decision: Decision?

    /// All of it as one number, which is never 0.
    @inline(__always)
    var key: UInt64 {
      let request = UInt64(method?.rawValue ?? 0xFF) | UInt64(route.rawValue) << 8 | UInt64(status) << 16
      guard let decision else { return request }
      let reason = decision.reason?.index ?? 0x0F
      return request | UInt64(decision.bucket.index | decision.source.index << 4 | reason << 8 | 1 << 16)
        << 32
    }
  }

  /// The words of a kind, with room for the time in front of them.
  private struct Words {
    var key: UInt64 = 0
    var memory: UnsafeMutableRawPointer?
    var count = 0
    /// The second whose text stands there.
    var second = Int64.min
  }

  /// More than there are kinds: methods, routes, statuses and reasons allow some hundreds.
  private static let placeCount = 4096
  private static let timeBytesMax = 64
  /// Answers whose time is not known yet, at most: more than a full read buffer has requests.
  private static let unfinishedMax = 8192

  private let log: Log
  private let isJSON: Bool
  private let words: UnsafeMutablePointer<Words>
  /// The places of answers whose time is not known yet; each has the words of that answer's kind.
  private let unfinished: UnsafeMutablePointer<UInt16>
  private var unfinishedCount = 0
  private let lines: LineBuffer
  private var second = Int64.min
  private let timeText: UnsafeMutableRawBufferPointer
  private var timeCount = 0
  /// When the first of the lines was made, in monotonic milliseconds.
  private var oldestAt: Int64 = 0

  /// A collector of lines for a log.
  package init(_ log: Log) {
    self.log = log
    isJSON = log.format == .json
    words = .allocate(capacity: Self.placeCount)
    words.initialize(repeating: Words(), count: Self.placeCount)
    unfinished = .allocate(capacity: Self.unfinishedMax)
    lines = LineBuffer(capacity: 2 * Self.handOverBytes)
    timeText = .allocate(byteCount: Self.timeBytesMax, alignment: 8)
  }

  deinit {
    for place in 0..<Self.placeCount { words[place].memory?.deallocate() }
    words.deallocate()
    unfinished.deallocate()
    timeText.deallocate()
  }

  /// Whether lines wait to be handed over.
  package private(set) var isWaiting = false

  /// Notes an answer. Without a method: the request was refused before it was read whole.
  func note(method: RequestMethod?, route: Route, status: Int, decision: Decision?) {
    let kind = Kind(method: method, route: route, status: status, decision: decision)
    let place = place(of: kind)
    if unfinishedCount == Self.unfinishedMax { finish(nanoseconds: 0, unixSeconds: Int64(time(nil))) }
    unfinished[unfinishedCount] = UInt16(truncatingIfNeeded: place)
    unfinishedCount += 1
    isWaiting = true
  }

  /// Where a kind's words are; those that it meets first are rendered.
  private func place(of kind: Kind) -> Int {
    let key = kind.key
    var place = Int((key &* 0x9E37_79B9_7F4A_7C15) >> 52)
    while words[place].key != key {
      if words[place].key == 0 {
        setWords(of: kind, key, at: place)
        break
      }
      place = (place + 1) % Self.placeCount
    }
    return place
  }

  private func setWords(of kind: Kind, _ key: UInt64, at place: Int) {
    let text = render(kind)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.timeBytesMax + text.count, alignment: 1)
    text.withUnsafeBytes {
      (memory + Self.timeBytesMax).copyMemory(from: $0.baseAddress!, byteCount: text.count)
    }
    words[place] = Words(key: key, memory: memory, count: text.count)
  }

  /// The time and the words of a line.
  private func text(at place: Int) -> UnsafeRawBufferPointer {
    let entry = words + place
    let start = entry.pointee.memory! + Self.timeBytesMax - timeCount
    if entry.pointee.second != second {
      start.copyMemory(from: timeText.baseAddress!, byteCount: timeCount)
      entry.pointee.second = second
    }
    return UnsafeRawBufferPointer(start: start, count: timeCount + entry.pointee.count)
  }

  /// Makes lines of the answers noted since the last call, which took so long.
  func finish(nanoseconds: Int64, unixSeconds: Int64) {
    if unfinishedCount == 0 { return }
    if second != unixSeconds { setTime(unixSeconds) }
    let microseconds = max(nanoseconds, 0) / 1000
    for index in 0..<unfinishedCount {
      if !lines.hasRoomForLine { handOver() }
      lines.appendLine(text(at: Int(unfinished[index])), number: microseconds, isJSON: isJSON)
    }
    unfinishedCount = 0
  }

  private func setTime(_ unixSeconds: Int64) {
    second = unixSeconds
    let text = Array(((isJSON ? "{\"time\":\"" : "") + Timestamp.text(unixSeconds)).utf8)
    timeText.copyBytes(from: text)
    timeCount = text.count
  }

  /// Hands the lines over once they are many or old. Never waits: what the log has no room for is dropped and
  /// counted there.
  ///
  /// - Parameter now: in monotonic milliseconds.
  package func handOverIfDue(now: Int64, unixSeconds: Int64) {
    finish(nanoseconds: 0, unixSeconds: unixSeconds)
    if oldestAt == 0 { oldestAt = now }
    if lines.count >= Self.handOverBytes || now - oldestAt >= Self.handOverMilliseconds { handOver() }
  }

  /// Hands the lines over at once.
  package func handOver() {
    oldestAt = 0
    guard lines.count > 0 else { return }
    isWaiting = unfinishedCount > 0
    log.append(lines.bytes, lineCount: lines.lineCount)
    lines.removeAll()
  }

  /// Hands everything over: nothing more will come.
  package func handOverAll(unixSeconds: Int64) {
    finish(nanoseconds: 0, unixSeconds: unixSeconds)
    handOver()
  }

  /// All of a line between its time and the number at its end.
  private func render(_ kind: Kind) -> [UInt8] {
    var text: [UInt8] = []

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
