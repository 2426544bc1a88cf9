import Testing

@testable import RegionModel

@Suite struct CityNameTests {
  static func matches(_ name: String, _ text: String) throws -> Bool {
    let name = try #require(CityName(name))
    return Array(text.utf8).withUnsafeBytes { name.matches($0) }
  }

  @Test(arguments: [
    ("Seoul", "Seoul"), ("Seoul", "SEOUL"), ("seoul", "sEoUl"), ("New York", "NEW YORK"), ("서울", "서울"),
    ("São Paulo", "SÃO PAULO"), ("São Paulo", "sa\u{303}o paulo"), ("Sa\u{303}o Paulo", "São Paulo"),
    ("Gießen", "GIESSEN"), ("GIESSEN", "gießen"), ("Gießen", "Gießen"), ("Αθήνας", "ΑΘΉΝΑΣ"),
    ("ΑΘΉΝΑΣ", "Αθήνας"),
    ("Āzīƶ", "ĀZĪƵ"), ("St. John's", "ST. JOHN'S"), ("İzmir", "İZMIR"), ("K", "\u{212A}"),
  ])
  func spellingsOfOneName(name: String, text: String) throws {
    #expect(try Self.matches(name, text))
  }

  @Test(arguments: [
    ("Seoul", "Seou"), ("Seoul", "Seoull"), ("Seoul", "Séoul"), ("Seoul", " Seoul"), ("Seoul", ""),
    ("São Paulo", "Sao Paulo"),
    ("서울", "서"), ("@", "`"), ("[", "{"), ("a-b", "a\rb"), ("İzmir", "izmir"), ("Seoul", "Seoul, KR"),
  ])
  func otherNames(name: String, text: String) throws {
    #expect(try !Self.matches(name, text))
  }

  @Test(arguments: [
    "", " ", " Seoul", "Seoul ", "Se\u{0}ul", "Seoul\n", "Seo\u{7F}ul", "Seo\u{80}ul", "Seo\u{9F}ul", "\t",
  ])
  func textsThatNoHeaderCouldMatchAreNone(text: String) {
    #expect(CityName(text) == nil)
  }

  @Test func theLimitIsInBytes() {
    #expect(CityName(String(repeating: "a", count: 512)) != nil)
    #expect(CityName(String(repeating: "a", count: 513)) == nil)
    #expect(CityName(String(repeating: "é", count: 256)) != nil)
    #expect(CityName(String(repeating: "é", count: 257)) == nil)
  }

  /// The way for ASCII and the way for other text say the same.
  @Test func bothWaysAgreeOnASCII() throws {
    for byte in UInt8(0x21)...0x7E {
      let text = String(decoding: [byte], as: UTF8.self)
      for other in UInt8(0x21)...0x7E {
        let otherText = String(decoding: [other], as: UTF8.self)
        let isSame = CityName.fold(text) == CityName.fold(otherText)
        if try Self.matches(text, otherText) != isSame { Issue.record("\(text) \(otherText)") }
      }
    }
  }
}
