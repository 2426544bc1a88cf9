/// Whole lines in memory that is taken once. Belongs to one loop.
final class LineBuffer {
  /// Longer than any line: its words are of closed sets.
  static let lineBytesMax = 512

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

  func append(_ text: UnsafeRawBufferPointer) {
    precondition(count + text.count <= capacity)
    if text.isEmpty { return }
    (start + count).copyMemory(from: text.baseAddress!, byteCount: text.count)
    count += text.count
  }

  func endLine(_ text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    lineCount += 1
  }

  /// A number of up to twenty digits, which is not negative.
  func append(number: Int64) {
    var rest = number
    var digitCount = 1
    while rest >= 10 {
      rest /= 10
      digitCount += 1
    }
    precondition(count + digitCount <= capacity)
    rest = number
    for place in (count..<count + digitCount).reversed() {
      start.storeBytes(of: UInt8(0x30 + rest % 10), toByteOffset: place, as: UInt8.self)
      rest /= 10
    }
    count += digitCount
  }

  func removeAll() {
    count = 0
    lineCount = 0
  }

  deinit { start.deallocate() }
}
