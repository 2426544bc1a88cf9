import HTTPWire
import RegionModel

/// One line a request, if the operator wants it: closed words and numbers, nothing that was sent. Belongs to one
/// loop, which collects lines and hands them over once a turn.
package final class AccessLog {
  private struct Entry {
    var method: RequestMethod?
    var route: Route
    var status: Int
    var decision: Decision?
  }

  private let log: Log
  /// Answers whose time is not known yet.
  private var entries: [Entry] = []
  private var lines: [UInt8] = []
  private var lineCount = 0
  private var second = Int64.min
  private var secondText: [UInt8] = []

  /// A collector of lines for a log.
  package init(_ log: Log) {
    self.log = log
    lines.reserveCapacity(1 << 16)
    entries.reserveCapacity(256)
  }

  /// Notes an answer. Without a method: the request was refused before it was read whole.
  func note(method: RequestMethod?, route: Route, status: Int, decision: Decision?) {
    entries.append(Entry(method: method, route: route, status: status, decision: decision))
  }

  /// Makes lines of the answers noted since the last call, which took so long.
  func finish(nanoseconds: Int64, unixSeconds: Int64) {
    if second != unixSeconds {
      second = unixSeconds
      secondText = Array(Timestamp.text(unixSeconds).utf8)
    }
    for entry in entries { append(entry, microseconds: nanoseconds / 1000) }
    lineCount += entries.count
    entries.removeAll(keepingCapacity: true)
  }

  /// Hands the lines over. Never waits: what the log has no room for is dropped and counted there.
  package func handOver(unixSeconds: Int64) {
    if !entries.isEmpty { finish(nanoseconds: 0, unixSeconds: unixSeconds) }
    guard lineCount > 0 else { return }
    log.append(lines, lineCount: lineCount)
    lines.removeAll(keepingCapacity: true)
    lineCount = 0
  }

  private func append(_ entry: Entry, microseconds: Int64) {
    switch log.format {
    case .json:
      append("{\"time\":\"")
      lines += secondText
      append("\",\"level\":\"info\",\"event\":\"access\"")
    case .text:
      lines += secondText
      append(" info access")
    }
    append("method", entry.method?.name ?? "none")
    append("route", entry.route.name)
    append("status", number: Int64(entry.status))
    if let decision = entry.decision {
      append("bucket", decision.bucket.name)
      append("source", decision.source.name)
      if let reason = decision.reason { append("reason", reason.name) }
    }
    append("microseconds", number: microseconds)
    append(log.format == .json ? "}\n" : "\n")
  }

  private func append(_ key: StaticString, _ word: StaticString) {
    appendKey(key)
    if log.format == .json { append("\"") }
    append(word)
    if log.format == .json { append("\"") }
  }

  private func append(_ key: StaticString, number: Int64) {
    appendKey(key)
    let start = lines.count
    var rest = max(number, 0)
    repeat {
      lines.append(UInt8(0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    lines[start...].reverse()
  }

  private func appendKey(_ key: StaticString) {
    append(log.format == .json ? ",\"" : " ")
    append(key)
    append(log.format == .json ? "\":" : "=")
  }

  private func append(_ text: StaticString) {
    lines.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
