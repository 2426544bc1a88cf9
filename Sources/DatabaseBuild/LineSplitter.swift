/// Cuts text that comes in pieces into lines, numbered from 1.
///
/// Lines end with LF or CR LF, the last perhaps with neither. A byte order mark (UTF-8) before the first is
/// skipped. Nothing is kept of a line that is too long.
struct LineSplitter {
  /// A line.
  enum Line {
    /// The bytes without the line's end; lent for the call.
    case text(UnsafeRawBufferPointer)
    /// A line over `bytesMax`.
    case tooLong
  }

  /// The longest line, without its end.
  static let bytesMax = 4096

  /// Receives the lines with their numbers.
  typealias Consumer<Failure: Error> = (_ line: Line, _ number: Int) throws(Failure) -> Void

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The number of the last line given out.
  private(set) var number = 0
  /// The bytes so far of a line whose end has not come yet, those of one that is too long included.
  private(set) var unfinishedBytes = 0
  /// The start of a line whose end has not come yet.
  private var kept: [UInt8] = []
  /// One byte for a CR, three for a byte order mark: `emit` is the judge of the rest.
  private var isTooLong: Bool { unfinishedBytes > Self.bytesMax + 1 + Self.byteOrderMark.count }

  /// Takes a piece and gives out the lines that it completes.
  mutating func feed<Failure>(_ piece: UnsafeRawBufferPointer, _ consume: Consumer<Failure>) throws(Failure) {
    var rest = piece
    while let end = rest.index(of: UInt8(ascii: "\n")) {
      try finishLine(UnsafeRawBufferPointer(rebasing: rest[..<end]), consume)
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }
    keep(rest)
  }

  /// Gives out the last line when it lacks an end.
  mutating func finish<Failure>(_ consume: Consumer<Failure>) throws(Failure) {
    if unfinishedBytes > 0 { try finishLine(UnsafeRawBufferPointer(start: nil, count: 0), consume) }
  }

  private mutating func finishLine<Failure>(_ tail: UnsafeRawBufferPointer, _ consume: Consumer<Failure>)
    throws(Failure)
  {
    number += 1
    if unfinishedBytes == 0 { return try emit(tail, consume) }
    keep(tail)
    if isTooLong {
      try consume(.tooLong, number)
    } else {
      try kept.withUnsafeBufferPointer { (line) throws(Failure) in
        try emit(UnsafeRawBufferPointer(line), consume)
      }
    }
    kept.removeAll(keepingCapacity: true)
    unfinishedBytes = 0
  }

  private func emit<Failure>(_ line: UnsafeRawBufferPointer, _ consume: Consumer<Failure>) throws(Failure) {
    var start = 0
    var end = line.count
    if end > 0, line[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    if number == 1, line.starts(with: Self.byteOrderMark) { start = Self.byteOrderMark.count }
    if end - start > Self.bytesMax {
      try consume(.tooLong, number)
    } else {
      try consume(.text(UnsafeRawBufferPointer(rebasing: line[start..<end])), number)
    }
  }

  private mutating func keep(_ part: UnsafeRawBufferPointer) {
    unfinishedBytes += part.count
    if isTooLong { kept.removeAll(keepingCapacity: true) } else { kept.append(contentsOf: part) }
  }
}
