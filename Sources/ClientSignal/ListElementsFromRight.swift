import HTTPWire

/// The elements of one line of a comma-separated list (RFC 9110 §5.6.1), last first, empty ones left out.
///
/// From the right because only the right end is trustworthy: whatever a client wrote to the left, an open
/// quotation mark for one, cannot change how the entries that the proxies appended are read.
struct ListElementsFromRight {
  private let line: UnsafeRawBufferPointer
  private let isQuoting: Bool
  /// Where the next element ends; -1 when there is none.
  private var end: Int

  /// - Parameter isQuoting: whether a comma inside a quoted string (RFC 9110 §5.6.4) separates nothing.
  init(_ line: UnsafeRawBufferPointer, isQuoting: Bool) {
    self.line = line
    self.isQuoting = isQuoting
    end = line.count
  }

  /// The next element to the left, white space around it left out.
  mutating func next() -> UnsafeRawBufferPointer? {
    while end >= 0 {
      let start = start(ofElementEndingAt: end)
      let element = FieldSyntax.trimmed(UnsafeRawBufferPointer(rebasing: line[start..<end]))
      end = start - 1
      if !element.isEmpty { return element }
    }
    return nil
  }

  private func start(ofElementEndingAt end: Int) -> Int {
    var isQuoted = false
    var index = end
    while index > 0 {
      let byte = line[index - 1]
      if byte == UInt8(ascii: ","), !isQuoted { return index }
      if isQuoting, byte == UInt8(ascii: "\""), !(isQuoted && isEscaped(at: index - 1)) { isQuoted.toggle() }
      index -= 1
    }
    return 0
  }

  /// Whether an odd number of backslashes stands before a byte.
  private func isEscaped(at index: Int) -> Bool {
    var start = index
    while start > 0, line[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return !(index - start).isMultiple(of: 2)
  }
}
