/// Lines, and records that are yet to become lines, in the order in which they came.
struct LogBatch {
  /// What came one after the other and is of one kind.
  enum Run {
    /// So many bytes of whole lines.
    case lines(Int)
    /// So many records.
    case records(Int)
  }

  private(set) var lines: [UInt8] = []
  private(set) var records: [AccessRecord] = []
  private(set) var runs: [Run] = []

  var isEmpty: Bool { runs.isEmpty }

  /// The memory that it takes, in bytes.
  var byteCount: Int { lines.count + records.count * MemoryLayout<AccessRecord>.stride }

  /// Adds whole lines.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    lines.append(contentsOf: bytes)
    if case .lines(let count)? = runs.last {
      runs[runs.count - 1] = .lines(count + bytes.count)
    } else {
      runs.append(.lines(bytes.count))
    }
  }

  /// Adds records.
  mutating func append(_ others: UnsafeBufferPointer<AccessRecord>) {
    records.append(contentsOf: others)
    if case .records(let count)? = runs.last {
      runs[runs.count - 1] = .records(count + others.count)
    } else {
      runs.append(.records(others.count))
    }
  }

  /// Forgets everything, and keeps memory that is not much for what comes next.
  mutating func removeAll(keptBytesMax: Int) {
    let isKept = byteCount <= keptBytesMax
    lines.removeAll(keepingCapacity: isKept)
    records.removeAll(keepingCapacity: isKept)
    runs.removeAll(keepingCapacity: isKept)
  }
}
