/// Eight bytes at a time, each in a lane of a 64-bit word, the first byte in the lowest lane.
struct ByteWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  private let lanes: UInt64

  /// The eight bytes from the index on, all of which must be there.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    lanes = bytes.word(at: index)
  }

  /// Whether something holds for every word of so many bytes, eight at least: it is asked by where a word begins, and
  /// the last one may have some bytes of the one before it.
  @inline(__always)
  static func allSatisfy(_ count: Int, _ holds: (Int) -> Bool) -> Bool {
    let last = count &- 8
    var index = 0
    while index < last {
      guard holds(index) else { return false }
      index &+= 8
    }
    return holds(last)
  }

  /// The eight bytes with ASCII letters in lower case.
  @inline(__always)
  var lowercased: UInt64 {
    let capitals = Self.within(lanes & ~Self.tops, 0x41, 0x5A) & ~lanes
    return lanes | (capitals & Self.tops) &>> 2
  }

  /// The top bit of each lane that is from one value to another; the other bits mean nothing. The lanes come
  /// without their top bits, so that no sum carries into the next lane.
  @inline(__always)
  private static func within(_ lanes: UInt64, _ first: UInt8, _ last: UInt8) -> UInt64 {
    (lanes &+ ones &* UInt64(0x80 - first)) & ~(lanes &+ ones &* UInt64(0x7F - last))
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes from the index on as a number, the first one in its lowest byte; all of them must be there.
  @inline(__always)
  func word<Word: FixedWidthInteger & BitwiseCopyable>(at index: Int) -> Word {
    Word(littleEndian: loadUnaligned(fromByteOffset: index, as: Word.self))
  }

  /// Whether both have the same bytes.
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else { return elementsEqual(other) }
    return ByteWord.allSatisfy(count) { word(at: $0) as UInt64 == other.word(at: $0) }
  }
}
