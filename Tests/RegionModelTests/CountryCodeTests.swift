import FoundationEssentials
import Testing

@testable import RegionModel

@Suite struct CountryCodeTests {
  static let letters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))

  /// Debian's tzdata lists ISO 3166-1's assigned codes; this repository's list has one more, Kosovo's.
  static let assignments = URL(filePath: "/usr/share/zoneinfo/iso3166.tab")
  static var isListInstalled: Bool { FileManager.default.fileExists(atPath: assignments.path) }

  @Test func thereAreAsManyAsAssigned() {
    #expect(CountryCode.all.count == 249 + 1)
    #expect(Set(CountryCode.all).count == CountryCode.all.count)
    #expect(CountryCode.all.map(\.letters) == CountryCode.all.map(\.letters).sorted())
  }

  @Test(.enabled(if: isListInstalled)) func allPairsOfLettersAgreeWithTheTimeZoneDatabase() throws {
    let text = String(decoding: try Data(contentsOf: Self.assignments), as: UTF8.self)
    let assigned = Set(text.split(separator: "\n").filter { $0.first != "#" }.map { String($0.prefix(2)) })
    #expect(assigned.count == 249)
    var pairCount = 0
    for first in Self.letters {
      for second in Self.letters {
        let pair = String(decoding: [first, second], as: UTF8.self)
        #expect((CountryCode(first, second) != nil) == (assigned.contains(pair) || pair == "XK"), "\(pair)")
        pairCount += 1
      }
    }
    #expect(pairCount == CountryCode.indexCount)
  }

  @Test func everyCodeIsOneValueInAnyCase() throws {
    var indices = Set<Int>()
    for code in CountryCode.all {
      let upper = Array(code.letters.utf8)
      let lower = upper.map { $0 | 0x20 }
      #expect(CountryCode(upper[0], upper[1]) == code)
      #expect(CountryCode(lower[0], lower[1]) == code)
      #expect(CountryCode(lower[0], upper[1]) == code)
      #expect(CountryCode(upper[0], lower[1]) == code)
      #expect(CountryCode(code.letters) == code)
      #expect((0..<CountryCode.indexCount).contains(code.index))
      #expect(indices.insert(code.index).inserted)
    }
  }

  @Test func otherBytesAreNoLetters() {
    for byte in UInt8.min...(.max) {
      let isLetter = Self.letters.contains(byte & 0xDF) && byte < 0x80
      // Each letter is part of some code.
      let isAccepted = Self.letters.contains { CountryCode(byte, $0) != nil || CountryCode($0, byte) != nil }
      #expect(isAccepted == isLetter, "\(byte)")
    }
  }

  /// Reserved, transitional and user-assigned codes, markers, and what is not two letters.
  @Test(arguments: [
    "AN", "BU", "CS", "NT", "TP", "YU", "ZR", "AP", "BX", "AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC",
    "TA", "UN",
    "FX", "SU", "UK", "AA", "QM", "QZ", "XA", "XX", "XZ", "ZZ", "T1", "A1", "A2", "O1", "", "K", "KOR", " KR",
    "KR ", "K R",
    "410", "ＫＲ", "??", "--",
  ])
  func othersAreNoCode(text: String) {
    #expect(CountryCode(text) == nil)
  }

  @Test func groups() {
    func letters(_ codes: [CountryCode]) -> Set<String> { Set(codes.map(\.letters)) }
    let outermost: Set<String> = ["AX", "GF", "GP", "MF", "MQ", "RE", "YT"]
    let union = letters(CountryCode.europeanUnion)
    let area = letters(CountryCode.europeanEconomicArea)
    #expect(union.subtracting(outermost).count == 27)
    #expect(union.isSuperset(of: outermost))
    #expect(area.subtracting(outermost).count == 30)
    #expect(area.subtracting(union) == ["IS", "LI", "NO"])
    #expect(CountryCode.europeanEconomicArea.count == area.count)
    #expect(union.isDisjoint(with: ["GB", "CH", "XK", "TR", "UA", "NC", "GL"]))
  }
}
