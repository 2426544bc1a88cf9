import ClientSignal
import Glibc
import RegionModel
import TestFixtures
import Testing

@testable import GeoLookup

/// Damaged databases are refused, or answer: never a crash, endless work or memory without bounds.
@Suite struct DamageTests {
  /// In a process of its own, which has little memory beyond what it starts with: a crash, or memory that it cannot
  /// have, ends that one and fails the test.
  @Test(.timeLimit(.minutes(10))) func tenThousandDamagedDatabases() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      DamageTests.limitMemory()
      print(try DamageTests.damage(count: 10_000).line)
    }
    let line = String(decoding: result.standardOutputContent, as: UTF8.self)
    let counts = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    try #require(counts.count == 4, "\(line)")
    let (refused, opened, known, unknown) = (counts[0], counts[1], counts[2], counts[3])
    #expect(refused + opened == 10_000)
    // The damage is neither always fatal nor never seen, and what was opened was looked up.
    #expect(refused > 1_000 && opened > 1_000 && known > 1_000 && unknown > 1_000, "\(line)")
  }

  struct Tally {
    var refused = 0
    var opened = 0
    var known = 0
    var unknown = 0

    var line: String { "refused \(refused), opened \(opened), known \(known), unknown \(unknown)" }
  }

  /// The sanitizers reserve terabytes: under them what is used is watched by their own limit, if any.
  static func limitMemory() {
    let pages = String(decoding: TemporaryDirectory.bytes(of: "/proc/self/statm") ?? [], as: UTF8.self)
      .split(separator: " ").first.flatMap { Int($0) }
    let used = (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    guard used < 64 << 30 else { return }
    var limit = rlimit(rlim_cur: rlim_t(used + 512 << 20), rlim_max: rlim_t(used + 512 << 20))
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
  }

  static func damage(count: Int) throws -> Tally {
    let directory = TemporaryDirectory()
    let sound = [
      DatabaseFixture.country, .city, .flatCity, .ipv4Only, .country.sized(.bits28), .city.sized(.bits32),
    ].map { DamagedDatabase.Sound($0, in: directory) }
    let rules = try ["KR/Seoul", "US-CA", "JP"].flatMap { try RegionRule.parse($0) }
    let policy = try BucketPolicy(regional: rules, unclassified: [])
    var generator = SeededGenerator(seed: 10_000)
    var tally = Tally()
    for number in 0..<count {
      let part = DamagedDatabase.Part.allCases[number % DamagedDatabase.Part.allCases.count]
      let bytes = DamagedDatabase.bytes(sound[number / 4 % sound.count], in: part, using: &generator)
      let path = directory.write(bytes, to: "damaged.mmdb")
      guard let database = try? MaxMindDatabase(path: path) else {
        tally.refused += 1
        continue
      }
      tally.opened += 1
      lookUp(database, policy, &tally)
    }
    return tally
  }

  private static func lookUp(_ database: MaxMindDatabase, _ policy: BucketPolicy, _ tally: inout Tally) {
    let fields = DatabaseFields(
      country: FieldPath("country.iso_code")!, fallbackCountry: FieldPath("registered_country.iso_code"),
      subdivision: FieldPath("subdivisions.0.iso_code")!, city: FieldPath("city.names.en")!)
    let signal = GeoSignal(database: database, fields: fields)
    let cache = RecordCache()
    for address in addresses {
      switch signal.read(address, policy: policy, cache: cache) {
      case .location: tally.known += 1
      case .absent, .invalid: tally.unknown += 1
      }
    }
  }

  private static let addresses: [IPAddress] =
    [0x0100_0001, 0x0808_0808, 0xA87E_3F01, 0xA87E_0001, 0xD950_0001, 0xD91A_3001, 0xD43A_0001, 0xDFFF_FFFF]
    .map { IPAddress(ipv4: $0) } + [
      IPAddress(ipv6High: 0x2001_0220_0000_0000, low: 1), IPAddress(ipv6High: 0x2001_4860_0000_0000, low: 8),
      IPAddress(ipv6High: 0x2A00_0000_0000_0000, low: 0),
    ]
}
