import Testing

@testable import RegionModel

@Suite struct SubdivisionCodeTests {
  @Test(arguments: [
    ("C", "C"), ("CA", "CA"), ("ca", "CA"), ("11", "11"), ("eNg", "ENG"), ("0", "0"), ("00", "00"),
    ("75C", "75C"),
  ])
  func codesAreRead(text: String, characters: String) {
    #expect(SubdivisionCode(Array(text.utf8))?.characters == characters)
  }

  @Test(arguments: ["", "CALI", "C-", "C A", " C", "É", "-", "A_B"])
  func otherTextIsNone(text: String) {
    #expect(SubdivisionCode(Array(text.utf8)) == nil)
  }

  @Test func lengthsAreDifferentCodes() {
    #expect(SubdivisionCode([0x30]) != SubdivisionCode([0x30, 0x30]))
    #expect(SubdivisionCode([0x41]) == SubdivisionCode([0x61]))
    #expect(SubdivisionCode([0x43, 0x41])?.rawValue == 0x4341)
  }

  @Test func everyByte() {
    let characters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    for byte in UInt8.min...(.max) {
      let upper = String(decoding: [byte], as: UTF8.self).uppercased()
      let expected = characters.contains(byte) ? upper : nil
      #expect(SubdivisionCode([byte])?.characters == expected)
      #expect(SubdivisionCode([0x41, byte])?.characters == expected.map { "A" + $0 })
      #expect(SubdivisionCode([byte, 0x41, 0x42])?.characters == expected.map { $0 + "AB" })
    }
  }
}
