import HTTPWire

/// A loop's own copy of the rendered answers, whose `Date` it keeps current. Belongs to one loop.
package final class AnswerWriter {
  private struct Entry {
    var start: Int
    var headCount: Int
    var dateOffset: Int
    var bodyCount: Int
    /// The second that stands in the bytes; an entry is patched when it is used, not each second.
    var dateSeconds: Int64
  }

  private let bytes: UnsafeMutableRawBufferPointer
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let originLines: [[UInt8]]
  private let date = UnsafeMutableRawBufferPointer.allocate(byteCount: HTTPDate.byteCount, alignment: 1)
  private let modeCount = ConnectionMode.allCases.count
  private var dateSeconds = Int64.min

  /// The longest answer with the longest origin line: an output buffer must have as much room.
  package let answerBytesMax: Int

  package init(_ table: AnswerTable) {
    let total = table.rendered.reduce(0) { $0 + $1.head.count + $1.body.count }
    bytes = .allocate(byteCount: total, alignment: 16)
    entries = .allocate(capacity: table.rendered.count)
    var start = 0
    for (index, answer) in table.rendered.enumerated() {
      UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyBytes(from: answer.head)
      UnsafeMutableRawBufferPointer(rebasing: bytes[(start + answer.head.count)...]).copyBytes(
        from: answer.body)
      entries.initializeElement(
        at: index,
        to: Entry(
          start: start, headCount: answer.head.count, dateOffset: answer.dateOffset,
          bodyCount: answer.body.count, dateSeconds: .min))
      start += answer.head.count + answer.body.count
    }
    originLines = table.originLines
    answerBytesMax =
      (table.rendered.map { $0.head.count + $0.body.count }.max() ?? 0)
      + (originLines.map(\.count).max() ?? 0)
  }

  deinit {
    bytes.deallocate()
    entries.deallocate()
    date.deallocate()
  }

  /// Appends an answer; the buffer must have `answerBytesMax` bytes of room.
  ///
  /// - Parameters:
  ///   - origin: the index of the listed origin to name, if any.
  ///   - seconds: the time, since 1970.
  @inline(__always)
  package func write(
    _ answer: Answer, _ mode: ConnectionMode, includesBody: Bool, origin: Int?, seconds: Int64,
    to output: OutputBuffer
  ) {
    let index = answer.index * modeCount + Int(mode.rawValue)
    let entry = entries[index]
    if entry.dateSeconds != seconds { patchDate(index, seconds) }
    let start = bytes.baseAddress! + entry.start
    guard let origin else {
      let count = entry.headCount + (includesBody ? entry.bodyCount : 0)
      output.append(UnsafeRawBufferPointer(start: start, count: count))
      return
    }
    // In front of the empty line that ends the head.
    output.append(UnsafeRawBufferPointer(start: start, count: entry.headCount - 2))
    originLines[origin].withUnsafeBytes { output.append($0) }
    let rest = 2 + (includesBody ? entry.bodyCount : 0)
    output.append(UnsafeRawBufferPointer(start: start + entry.headCount - 2, count: rest))
  }

  private func patchDate(_ index: Int, _ seconds: Int64) {
    if dateSeconds != seconds {
      HTTPDate.write(unixSeconds: seconds, to: date)
      dateSeconds = seconds
    }
    let place = entries[index].start + entries[index].dateOffset
    UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyMemory(from: UnsafeRawBufferPointer(date))
    entries[index].dateSeconds = seconds
  }
}
