import DatabaseBuild

/// A small database of known content, made for tests by the product's own writer.
package struct DatabaseFixture: Sendable {
  /// Networks in CIDR notation with their records; the longest prefix holds.
  package var networks: [(network: String, record: MMDBValue)]
  /// Whether the tree has room for IPv6.
  package var ipVersion = IPVersion.v6
  /// The size of a record of the tree.
  package var recordSize: RecordSize?
  /// The type in the metadata.
  package var databaseType = "Fixture-Country"
  /// The date in the metadata: 2026-01-01.
  package var buildEpoch: UInt64 = 1_767_225_600

  /// A fixture of these networks.
  package init(_ networks: [(network: String, record: MMDBValue)]) { self.networks = networks }

  /// The file's bytes.
  package var bytes: [UInt8] {
    let metadata = DatabaseMetadata(
      databaseType: databaseType, description: "For tests", buildEpoch: buildEpoch, languages: ["en", "ko"])
    var writer = DatabaseWriter(metadata: metadata, ipVersion: ipVersion, recordSize: recordSize)
    do {
      for (network, record) in networks {
        guard let network = Network(network) else { fatalError("\(network) is no network") }
        try writer.insert(record, at: network)
      }
      return try writer.encoded()
    } catch { fatalError("a fixture cannot be made: \(error)") }
  }

  /// Writes the file, in place of one that is there, and returns its path.
  @discardableResult
  package func write(to path: String) -> String {
    do { try AtomicFile.write(bytes, to: path) } catch { fatalError("\(error)") }
    return path
  }

  /// Writes the file into a directory and returns its path.
  package func write(in directory: TemporaryDirectory, _ name: String = "fixture.mmdb") -> String {
    write(to: directory.file(name))
  }

  /// A copy with records of this size.
  package func sized(_ recordSize: RecordSize) -> DatabaseFixture {
    var copy = self
    copy.recordSize = recordSize
    return copy
  }
}

extension DatabaseFixture {
  /// A record with nothing but a country, in the shape of most country databases.
  package static func country(_ code: String) -> MMDBValue { ["country": ["iso_code": .string(code)]] }

  /// Records as MaxMind's country databases have them: nested maps, names in two languages, several countries.
  /// Korea: 168.126.0.0/16, 2001:220::/32. United States: 8.8.8.0/24, 2001:4860::/32. Germany: 217.80.0.0/12.
  package static let country = DatabaseFixture([
    ("168.126.0.0/16", maxMind("KR", 1_835_841, en: "South Korea", ko: "대한민국")),
    ("2001:220::/32", maxMind("KR", 1_835_841, en: "South Korea", ko: "대한민국")),
    ("8.8.8.0/24", maxMind("US", 6_252_001, en: "United States", ko: "미국")),
    ("2001:4860::/32", maxMind("US", 6_252_001, en: "United States", ko: "미국")),
    ("217.80.0.0/12", maxMind("DE", 2_921_044, en: "Germany", ko: "독일")),
  ])

  /// Records as MaxMind's city databases have them. Seoul: 168.126.0.0/16 (subdivision 11), 2001:220::/32.
  /// Los Angeles: 8.8.8.0/24 (CA). Zürich: 217.26.48.0/20 (ZH). A country alone: 217.80.0.0/12 (DE). A city in
  /// Korean alone: 168.126.63.0/24 (부산, 26). Two subdivisions: 212.58.0.0/16 (GB: ENG, then WSM; London).
  package static let city: DatabaseFixture = {
    var fixture = DatabaseFixture([
      ("168.126.0.0/16", place("KR", ["11"], ["en": "Seoul", "ko": "서울"])),
      ("2001:220::/32", place("KR", ["11"], ["en": "Seoul", "ko": "서울"])),
      ("168.126.63.0/24", place("KR", ["26"], ["ko": "부산"])),
      ("8.8.8.0/24", place("US", ["CA"], ["en": "Los Angeles"])),
      ("217.26.48.0/20", place("CH", ["ZH"], ["de": "Zürich", "en": "Zürich"])),
      ("217.80.0.0/12", country("DE")),
      ("212.58.0.0/16", place("GB", ["ENG", "WSM"], ["en": "London"])),
    ])
    fixture.databaseType = "Fixture-City"
    return fixture
  }()

  /// A country where the network is registered (KR), and none, or another one, where it is.
  /// 1.1.1.0/24: registered alone. 1.1.2.0/24: registered, and a country's empty map. 1.1.3.0/24: represented (US)
  /// and registered. 8.8.8.0/24: the country is US.
  package static let registeredOnly = DatabaseFixture([
    ("1.1.1.0/24", ["registered_country": ["iso_code": "KR"]]),
    ("1.1.2.0/24", ["country": [:], "registered_country": ["iso_code": "KR"]]),
    (
      "1.1.3.0/24",
      [
        "registered_country": ["iso_code": "KR"],
        "represented_country": ["iso_code": "US", "type": "military"],
      ]
    ),
    ("8.8.8.0/24", ["country": ["iso_code": "US"], "registered_country": ["iso_code": "KR"]]),
  ])

  /// Records without a country that a reader could take, one kind a network, 1.0.0.0/24 and up: an empty map; a
  /// continent alone; a country without a code; codes that are a number, an array and a map; text for a record; an
  /// empty code.
  package static let missingCountry = DatabaseFixture([
    ("1.0.0.0/24", [:]),
    ("1.0.1.0/24", ["continent": ["code": "AS"]]),
    ("1.0.2.0/24", ["country": ["names": ["en": "South Korea"]]]),
    ("1.0.3.0/24", ["country": ["iso_code": .uint16(0x4B52)]]),
    ("1.0.4.0/24", ["country": ["iso_code": ["KR"]]]),
    ("1.0.5.0/24", ["country": ["iso_code": ["en": "KR"]]]),
    ("1.0.6.0/24", "KR"),
    ("1.0.7.0/24", ["country": ["iso_code": ""]]),
  ])

  /// Codes that are no country, one a network, 1.0.0.0/24 and up, in the order of `notCountryCodes`.
  package static let notCountries = DatabaseFixture(
    notCountryCodes.enumerated().map { ("1.0.\($0.offset).0/24", country($0.element)) })

  /// What the records of `notCountries` hold.
  package static let notCountryCodes = [
    "EU", "AP", "??", "XX", "ZZ", "UK", "CS", "AN", "A1", "A2", "O1", "T1", "K", "KOR", "K\0", "한",
  ]

  /// Countries as flat text (IPinfo): `country`. Korea: 168.126.0.0/16. United States: 8.8.8.0/24.
  package static let flatCountry = DatabaseFixture([
    ("168.126.0.0/16", ["continent": "AS", "country": "KR"]),
    ("8.8.8.0/24", ["continent": "NA", "country": "US"]),
  ])

  /// Flat text with codes of their own name, subdivision and city (IPinfo). Seoul: 168.126.0.0/16.
  /// Los Angeles: 8.8.8.0/24.
  package static let flatCity = DatabaseFixture([
    (
      "168.126.0.0/16",
      ["city": "Seoul", "country": "South Korea", "country_code": "KR", "region_code": "11"]
    ),
    (
      "8.8.8.0/24",
      ["city": "Los Angeles", "country": "United States", "country_code": "US", "region_code": "CA"]
    ),
  ])

  /// A tree without room for IPv6. Korea: 168.126.0.0/16. United States: 8.8.8.0/24.
  package static let ipv4Only: DatabaseFixture = {
    var fixture = DatabaseFixture([("168.126.0.0/16", country("KR")), ("8.8.8.0/24", country("US"))])
    fixture.ipVersion = .v4
    return fixture
  }()

  /// A tree with nothing where IPv4 should be. Korea: 2001:220::/32.
  package static let withoutIPv4 = DatabaseFixture([("2001:220::/32", country("KR"))])

  /// A tree with nothing at all.
  package static let empty = DatabaseFixture([])

  /// No country anywhere, as in a database of networks' operators. 8.8.8.0/24.
  package static let operators: DatabaseFixture = {
    var fixture = DatabaseFixture([
      (
        "8.8.8.0/24",
        ["autonomous_system_number": .uint32(15_169), "autonomous_system_organization": "Google LLC"]
      )
    ])
    fixture.databaseType = "Fixture-ASN"
    return fixture
  }()

  private static func maxMind(_ code: String, _ id: UInt32, en: String, ko: String) -> MMDBValue {
    let country: MMDBValue = [
      "geoname_id": .uint32(id), "is_in_european_union": .bool(code == "DE"), "iso_code": .string(code),
      "names": ["en": .string(en), "ko": .string(ko)],
    ]
    return ["country": country, "registered_country": country]
  }

  private static func place(_ code: String, _ subdivisions: [String], _ names: MMDBValue) -> MMDBValue {
    [
      "city": ["names": names], "country": ["iso_code": .string(code)],
      "location": ["latitude": .double(37.5), "longitude": .double(-127.25)],
      "subdivisions": .array(subdivisions.map { ["iso_code": .string($0)] }),
    ]
  }
}
