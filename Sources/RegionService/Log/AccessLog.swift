import HTTPWire
import RegionModel

#if canImport(Glibc)
  import Glibc
#endif

/// One line a request, if the operator wants it. Belongs to one loop, which only notes what the line is to say, and
/// hands many notes over together: the log makes lines of them on its own queue.
package final class AccessLog {
  /// Records are handed over when there are so many of them, or the first is so old.
  static let handOverCount = 2048
  private static let handOverMilliseconds: Int64 = 100

  /// Answers to one read may be more than are handed over at once, but hardly as many as this.
  private static let recordCountMax = 4 * handOverCount

  private let log: Log
  private let records = UnsafeMutablePointer<AccessRecord>.allocate(capacity: AccessLog.recordCountMax)
  private var count = 0
  /// How many of them know how long their answer took.
  private var finishedCount = 0
  /// When the first of them was made, in monotonic milliseconds.
  private var oldestAt: Int64 = 0

  /// A collector of records for a log.
  package init(_ log: Log) { self.log = log }

  deinit { records.deallocate() }

  /// Whether records wait to be handed over.
  package var isWaiting: Bool { count > 0 }
  /// When they are to be, in monotonic milliseconds; never, if there are none.
  package var handOverDueAt: Int64 { count > 0 ? oldestAt + Self.handOverMilliseconds : .max }

  /// Notes an answer. Without a method: the request was refused before it was read whole.
  func note(method: RequestMethod?, route: Route, status: Int, decision: Decision?) {
    if count == Self.recordCountMax { handOverAll(unixSeconds: Int64(time(nil))) }
    let status = UInt16(truncatingIfNeeded: status)
    (records + count).initialize(
      to: AccessRecord(status: status, method: method, route: route, decision: decision))
    count += 1
  }

  /// Completes the records of answers noted since the last call, which took so long.
  func finish(nanoseconds: Int64, unixSeconds: Int64) {
    let microseconds = UInt32(clamping: nanoseconds / 1000)
    for index in finishedCount..<count {
      records[index].microseconds = microseconds
      records[index].unixSeconds = unixSeconds
    }
    finishedCount = count
  }

  /// Hands the records over once they are many or old. Never waits: what the log has no room for is dropped and
  /// counted there.
  ///
  /// - Parameter now: in monotonic milliseconds.
  package func handOverIfDue(now: Int64, unixSeconds: Int64) {
    finish(nanoseconds: 0, unixSeconds: unixSeconds)
    if oldestAt == 0 { oldestAt = now }
    if count >= Self.handOverCount || now - oldestAt >= Self.handOverMilliseconds {
      handOverAll(unixSeconds: unixSeconds)
    }
  }

  /// Hands everything over at once.
  package func handOverAll(unixSeconds: Int64) {
    finish(nanoseconds: 0, unixSeconds: unixSeconds)
    oldestAt = 0
    guard count > 0 else { return }
    log.append(UnsafeBufferPointer(start: records, count: count))
    count = 0
    finishedCount = 0
  }
}
