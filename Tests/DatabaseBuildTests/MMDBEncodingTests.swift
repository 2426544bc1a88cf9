import Testing

@testable import DatabaseBuild

/// The data section's format, byte by byte, against the format's own text (2.0) and its reference readers' tests.
@Suite struct MMDBEncodingTests {
  private static func hex(_ text: String) -> [UInt8] {
    text.split(separator: " ").map { UInt8($0, radix: 16)! }
  }

  static let scalars: [(MMDBValue, String)] = [
    (.string(""), "40"), (.string("A"), "41 41"), (.string("US"), "42 55 53"),
    (.string("한국"), "46 ed 95 9c ea b5 ad"),
    (.bytes([]), "80"), (.bytes([0, 255]), "82 00 ff"),
    (.double(0), "68 00 00 00 00 00 00 00 00"), (.double(-0.0), "68 80 00 00 00 00 00 00 00"),
    (.double(3.14159265359), "68 40 09 21 fb 54 44 2e ea"),
    (.double(.infinity), "68 7f f0 00 00 00 00 00 00"),
    (.float(1.1), "04 08 3f 8c cc cd"), (.float(-9999.99), "04 08 c6 1c 3f f6"),
    (.uint16(0), "a0"), (.uint16(255), "a1 ff"), (.uint16(500), "a2 01 f4"), (.uint16(.max), "a2 ff ff"),
    (.uint32(0), "c0"), (.uint32(500), "c2 01 f4"), (.uint32(10872), "c2 2a 78"),
    (.uint32(16_777_215), "c3 ff ff ff"), (.uint32(.max), "c4 ff ff ff ff"),
    (.int32(0), "00 01"), (.int32(-1), "04 01 ff ff ff ff"), (.int32(255), "01 01 ff"),
    (.int32(-255), "04 01 ff ff ff 01"), (.int32(.max), "04 01 7f ff ff ff"),
    (.int32(.min), "04 01 80 00 00 00"),
    (.uint64(0), "00 02"), (.uint64(500), "02 02 01 f4"), (.uint64(.max), "08 02 ff ff ff ff ff ff ff ff"),
    (.uint128(0), "00 03"), (.uint128(500), "02 03 01 f4"),
    (.uint128(1 << 64), "09 03 01 00 00 00 00 00 00 00 00"),
    (.uint128(.max), "10 03 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"),
    (.bool(false), "00 07"), (.bool(true), "01 07"),
    (.map([]), "e0"), (.array([]), "00 04"),
    (["en": "Foo"], "e1 42 65 6e 43 46 6f 6f"), (["Foo", "人"], "02 04 43 46 6f 6f 43 e4 ba ba"),
  ]

  @Test(arguments: scalars)
  func encodes(_ value: MMDBValue, _ bytes: String) throws {
    #expect(try DataSection.encoded(value) == Self.hex(bytes))
  }

  /// Where the size classes meet, and the examples of the format's text.
  static let sizes: [(Int, String)] = [
    (0, "40"), (28, "5c"), (29, "5d 00"), (30, "5d 01"), (80, "5d 33"), (284, "5d ff"), (285, "5e 00 00"),
    (500, "5e 00 d7"), (13_392, "5e 33 33"), (65_820, "5e ff ff"), (65_821, "5f 00 00 00"),
    (70_000, "5f 00 10 53"), (3_421_264, "5f 33 33 33"), (16_843_036, "5f ff ff ff"),
  ]

  @Test(arguments: sizes)
  func encodesSizes(_ size: Int, _ control: String) throws {
    var bytes: [UInt8] = []
    try MMDBEncoding.appendControl(.string, size: size, to: &bytes)
    #expect(bytes == Self.hex(control))
    // Behind the type's own byte when the type is an extended one.
    var extended: [UInt8] = []
    try MMDBEncoding.appendControl(.array, size: size, to: &extended)
    #expect(extended == [bytes[0] & 0x1F, 4] + bytes.dropFirst())
  }

  @Test func refusesWhatNoSizeCanSay() {
    var bytes: [UInt8] = []
    #expect(throws: DatabaseWriterError.valueTooLarge) {
      try MMDBEncoding.appendControl(.string, size: 16_843_037, to: &bytes)
    }
    #expect(bytes.isEmpty)
  }

  static let pointers: [(Int, String)] = [
    (0, "20 00"), (5, "20 05"), (10, "20 0a"), (1023, "23 ff"), (2047, "27 ff"),
    (2048, "28 00 00"), (3017, "28 03 c9"), (524_283, "2f f7 fb"), (526_335, "2f ff ff"),
    (526_336, "30 00 00 00"), (134_744_063, "37 ff ff ff"),
    (134_744_064, "38 08 08 08 00"), (2_147_483_647, "38 7f ff ff ff"), (4_294_967_295, "38 ff ff ff ff"),
  ]

  @Test(arguments: pointers)
  func encodesPointers(_ offset: Int, _ encoded: String) throws {
    var bytes: [UInt8] = []
    try MMDBEncoding.appendPointer(to: offset, to: &bytes)
    #expect(bytes == Self.hex(encoded))
    #expect(bytes.count == MMDBEncoding.pointerByteCount(to: offset))
  }

  @Test func refusesPointersBeyondFourGibibytes() {
    var bytes: [UInt8] = []
    #expect(throws: DatabaseWriterError.dataSectionTooLarge) {
      try MMDBEncoding.appendPointer(to: 1 << 32, to: &bytes)
    }
  }

  @Test func writesEachValueOnce() throws {
    var section = DataSection()
    let korea: MMDBValue = ["country": ["iso_code": "KR"]]
    #expect(try section.offset(of: korea) == 0)
    #expect(try section.offset(of: korea) == 0)
    // Its inner map stands at 9: a record that is that map needs no bytes of its own.
    #expect(try section.offset(of: ["iso_code": "KR"]) == 9)
    let written = "e1 47 63 6f 75 6e 74 72 79 e1 48 69 73 6f 5f 63 6f 64 65 42 4b 52"
    #expect(section.bytes == Self.hex(written))
    // Keys become pointers; `US` is new; a third value of two letters is no longer than a pointer to it.
    #expect(try section.offset(of: ["country": ["iso_code": "US"], "is": "US", "to": "US"]) == 22)
    let second = "e3 20 01 e1 20 0a 42 55 53 42 69 73 20 1c 42 74 6f 20 1c"
    #expect(section.bytes == Self.hex(written + " " + second))
  }

  @Test func doesNotTakeEqualNumbersForOneValue() throws {
    var section = DataSection()
    let zeros: [MMDBValue] = [
      [.double(0)], [.double(-0.0)], [.uint16(0)], [.uint32(0)], [.float(0)], [.bool(false)],
    ]
    let offsets = try zeros.map { try section.offset(of: $0) }
    #expect(Set(offsets).count == zeros.count)
  }

  static let nodes: [(RecordSize, Int, Int, String)] = [
    (.bits24, 0x123456, 0xABCDEF, "12 34 56 ab cd ef"),
    (.bits28, 0x1234567, 0x89ABCDE, "23 45 67 18 9a bc de"),
    (.bits28, 0xFFFFFFF, 0, "ff ff ff f0 00 00 00"), (.bits28, 0, 0xFFFFFFF, "00 00 00 0f ff ff ff"),
    (.bits32, 0x1234_5678, 0x9ABC_DEF0, "12 34 56 78 9a bc de f0"),
  ]

  @Test(arguments: nodes)
  func encodesNodes(_ size: RecordSize, _ left: Int, _ right: Int, _ encoded: String) {
    var bytes: [UInt8] = []
    size.appendNode(left: left, right: right, to: &bytes)
    #expect(bytes == Self.hex(encoded))
    #expect(bytes.count == size.nodeByteCount)
  }

  @Test func choosesTheSmallestRecordSize() {
    let edges: [(Int, RecordSize?)] = [
      (0, .bits24), (0xFF_FFFF, .bits24), (0x100_0000, .bits28), (0xFFF_FFFF, .bits28),
      (0x1000_0000, .bits32),
      (0xFFFF_FFFF, .bits32), (0x1_0000_0000, nil),
    ]
    for (value, size) in edges { #expect(RecordSize.smallest(holding: value) == size) }
  }
}
