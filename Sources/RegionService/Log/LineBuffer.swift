/// Whole lines in memory that is taken once. Belongs to one loop.
final class LineBuffer {
  /// Longer than any line: its words are of closed sets.
  static let lineBytesMax = 512
  /// What is left of a line for its text: a number has twenty digits at most.
  static let textBytesMax = lineBytesMax - 22

  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  private(set) var count = 0
  private(set) var lineCount = 0

  init(capacity: Int) {
    precondition(capacity >= Self.lineBytesMax)
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 64)
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
  var hasRoomForLine: Bool { capacity - count >= Self.lineBytesMax }

  /// A line of a text, a number that is not negative, and what ends it. There must be room for a line.
  func appendLine(_ text: UnsafeRawBufferPointer, number: Int64, isJSON: Bool) {
    precondition(text.count <= Self.textBytesMax && hasRoomForLine)
    var end = start + count
    end.copyMemory(from: text.baseAddress!, byteCount: text.count)
    end += text.count
    var digitCount = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      digitCount += 1
    }
    rest = number
    for place in (0..<digitCount).reversed() {
      end.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 + rest % 10), toByteOffset: place, as: UInt8.self)
      rest /= 10
    }
    end += digitCount
    if isJSON {
      end.storeBytes(of: UInt8(ascii: "}"), as: UInt8.self)
      end += 1
    }
    end.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    count = end + 1 - start
    lineCount += 1
  }

  func removeAll() {
    count = 0
    lineCount = 0
  }

  deinit { start.deallocate() }
}
