import TestFixtures
import Testing

@testable import DatabaseBuild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct DatabaseInfoTests {
  @Test func readsWhatTheWriterSays() throws {
    let directory = TemporaryDirectory()
    for recordSize in RecordSize.allCases {
      for ipVersion in [IPVersion.v4, .v6] {
        var fixture = DatabaseFixture.ipv4Only.sized(recordSize)
        fixture.ipVersion = ipVersion
        let info = try DatabaseInfo(path: fixture.write(in: directory))
        #expect(info.databaseType == "Fixture-Country")
        #expect(info.descriptions == ["en": "For tests"])
        #expect(info.buildEpoch == 1_767_225_600)
        #expect(info.ipVersion == ipVersion)
        #expect(info.recordSize == recordSize)
        #expect(info.languages == ["en", "ko"])
        #expect(info.nodeCount > 16)
        #expect(info.bytes == fixture.bytes.count)
      }
    }
  }

  @Test func countsWholeDays() throws {
    let directory = TemporaryDirectory()
    let info = try DatabaseInfo(path: DatabaseFixture.country.write(in: directory))
    let ages: [(UInt64, Int)] = [
      (0, 0), (info.buildEpoch, 0), (info.buildEpoch + 86_399, 0), (info.buildEpoch + 86_400, 1),
      (info.buildEpoch + 366 * 86_400, 366),
    ]
    for (now, days) in ages { #expect(info.ageDays(now: now) == days) }
  }

  @Test func printsALineForEach() throws {
    let directory = TemporaryDirectory()
    let path = DatabaseFixture.ipv4Only.write(in: directory)
    let info = try DatabaseInfo(path: path)
    #expect(
      info.text(now: info.buildEpoch + 3 * 86_400) == """
        type:         Fixture-Country
        description:  For tests
        built:        2026-01-01, 3 days ago
        IP version:   4
        nodes:        \(info.nodeCount)
        record size:  24 bits
        languages:    en, ko
        size:         \(info.bytes) bytes

        """)
    #expect(info.text(now: info.buildEpoch + 86_400).contains("2026-01-01, 1 day ago\n"))
  }

  @Test func keepsTerminalsSafe() throws {
    let directory = TemporaryDirectory()
    var fixture = DatabaseFixture.empty
    fixture.databaseType = "evil\u{1B}[2J\u{9B}x\n"
    let text = try DatabaseInfo(path: fixture.write(in: directory)).text(now: 0)
    #expect(text.hasPrefix("type:         evil [2J x \ndescription:"))
  }

  /// A file that has nothing but metadata with one key changed, or without it.
  private static func file(_ key: String, _ value: MMDBValue?) throws -> [UInt8] {
    let metadata: MMDBValue = [
      "binary_format_major_version": .uint16(2), "binary_format_minor_version": .uint16(0),
      "build_epoch": .uint64(1), "database_type": "T", "description": ["en": "D"], "ip_version": .uint16(4),
      "languages": ["en"], "node_count": .uint32(1), "record_size": .uint16(24),
    ]
    guard case .map(var pairs) = metadata else { return [] }
    let index = try #require(pairs.firstIndex { $0.key == key })
    if let value { pairs[index].value = value } else { pairs.remove(at: index) }
    let tree: [UInt8] = [0, 0, 1, 0, 0, 1]
    let separator = [UInt8](repeating: 0, count: 16)
    return try tree + separator + DatabaseMetadata.marker + DataSection.encoded(.map(pairs))
  }

  static let badKeys: [(String, MMDBValue?)] = [
    ("binary_format_major_version", .uint16(3)), ("binary_format_major_version", nil),
    ("build_epoch", nil), ("build_epoch", "x"), ("database_type", nil), ("database_type", .uint16(1)),
    ("ip_version", .uint16(5)), ("ip_version", nil), ("ip_version", .uint32(65_536 + 4)),
    ("node_count", .uint32(0)), ("node_count", .uint64(.max)), ("node_count", .int32(1)),
    ("record_size", .uint16(0)), ("record_size", .uint16(20)), ("record_size", .uint64(.max)),
    ("description", "x"), ("description", ["en": .uint16(1)]), ("languages", "en"),
    ("languages", [.uint16(1)]),
  ]

  @Test(arguments: badKeys)
  func refusesKeysItDoesNotUnderstand(_ key: String, _ value: MMDBValue?) throws {
    let directory = TemporaryDirectory()
    let path = directory.write(try Self.file(key, value), to: "bad.mmdb")
    #expect(throws: DatabaseInfoError.badKey(path: path, key)) { try DatabaseInfo(path: path) }
  }

  @Test func takesWhatTheFormatLeavesOpen() throws {
    let directory = TemporaryDirectory()
    for (key, value): (String, MMDBValue?) in [
      ("description", nil), ("languages", nil), ("build_epoch", .uint32(7)), ("node_count", .uint16(1)),
      ("binary_format_minor_version", .uint16(9)),
    ] {
      let path = directory.write(try Self.file(key, value), to: "open.mmdb")
      #expect(throws: Never.self) { try DatabaseInfo(path: path) }
    }
  }

  @Test func tellsFilesThatAreNoDatabase() throws {
    let directory = TemporaryDirectory()
    let missing = directory.file("missing")
    let pipe = directory.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let empty = directory.write("", to: "empty")
    let text = directory.write("network,country\n", to: "text")
    let short = directory.write(try Self.file("node_count", .uint32(2)), to: "short")
    let broken = directory.write(DatabaseMetadata.marker + [0xE1], to: "broken")
    let noMap = directory.write(DatabaseMetadata.marker + [0x41, 0x61], to: "no map")
    let expected: [(String, DatabaseInfoError)] = [
      (missing, .cannotRead(FileFailure(.open, path: missing, code: ENOENT))),
      (directory.path, .cannotRead(FileFailure(.read, path: directory.path, code: EISDIR))),
      (pipe, .cannotRead(FileFailure(.read, path: pipe, code: EINVAL))),
      ("/dev/zero", .cannotRead(FileFailure(.read, path: "/dev/zero", code: EINVAL))),
      (empty, .empty(path: empty)), (text, .noMetadata(path: text)), (short, .tooShort(path: short)),
      (broken, .badMetadata(path: broken, .outOfBounds)),
      (noMap, .badKey(path: noMap, "binary_format_major_version")),
    ]
    for (path, error) in expected {
      #expect(throws: error) { try DatabaseInfo(path: path) }
      #expect("\(error)".hasPrefix(path + ": "))
    }
  }

  @Test func refusesEveryTruncationAndSurvivesEveryByte() throws {
    let directory = TemporaryDirectory()
    let bytes = DatabaseFixture.ipv4Only.bytes
    let start = bytes.count - 250
    for count in [0, 1, 13, 14, 15] + Array(start..<bytes.count) {
      let path = directory.write(bytes[..<count], to: "cut")
      #expect(throws: DatabaseInfoError.self, "\(count) of \(bytes.count) bytes") {
        try DatabaseInfo(path: path)
      }
    }
    var generator = SeededGenerator(seed: 5)
    for index in start..<bytes.count {
      var damaged = bytes
      damaged[index] ^= .random(in: 1 ... .max, using: &generator)
      _ = try? DatabaseInfo(path: directory.write(damaged, to: "damaged"))
    }
  }

  @Test func findsTheLastMarker() throws {
    let directory = TemporaryDirectory()
    // A record may hold the marker's bytes.
    var fixture = DatabaseFixture([("1.0.0.0/8", .bytes(DatabaseMetadata.marker + [0xE0]))])
    fixture.databaseType = "Marked"
    #expect(try DatabaseInfo(path: fixture.write(in: directory)).databaseType == "Marked")
  }
}
