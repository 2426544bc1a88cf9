import TestFixtures
import Testing

@testable import ClientSignal

@Suite struct PercentDecodingTests {
  static func decode(_ text: [UInt8], room count: Int = 64) -> [UInt8]? {
    var room = [UInt8](repeating: 0xAA, count: count)
    return withGuarded(text) { text in
      room.withUnsafeMutableBytes { room in
        PercentDecoding.decode(text, into: room).map { Array(room[..<$0]) }
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("Seoul", "Seoul"), ("S%C3%A3o%20Paulo", "São Paulo"), ("%e4%ba%ac", "京"), ("a+b", "a+b"),
    ("%2541", "%41"), ("%25", "%"), ("100%25%25", "100%%"),
  ])
  func textIsDecodedOnce(text: String, expected: String) {
    #expect(Self.decode(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test(arguments: [
    "%", "%4", "%%", "a%", "%zz", "%4g", "%g4", "% 41", "%-1", "%+1", "%0x", "%u0041", "%4%31",
  ])
  func brokenEncodingIsRefused(text: String) {
    #expect(Self.decode(Array(text.utf8)) == nil)
  }

  @Test func everyPairOfBytesBehindAPercentSign() {
    var values: [UInt8: UInt8] = [:]
    for (value, digit) in zip(UInt8(0)..., "0123456789ABCDEF".utf8) { values[digit] = value }
    for (value, digit) in zip(UInt8(10)..., "abcdef".utf8) { values[digit] = value }
    for high in UInt8.min...(.max) {
      for low in UInt8.min...(.max) {
        let expected = values[high].flatMap { high in values[low].map { high << 4 | $0 } }
        let decoded = Self.decode([UInt8(ascii: "%"), high, low])
        if decoded != expected.map({ [$0] }) { Issue.record("%\(high),\(low)") }
      }
    }
  }

  @Test func theRoomIsNotOverrun() {
    #expect(Self.decode(Array("%41%41".utf8), room: 2) == [0x41, 0x41])
    #expect(Self.decode(Array("%41%41%41".utf8), room: 2) == nil)
    #expect(Self.decode(Array("abc".utf8), room: 2) == nil)
    #expect(Self.decode([], room: 0) == [])
  }
}

@Suite struct UTF8ValidationTests {
  static func isValid(_ bytes: [UInt8]) -> Bool { withGuarded(bytes) { UTF8Validation.isValid($0) } }

  @Test(
    arguments: [
      ([], true), ([0x41], true), ([0x7F], true), ([0xC2, 0x80], true), ([0xDF, 0xBF], true),
      ([0xE0, 0xA0, 0x80], true), ([0xED, 0x9F, 0xBF], true), ([0xEE, 0x80, 0x80], true),
      ([0xEF, 0xBF, 0xBF], true), ([0xF0, 0x90, 0x80, 0x80], true), ([0xF4, 0x8F, 0xBF, 0xBF], true),
      ([0x80], false), ([0xBF], false), ([0xC0, 0x80], false), ([0xC1, 0xBF], false), ([0xC2], false),
      ([0xC2, 0x41], false), ([0xE0, 0x9F, 0xBF], false), ([0xE0, 0xA0], false), ([0xED, 0xA0, 0x80], false),
      ([0xED, 0xBF, 0xBF], false), ([0xF0, 0x8F, 0xBF, 0xBF], false), ([0xF0, 0x90, 0x80], false),
      ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false), ([0xFE], false), ([0xFF], false),
      ([0x41, 0xC3, 0xA9, 0x41], true), ([0x41, 0xC3, 0x41], false), ([0xC3, 0xA9, 0xA9], false),
    ] as [([UInt8], Bool)])
  func sequencesAreWellFormedOrNot(bytes: [UInt8], expected: Bool) {
    #expect(Self.isValid(bytes) == expected)
  }

  @Test func agreesWithTheStandardLibrary() {
    let buffer = GuardedBuffer(capacity: 4)
    func compare(_ bytes: [UInt8]) {
      let isValid = buffer.withBytes(bytes[...]) { UTF8Validation.isValid($0) }
      if isValid != (String(validating: bytes, as: UTF8.self) != nil) { Issue.record("\(bytes)") }
    }
    for first in UInt8.min...(.max) {
      for second in UInt8.min...(.max) { compare([first, second]) }
    }
    // Bytes at the edges of the grammar's ranges, in every order.
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
      0xEE,
      0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for first in edges {
      for second in edges {
        for third in edges {
          compare([first, second, third])
          for fourth in edges where first >= 0xE0 { compare([first, second, third, fourth]) }
        }
      }
    }
  }
}

@Suite struct TextGateTests {
  static func admits(_ bytes: [UInt8]) -> Bool { withGuarded(bytes) { TextGate.admits($0) } }

  @Test func everyASCIIByteButControlsIsAdmitted() {
    for byte in UInt8.min...0x7F { #expect(Self.admits([byte]) == (0x20...0x7E).contains(byte), "\(byte)") }
  }

  @Test func everyScalarOfTwoBytesButC1IsAdmitted() {
    for value in UInt32(0x80)...0x7FF {
      let text = String(Unicode.Scalar(value)!)
      #expect(Self.admits(Array(text.utf8)) == (value >= 0xA0), "\(value)")
    }
  }

  @Test func theLimitIsInBytes() {
    #expect(Self.admits([UInt8](repeating: 0x41, count: 512)))
    #expect(!Self.admits([UInt8](repeating: 0x41, count: 513)))
    #expect(Self.admits(Array(String(repeating: "é", count: 256).utf8)))
    #expect(!Self.admits(Array(String(repeating: "é", count: 256).utf8) + [0x41]))
  }

  @Test func malformedTextIsNot() {
    #expect(!Self.admits([0x41, 0xC3]))
    #expect(!Self.admits([0xED, 0xA0, 0x80]))
  }
}

@Suite struct Base64DecodingTests {
  static func decode(_ text: String, room count: Int = 64) -> [UInt8]? {
    var room = [UInt8](repeating: 0xAA, count: count)
    return withGuarded(text.utf8) { text in
      room.withUnsafeMutableBytes { room in Base64Decoding.decode(text, into: room).map { Array(room[..<$0]) }
      }
    }
  }

  /// RFC 4648 §10, and the two characters that its alphabets differ by.
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
    ("Zm9vYmFy", "foobar"),
  ])
  func vectors(text: String, expected: String) {
    #expect(Self.decode(text) == Array(expected.utf8))
  }

  @Test func wholeAlphabet() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var bits = ""
    for value in 0..<64 {
      let digits = String(value, radix: 2)
      bits += String(repeating: "0", count: 6 - digits.count) + digits
    }
    let expected = stride(from: 0, to: bits.count, by: 8).map { start in
      UInt8(bits.dropFirst(start).prefix(8), radix: 2)!
    }
    #expect(Self.decode(alphabet) == expected)
    for byte in UInt8.min...(.max) where !alphabet.utf8.contains(byte) && byte != UInt8(ascii: "=") {
      let text = [UInt8(ascii: "A"), byte, UInt8(ascii: "A"), UInt8(ascii: "A")]
      var room = [UInt8](repeating: 0, count: 8)
      #expect(
        withGuarded(text) { text in room.withUnsafeMutableBytes { Base64Decoding.decode(text, into: $0) } }
          == nil)
    }
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm9", "Zm9v=", "=", "==", "===", "====", "Z===", "Zg=v", "Zg==Zg==", "Zm9v\n", "Zm 9v",
    "Zm-_", "Zh==", "Zm9=", "Zm9vY===",
  ])
  func otherTextIsRefused(text: String) {
    #expect(Self.decode(text) == nil)
  }

  @Test func theRoomIsNotOverrun() {
    #expect(Self.decode("Zm9v", room: 3) == Array("foo".utf8))
    #expect(Self.decode("Zm9vYmFy", room: 5) == nil)
  }
}
