import TestFixtures
import Testing

@testable import DatabaseBuild

@Suite struct MMDBDecoderTests {
  private static func hex(_ text: String) -> [UInt8] {
    text.split(separator: " ").map { UInt8($0, radix: 16)! }
  }

  @Test(arguments: MMDBEncodingTests.scalars)
  func reversesTheEncoder(_ value: MMDBValue, _ bytes: String) throws {
    let decoded = try MMDBDecoder.value(in: Self.hex(bytes))
    // Not by `==`, for which -0.0 is 0.0.
    #expect(try DataSection.encoded(decoded) == Self.hex(bytes))
    #expect(decoded == value)
  }

  @Test func followsPointersOfEverySize() throws {
    var section = DataSection()
    let korea: MMDBValue = ["country": ["iso_code": "KR"]]
    var offsets: [(Int, MMDBValue)] = []
    // Filling puts shared values behind each of the limits, 2048 and 526,336.
    for (number, filling) in [0, 3000, 600_000, 10].enumerated() {
      let shared: MMDBValue = ["shared": .string("value \(number) of some length")]
      let pad = MMDBValue.bytes([UInt8](repeating: UInt8(number), count: filling))
      for value: MMDBValue in [["pad": pad], ["a": shared, "b": shared, "c": korea], ["d": shared]] {
        offsets.append((try section.offset(of: value), value))
      }
    }
    let controls = Set(section.bytes.filter { $0 >> 5 == 1 }.map { $0 >> 3 & 3 })
    #expect(controls.isSuperset(of: [0, 1, 2]))
    for (offset, value) in offsets { #expect(try MMDBDecoder.value(in: section.bytes, at: offset) == value) }
    // The widest one by hand: nothing here is 128 MiB long.
    #expect(try MMDBDecoder.value(in: Self.hex("38 00 00 00 05 41 4b")) == "K")
    #expect(try MMDBDecoder.value(in: Self.hex("3f 00 00 00 05 41 4b")) == "K")
  }

  static let refused: [(String, MMDBDecodingError)] = [
    ("", .outOfBounds), ("42 4b", .outOfBounds), ("5d", .outOfBounds), ("5e 00", .outOfBounds),
    ("5f ff ff ff", .outOfBounds), ("e1", .outOfBounds), ("e1 41 61", .outOfBounds),
    ("ff ff ff ff", .outOfBounds),
    ("1f 04 ff ff ff", .outOfBounds), ("c2 01", .outOfBounds), ("20", .outOfBounds), ("20 05", .outOfBounds),
    ("38 ff ff ff ff", .outOfBounds), ("28 00 00", .outOfBounds),
    ("20 02 20 04 41 61", .pointerToPointer), ("20 00", .pointerToPointer),
    ("00 00", .badType), ("00 09", .badType), ("00 ff", .badType), ("00 05", .badType), ("00 06", .badType),
    ("a3 00 00 00", .badSize), ("c5 00 00 00 00 00", .badSize), ("05 01 00 00 00 00 00", .badSize),
    ("09 02 00 00 00 00 00 00 00 00 00", .badSize), ("67 00 00 00 00 00 00 00", .badSize),
    ("03 08 00 00 00", .badSize), ("02 07", .badSize),
    ("41 ff", .notUTF8), ("42 c0 af", .notUTF8), ("43 ed a0 80", .notUTF8), ("e1 41 ff a0", .notUTF8),
    ("e1 a0 a0", .keyIsNoString), ("e1 e0 a0", .keyIsNoString),
    // A map that holds itself.
    ("e1 41 61 20 00", .tooComplex),
    // Arrays in arrays.
    (String(repeating: "01 04 ", count: 40) + "a0", .tooComplex),
  ]

  @Test(arguments: refused)
  func refuses(_ bytes: String, _ error: MMDBDecodingError) {
    #expect(throws: error) { try MMDBDecoder.value(in: Self.hex(bytes)) }
  }

  @Test func boundsWhatPointersRepeat() {
    // Each array names the one before it ten times: ten to the ninth values in a hundred bytes or so.
    var section: [UInt8] = [0xA0]
    var target: UInt8 = 0
    for _ in 0..<9 {
      let here = UInt8(section.count)
      section += [0x0A, 0x04] + (0..<10).flatMap { _ in [0x20, target] }
      target = here
    }
    #expect(throws: MMDBDecodingError.tooComplex) { try MMDBDecoder.value(in: section, at: Int(target)) }
  }

  @Test func boundsTheTextThatPointersRepeat() {
    // 40,000 times a text of 30,000 bytes would be more than a gigabyte.
    let section = Self.hex("5e 74 13") + [UInt8](repeating: 0x61, count: 30_000) + Self.hex("1e 04 9b 23")
    let pointers = [UInt8](repeating: 0x20, count: 80_000).enumerated().map {
      $0.offset % 2 == 0 ? $0.element : 0
    }
    let error = #expect(throws: MMDBDecodingError.self) {
      _ = try MMDBDecoder.value(in: section + pointers, at: 30_003)
    }
    #expect(error == .tooComplex)
  }

  @Test func survivesAnyBytes() {
    var generator = SeededGenerator(seed: 4)
    let start = (try? DataSection.encoded(["a": ["b", .uint32(7), .double(1), ["c": "d"]]])) ?? []
    for _ in 0..<20_000 {
      var bytes = start
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0 ... .max, using: &generator)
      }
      // Whatever it says, it says it: no crash, no endless work.
      _ = try? MMDBDecoder.value(in: bytes)
    }
  }
}
