import RegionModel
import TestFixtures
import Testing

@testable import ClientSignal

@Suite struct LocationGateTests {
  static func country(_ text: [UInt8], _ gate: LocationGate = LocationGate())
    -> LocationGate.Verdict<CountryCode>
  {
    withGuarded(text) { gate.country($0) }
  }

  static func subdivision(
    _ text: String, of country: String, _ form: LocationGate.SubdivisionForm
  ) -> LocationGate.Verdict<SubdivisionCode> {
    withGuarded(text.utf8) {
      LocationGate(noDataMarkers: ["?"], subdivisionForm: form).subdivision($0, of: CountryCode(country)!)
    }
  }

  static func city(
    _ text: [UInt8], encoding: LocationGate.TextEncoding = .utf8, _ policy: BucketPolicy
  ) -> LocationGate.Verdict<Location.City> {
    withGuarded(text) {
      LocationGate(noDataMarkers: ["?"], cityEncoding: encoding).city(
        $0, of: CountryCode("KR")!, policy: policy)
    }
  }

  /// Every pair of bytes: a value exactly where the model has the code, in each case of letters.
  @Test func everyPairOfBytes() {
    var spellings: [[UInt8]: CountryCode] = [:]
    for code in CountryCode.all {
      let upper = Array(code.letters.utf8)
      for spelling in [
        upper, upper.map { $0 | 0x20 }, [upper[0] | 0x20, upper[1]], [upper[0], upper[1] | 0x20],
      ] {
        spellings[spelling] = code
      }
    }
    var valueCount = 0
    for first in UInt8.min...(.max) {
      for second in UInt8.min...(.max) {
        let isBlank = [first, second].allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let expected: LocationGate.Verdict<CountryCode> =
          isBlank ? .absent : spellings[[first, second]].map { .value($0) } ?? .invalid(.invalid)
        if Self.country([first, second]) != expected { Issue.record("\(first) \(second)") }
        if case .value = expected { valueCount += 1 }
      }
    }
    #expect(valueCount == 4 * CountryCode.all.count)
  }

  @Test(arguments: [" KR", "KR\t", "\t KR \t"])
  func whiteSpaceAroundACountryIsLeftOut(text: String) {
    #expect(Self.country(Array(text.utf8)) == .value(CountryCode("KR")!))
  }

  @Test(arguments: [
    "K", "KOR", "K R", "KR,US", "KR;q=1", "410", "K\u{0}", "ＫＲ", "KR\u{A0}", "Korea", "-", "Unknown",
  ])
  func otherTextIsNoCountry(text: String) {
    #expect(Self.country(Array(text.utf8)) == .invalid(.invalid))
  }

  @Test func markersAreMatchedInAnyCase() {
    let gate = LocationGate(noDataMarkers: ["ZZ", "reserved"], notACountryMarkers: ["T1", "AQ"])
    for text in ["ZZ", "zz", " zZ ", "reserved", "RESERVED", "", " "] {
      #expect(Self.country(Array(text.utf8), gate) == .absent, "\(text)")
    }
    for text in ["T1", "t1", "XX", "ZZZ", "reserve", "AQ", "aq"] {
      #expect(Self.country(Array(text.utf8), gate) == .invalid(.invalid), "\(text)")
    }
  }

  @Test(arguments: [
    ("CA", "US", LocationGate.SubdivisionForm.bare, "CA"), ("ca", "US", .bare, "CA"),
    ("US-CA", "US", .bare, "CA"),
    ("us-ca", "US", .bare, "CA"), ("USCA", "US", .bare, "CA"), ("GBENG", "GB", .bare, "ENG"),
    ("11", "KR", .bare, "11"),
    ("KR-11", "KR", .bare, "11"), ("KR11", "KR", .bare, "11"), ("C", "AR", .bare, "C"),
    ("AR-C", "AR", .bare, "C"),
    // Three characters are a whole code unless the source always writes the country in front.
    ("ARC", "AR", .bare, "ARC"), ("ARC", "AR", .prefixed, "C"), ("USCA", "US", .prefixed, "CA"),
    ("gbeng", "GB", .prefixed, "ENG"), ("KR-11", "KR", .prefixed, "11"), (" CA\t", "US", .bare, "CA"),
  ])
  func subdivisionsAreRead(
    text: String, country: String, form: LocationGate.SubdivisionForm, expected: String
  ) {
    #expect(Self.subdivision(text, of: country, form) == .value(SubdivisionCode(Array(expected.utf8))!))
  }

  @Test(arguments: [
    ("CALI", "US", LocationGate.SubdivisionForm.bare), ("KR-CA", "US", .bare), ("KRCA", "US", .bare),
    ("US-", "US", .bare),
    ("US-CALI", "US", .bare), ("US--CA", "US", .bare), ("USCALI", "US", .bare), ("-CA", "US", .bare),
    ("C A", "US", .bare),
    ("C-A", "US", .bare), ("Ç", "US", .bare), ("US_CA", "US", .bare), ("XX-CA", "US", .bare),
    ("CA", "US", .prefixed), ("US", "US", .prefixed), ("KRCA", "US", .prefixed), ("C", "US", .prefixed),
  ])
  func otherTextsAreNoSubdivision(text: String, country: String, form: LocationGate.SubdivisionForm) {
    #expect(Self.subdivision(text, of: country, form) == .invalid(.invalid))
  }

  @Test func anEmptySubdivisionOrMarkerIsAbsent() {
    for text in ["", " ", "?"] {
      #expect(Self.subdivision(text, of: "US", .bare) == .absent)
      #expect(Self.subdivision(text, of: "US", .prefixed) == .absent)
    }
  }

  @Test(arguments: [
    ("Seoul", LocationGate.TextEncoding.utf8, Location.City.listed), ("SEOUL", .utf8, .listed),
    (" seoul ", .utf8, .listed),
    ("Busan", .utf8, .other), ("서울", .utf8, .listed), ("%EC%84%9C%EC%9A%B8", .percent, .listed),
    ("%ec%84%9c%ec%9a%b8", .percent, .listed), ("%53eoul", .percent, .listed), ("Seoul", .percent, .listed),
    ("서울", .percent, .listed), ("%53eoul", .utf8, .other), ("Seoul", .ascii, .listed),
    ("San%20Juan", .percent, .listed),
    ("San+Juan", .percent, .other), ("San Juan", .percent, .listed),
    // NFD in the header, NFC in the policy.
    ("E\u{301}vora", .utf8, .listed), ("%45%CC%81vora", .percent, .listed),
  ])
  func citiesAreComparedWithThePolicy(
    text: String, encoding: LocationGate.TextEncoding, expected: Location.City
  ) throws {
    let policy = try policy("KR/Seoul", "KR/서울", "KR/San Juan", "KR/\u{C9}vora")
    #expect(Self.city(Array(text.utf8), encoding: encoding, policy) == .value(expected))
  }

  @Test(
    arguments: [
      (Array("%4".utf8), LocationGate.TextEncoding.percent), (Array("Seoul%".utf8), .percent),
      (Array("%zz".utf8), .percent),
      (Array("%00".utf8), .percent), (Array("%0A".utf8), .percent), (Array("%7F".utf8), .percent),
      (Array("%C2%80".utf8), .percent), (Array("%C0%80".utf8), .percent), (Array("%ED%A0%80".utf8), .percent),
      (Array("%FF".utf8), .percent), (Array("%EC%84".utf8), .percent), ([0xEC, 0x84], .utf8),
      ([0xC2, 0x85], .utf8),
      ([0x53, 0x01], .utf8), (Array("서울".utf8), .ascii), ([UInt8](repeating: 0x41, count: 513), .utf8),
      ([UInt8](repeating: 0x41, count: 513), .ascii), ([UInt8](repeating: 0x41, count: 513), .percent),
      (Array("%41".utf8) + [UInt8](repeating: 0x41, count: 512), .percent),
    ] as [([UInt8], LocationGate.TextEncoding)])
  func brokenCitiesAreInvalid(text: [UInt8], encoding: LocationGate.TextEncoding) throws {
    #expect(Self.city(text, encoding: encoding, try policy("KR/Seoul")) == .invalid(.invalid))
  }

  @Test func longCitiesAreRead() throws {
    let longest = [UInt8](repeating: 0x41, count: 512)
    let policy = try policy("KR/" + String(decoding: longest, as: UTF8.self))
    #expect(Self.city(longest, policy) == .value(.listed))
    let encoded = Array(String(repeating: "%41", count: 512).utf8)
    #expect(Self.city(encoded, encoding: .percent, policy) == .value(.listed))
  }

  @Test func emptyCitiesAndMarkersAreAbsent() throws {
    for text in ["", "  ", "?"] {
      #expect(Self.city(Array(text.utf8), encoding: .percent, try policy("KR/Seoul")) == .absent)
    }
  }

  /// What real databases hold where a country belongs.
  @Test(arguments: ["EU", "AP", "CS", "UK", "AN", "??", "A1", "A2", "O1", "XX", "ZZ", "--", "T1", "eu"])
  func valuesOfDatabasesThatAreNoCountry(text: String) throws {
    let outcome = try withGuarded(text.utf8) { bytes in
      LocationGate.database.outcome(
        policy: try policy("KR"), country: .text(bytes), subdivision: { .absent }, city: { .absent })
    }
    #expect(outcome == .invalid(.invalid))
  }

  @Test func aDatabaseWithoutCountryIsNotInDatabase() throws {
    for country in [FieldText.absent, .text(UnsafeRawBufferPointer(start: nil, count: 0))] {
      let outcome = LocationGate.database.outcome(
        policy: try policy("KR"), country: country, subdivision: { .absent }, city: { .absent })
      #expect(outcome == .absent(.notInDatabase))
    }
  }

  @Test func onlyWhatThePolicyNeedsIsAskedFor() throws {
    func asked(_ country: String, _ policy: BucketPolicy) -> [String] {
      var asked: [String] = []
      _ = Array(country.utf8).withUnsafeBytes { bytes in
        LocationGate().outcome(
          policy: policy, country: .text(bytes),
          subdivision: {
            asked.append("subdivision")
            return .absent
          },
          city: {
            asked.append("city")
            return .absent
          })
      }
      return asked
    }
    let policy = try policy("KR/Seoul", "US-CA", "CA-QC", "CA/Toronto", "FR-IDF", "FR", unclassified: "DE")
    #expect(asked("KR", policy) == ["city"])
    #expect(asked("US", policy) == ["subdivision"])
    #expect(asked("CA", policy) == ["subdivision", "city"])
    #expect(asked("FR", policy) == [])
    #expect(asked("DE", policy) == [])
    #expect(asked("JP", policy) == [])
    #expect(asked("XX", policy) == [])
  }
}
