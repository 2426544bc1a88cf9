import Dispatch
import ServiceConfig
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Lines to a descriptor, written by a queue of its own in batches. Whoever logs never waits: when the sink is slow
/// or gone, lines are dropped and counted. Any thread.
package final class Log: Sendable {
  /// What waits for the sink, at most, in bytes.
  static let waitingBytesMax = 1 << 20

  /// Memory that is kept for what comes next.
  private static let keptBytesMax = 128 << 10

  private struct Waiting: ~Copyable {
    var batch = LogBatch()
    var isWriting = false
  }

  private let format: LineFormat
  private let level: Atomic<UInt8>
  private let dropped = Atomic<Int>(0)
  private let waiting = Mutex(Waiting())
  private let queue = DispatchQueue(label: "log")
  private let writer: LogWriter

  /// A log to an open descriptor, which stays the caller's.
  package init(descriptor: Int32, format: LineFormat, level: LogLevel) {
    self.format = format
    writer = LogWriter(descriptor: descriptor, format: format)
    self.level = Atomic(level.rank)
  }

  /// How many lines were lost since the start.
  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// Changes the level, from the next line on.
  package func setLevel(_ level: LogLevel) { self.level.store(level.rank, ordering: .relaxed) }

  /// Leaves a line, unless its level is too low.
  package func record(_ event: LogEvent) {
    guard event.level.rank >= level.load(ordering: .relaxed) else { return }
    format.line(event, unixSeconds: Int64(time(nil))).withUnsafeBytes { line in
      append(byteCount: line.count, lineCount: 1) { $0.append(line) }
    }
  }

  /// Leaves records, of which lines are made later.
  func append(_ records: UnsafeBufferPointer<AccessRecord>) {
    let byteCount = records.count * MemoryLayout<AccessRecord>.stride
    append(byteCount: byteCount, lineCount: records.count) { $0.append(records) }
  }

  private func append(byteCount: Int, lineCount: Int, _ add: (inout LogBatch) -> Void) {
    let startsWriting = waiting.withLock { waiting in
      guard waiting.batch.byteCount + byteCount <= Self.waitingBytesMax else {
        dropped.add(lineCount, ordering: .relaxed)
        return false
      }
      add(&waiting.batch)
      if waiting.isWriting { return false }
      waiting.isWriting = true
      return true
    }
    if startsWriting { queue.async { self.writeWaiting() } }
  }

  /// Waits until everything so far is written, but no longer than so many milliseconds.
  package func flush(millisecondsMax: Int) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(millisecondsMax))
  }

  private func writeWaiting() {
    // What is being written, and then room for what will wait.
    var batch = LogBatch()
    while true {
      batch.removeAll(keptBytesMax: Self.keptBytesMax)
      let isDone = waiting.withLock { waiting in
        swap(&batch, &waiting.batch)
        if batch.isEmpty { waiting.isWriting = false }
        return batch.isEmpty
      }
      if isDone { return }
      dropped.add(writer.write(batch), ordering: .relaxed)
    }
  }
}

extension LogLevel {
  /// The place among all levels.
  fileprivate var rank: UInt8 {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
