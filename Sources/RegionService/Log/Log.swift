import Dispatch
import ServiceConfig
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Lines to a descriptor, written by a queue of its own in batches. Whoever logs never waits: when the sink is slow
/// or gone, lines are dropped and counted. Any thread.
package final class Log: Sendable {
  /// Lines that wait for the sink, at most, in bytes.
  package static let waitingBytesMax = 1 << 20

  /// Memory for lines that is kept for the next ones.
  private static let keptBytesMax = 128 << 10

  private struct Waiting: ~Copyable {
    var bytes: [UInt8] = []
    var isWriting = false
    /// The sink took the beginning of a line and not its end.
    var isTorn = false
  }

  private let descriptor: Int32
  /// How lines look.
  package let format: LineFormat
  private let level: Atomic<UInt8>
  private let dropped = Atomic<Int>(0)
  private let waiting = Mutex(Waiting())
  private let queue = DispatchQueue(label: "log")

  /// A log to an open descriptor, which stays the caller's.
  package init(descriptor: Int32, format: LineFormat, level: LogLevel) {
    self.descriptor = descriptor
    self.format = format
    self.level = Atomic(level.rank)
  }

  /// How many lines were lost since the start.
  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// Changes the level, from the next line on.
  package func setLevel(_ level: LogLevel) { self.level.store(level.rank, ordering: .relaxed) }

  /// Leaves a line, unless its level is too low.
  package func record(_ event: LogEvent) {
    guard event.level.rank >= level.load(ordering: .relaxed) else { return }
    format.line(event, unixSeconds: Int64(time(nil))).withUnsafeBytes { append($0, lineCount: 1) }
  }

  /// Leaves whole lines that somebody else has made.
  package func append(_ lines: UnsafeRawBufferPointer, lineCount: Int) {
    let startsWriting = waiting.withLock { waiting in
      guard waiting.bytes.count + lines.count <= Self.waitingBytesMax else {
        dropped.add(lineCount, ordering: .relaxed)
        return false
      }
      waiting.bytes.append(contentsOf: lines)
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
    // The lines that are being written, and then room for those that will wait.
    var batch: [UInt8] = []
    while true {
      var isTorn = false
      let isDone = waiting.withLock { waiting in
        batch.removeAll(keepingCapacity: batch.capacity <= Self.keptBytesMax)
        swap(&batch, &waiting.bytes)
        isTorn = waiting.isTorn
        if batch.isEmpty { waiting.isWriting = false }
        return batch.isEmpty
      }
      if isDone { return }
      // What a full disk has cut short stays a line of its own.
      if isTorn, writeAll([Self.newline]) < 1 {
        drop(batch[...])
        continue
      }
      let written = writeAll(batch)
      if written < batch.count { drop(batch[written...]) }
      let endsLine = written == 0 || batch[written - 1] == Self.newline
      waiting.withLock { $0.isTorn = !endsLine }
    }
  }

  private static let newline: UInt8 = 0x0A

  private func drop(_ lines: ArraySlice<UInt8>) {
    dropped.add(lines.count { $0 == Self.newline }, ordering: .relaxed)
  }

  /// write(2) until all is out, or the sink is gone or full; how many bytes it took.
  private func writeAll(_ bytes: [UInt8]) -> Int {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
      if count > 0 {
        done += count
      } else if errno == EAGAIN {
        // Somebody made the descriptor non-blocking: wait for room as a blocking one would.
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return done
      }
    }
    return done
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
