import TestFixtures
import Testing

@testable import DatabaseBuild

@Suite struct DatabaseWriterTests {
  private static func writer(
    _ networks: [(String, MMDBValue?)], _ ipVersion: IPVersion = .v6, _ recordSize: RecordSize? = nil
  ) throws -> DatabaseWriter {
    var writer = DatabaseWriter(
      metadata: DatabaseMetadata(databaseType: "T", description: "D", buildEpoch: 1), ipVersion: ipVersion,
      recordSize: recordSize)
    for (text, record) in networks { try writer.insert(record, at: try #require(Network(text))) }
    return writer
  }

  @Test func writesAFileByteByByte() throws {
    let bytes = try Self.writer([("128.0.0.0/1", ["k": .uint16(1)])], .v4).encoded()
    // One node: nothing on the left, which is the node count; on the right the data's start, behind 16 zeros.
    let tree: [UInt8] = [0, 0, 1, 0, 0, 17]
    let data: [UInt8] = [0xE1, 0x41, 0x6B, 0xA1, 0x01]
    let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
    let before = tree + [UInt8](repeating: 0, count: 16) + data + marker
    #expect(Array(bytes.prefix(before.count)) == before)
    let metadata = try MMDBDecoder.value(in: Array(bytes.dropFirst(before.count)))
    let expected: MMDBValue = [
      "binary_format_major_version": .uint16(2), "binary_format_minor_version": .uint16(0),
      "build_epoch": .uint64(1), "database_type": "T", "description": ["en": "D"], "ip_version": .uint16(4),
      "languages": ["en"], "node_count": .uint32(1), "record_size": .uint16(24),
    ]
    #expect(metadata == expected)
  }

  static let nodeCounts: [(name: String, networks: [String], ipVersion: IPVersion, nodes: Int)] = [
    ("nothing", [], .v4, 1), ("everything", ["0.0.0.0/0"], .v4, 1), ("one half", ["0.0.0.0/1"], .v4, 1),
    ("both halves", ["0.0.0.0/1", "128.0.0.0/1"], .v4, 1),
    ("four quarters", ["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"], .v4, 1),
    ("equal halves are one node", ["0.0.0.0/2", "128.0.0.0/2"], .v4, 2),
    ("one address", ["1.2.3.4/32"], .v4, 32),
    ("two addresses of the same last octet share it", ["1.2.3.4/32", "129.2.3.4/32"], .v4, 32),
    ("a node is shared between depths", ["0.0.0.0/1", "128.0.0.0/2"], .v4, 2),
    ("nothing in IPv6", [], .v6, 1),
    // 3 above where 2002::/16 parts, 13 down to it; 78 more above where ::ffff:0:0/96 parts from ::/96, 15 down
    // to each; and the last one above ::/96 is also the last one above 2002::/16.
    ("everything of IPv4", ["0.0.0.0/0"], .v6, 3 + 13 + 78 + 2 * 15 - 1),
  ]

  @Test(arguments: nodeCounts)
  func sharesNodes(_ vector: (name: String, networks: [String], ipVersion: IPVersion, nodes: Int)) throws {
    let record: MMDBValue = ["k": "v"]
    let encoded = try Self.writer(vector.networks.map { ($0, record) }, vector.ipVersion).file().encoded()
    #expect(encoded.nodeCount == vector.nodes, "\(vector.name)")
    #expect(encoded.recordCount == (vector.networks.isEmpty ? 0 : 1))
  }

  @Test func givesTheSameBytesInAnyOrder() throws {
    var generator = SeededGenerator(seed: 3)
    let model = ModelDatabase.random(.v6, count: 200, using: &generator)
    var networks: [(network: Network, record: MMDBValue?)] = []
    for entry in model.networks where !networks.contains(where: { $0.network == entry.network }) {
      networks.append(entry)
    }
    let first = try ModelDatabase(ipVersion: .v6, networks: networks).encoded(nil)
    for _ in 0..<3 {
      networks.shuffle(using: &generator)
      #expect(try ModelDatabase(ipVersion: .v6, networks: networks).encoded(nil) == first)
    }
  }

  @Test func takesLargerRecordsWhenTheyAreNeeded() throws {
    // One record that 24 bits cannot see behind, and two there.
    let networks: [(String, MMDBValue?)] = [
      ("0.0.0.0/8", .bytes([UInt8](repeating: 7, count: 1 << 24))),
      ("1.0.0.0/8", DatabaseFixture.country("KR")),
      ("2.0.0.0/8", DatabaseFixture.country("US")),
    ]
    let automatic = try Self.writer(networks, .v4).file().encoded()
    #expect(automatic.recordSize == .bits28)
    // Four bytes of control and size, the payload, then Korea's 22 bytes.
    let valueMax = automatic.nodeCount + 16 + 4 + (1 << 24) + 22
    #expect(throws: DatabaseWriterError.doesNotFit(value: valueMax, recordSize: .bits24)) {
      try Self.writer(networks, .v4, .bits24).encoded()
    }
    let directory = TemporaryDirectory()
    for bytes in [automatic.bytes, try Self.writer(networks, .v4, .bits32).encoded()] {
      let path = directory.write(bytes, to: "large.mmdb")
      let answers = MMDBLookup.answers(path, ["1.2.3.4", "2.3.4.5", "3.4.5.6"], path: "country iso_code")
      #expect(answers == [.string("KR"), .string("US"), .nothing])
    }
  }

  @Test func refusesWhatTheFormatHasNoRoomFor() throws {
    #expect(throws: DatabaseWriterError.ipv6InIPv4Database) { try Self.writer([("::/8", "x")], .v4) }
    #expect(throws: DatabaseWriterError.valueTooLarge) {
      try Self.writer([("1.0.0.0/8", .bytes([UInt8](repeating: 0, count: 16_843_037)))])
    }
    var writer = try Self.writer([])
    writer.metadata.description = String(repeating: "x", count: 128 * 1024)
    #expect(throws: DatabaseWriterError.metadataTooLarge) { try writer.encoded() }
  }
}
