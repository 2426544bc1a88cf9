/// Cuts a line into fields (RFC 4180): separated by commas, perhaps in double quotes, blanks around them ignored.
struct CSVFields {
  /// The fields of a line; lent for the call.
  struct Lent {
    fileprivate var text: UnsafeRawBufferPointer
    fileprivate var ranges: [Range<Int>]

    /// How many there are; one at least.
    var count: Int { ranges.count }

    /// The bytes of a field; nil when there is no such field.
    subscript(index: Int) -> UnsafeRawBufferPointer? {
      guard ranges.indices.contains(index) else { return nil }
      return UnsafeRawBufferPointer(rebasing: text[ranges[index]])
    }
  }

  /// Fields behind this many are not looked at.
  static let countMax = 64

  private var ranges: [Range<Int>] = []
  /// The line without its quotes, when it has any.
  private var unquoted: [UInt8] = []

  /// Lends a line's fields.
  ///
  /// - Throws: `InputProblem.badQuoting`, and what `body` throws.
  mutating func split<Result>(
    _ line: UnsafeRawBufferPointer, _ body: (Lent) throws(InputProblem) -> Result
  ) throws(InputProblem) -> Result {
    ranges.removeAll(keepingCapacity: true)
    guard line.index(of: UInt8(ascii: "\"")) != nil else {
      splitPlain(line)
      return try body(Lent(text: line, ranges: ranges))
    }
    try splitQuoted(line)
    return try unquoted.withUnsafeBufferPointer { (text) throws(InputProblem) in
      try body(Lent(text: UnsafeRawBufferPointer(text), ranges: ranges))
    }
  }

  private mutating func splitPlain(_ line: UnsafeRawBufferPointer) {
    var start = 0
    while ranges.count < Self.countMax {
      let end = line.index(of: UInt8(ascii: ","), from: start) ?? line.count
      ranges.append(line.trimmed(start..<end))
      guard end < line.count else { return }
      start = end + 1
    }
  }

  private mutating func splitQuoted(_ line: UnsafeRawBufferPointer) throws(InputProblem) {
    unquoted.removeAll(keepingCapacity: true)
    var position = 0
    while ranges.count < Self.countMax {
      while position < line.count, line[position].isBlank { position += 1 }
      let start = unquoted.count
      if position < line.count, line[position] == UInt8(ascii: "\"") {
        position = try copyQuoted(line, from: position + 1)
        while position < line.count, line[position].isBlank { position += 1 }
        guard position == line.count || line[position] == UInt8(ascii: ",") else { throw .badQuoting }
      } else {
        while position < line.count, line[position] != UInt8(ascii: ",") {
          guard line[position] != UInt8(ascii: "\"") else { throw .badQuoting }
          unquoted.append(line[position])
          position += 1
        }
        while unquoted.count > start, unquoted[unquoted.count - 1].isBlank { unquoted.removeLast() }
      }
      ranges.append(start..<unquoted.count)
      guard position < line.count else { return }
      position += 1
    }
  }

  /// Copies up to the closing quote and returns the place behind it; two quotes stand for one.
  private mutating func copyQuoted(
    _ line: UnsafeRawBufferPointer, from start: Int
  ) throws(InputProblem) -> Int {
    var position = start
    while position < line.count {
      if line[position] == UInt8(ascii: "\"") {
        guard position + 1 < line.count, line[position + 1] == UInt8(ascii: "\"") else { return position + 1 }
        position += 1
      }
      unquoted.append(line[position])
      position += 1
    }
    throw .badQuoting
  }
}
