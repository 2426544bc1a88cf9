#if canImport(Glibc)
  import Glibc
#endif

/// What a log has collected goes to its descriptor through this. It waits for the sink; only the log's queue uses it.
final class LogWriter: @unchecked Sendable {
  /// Records become lines in memory that the nearest caches can hold, and are written as often as it is full.
  private static let bufferBytes = 64 << 10
  private static let newline: UInt8 = 0x0A

  private let descriptor: Int32
  private let format: LineFormat
  // Only for whoever wants access lines.
  private lazy var renderer = AccessLineRenderer(format)
  private lazy var buffer = LineBuffer(capacity: Self.bufferBytes)
  /// The sink took the beginning of a line and not its end.
  private var isTorn = false

  init(descriptor: Int32, format: LineFormat) {
    self.descriptor = descriptor
    self.format = format
  }

  /// Writes all of it, as far as the sink takes it.
  ///
  /// - Returns: how many lines were lost.
  func write(_ batch: borrowing LogBatch) -> Int {
    var lostCount = 0
    var lineStart = 0
    var recordStart = 0
    for run in batch.runs {
      switch run {
      case .lines(let count):
        lostCount += batch.lines.withUnsafeBytes {
          write(UnsafeRawBufferPointer(rebasing: $0[lineStart..<(lineStart + count)]))
        }
        lineStart += count
      case .records(let count):
        lostCount += batch.records.withUnsafeBufferPointer {
          write(UnsafeBufferPointer(rebasing: $0[recordStart..<(recordStart + count)]))
        }
        recordStart += count
      }
    }
    return lostCount
  }

  /// Makes lines of records and writes them; how many were lost.
  private func write(_ records: UnsafeBufferPointer<AccessRecord>) -> Int {
    let renderer = renderer
    let buffer = buffer
    var lostCount = 0
    for record in records {
      if !buffer.hasRoomForLine {
        lostCount += write(buffer.bytes)
        buffer.removeAll()
      }
      renderer.append(record, to: buffer)
    }
    lostCount += write(buffer.bytes)
    buffer.removeAll()
    return lostCount
  }

  /// Writes lines; how many were lost.
  private func write(_ lines: UnsafeRawBufferPointer) -> Int {
    // What a full disk has cut short stays a line of its own.
    if isTorn, withUnsafeBytes(of: Self.newline, { writeAll($0) }) < 1 { return Self.lineCount(lines[...]) }
    let written = writeAll(lines)
    isTorn = written > 0 && lines[written - 1] != Self.newline
    return Self.lineCount(lines[written...])
  }

  private static func lineCount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    bytes.count { $0 == newline }
  }

  /// write(2) until all is out, or the sink is gone or full; how many bytes it took.
  private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
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
