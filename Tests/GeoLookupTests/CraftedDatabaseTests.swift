import ClientSignal
import RegionModel
import TestFixtures
import Testing

@testable import DatabaseBuild
@testable import GeoLookup

/// Databases that were made to cost time or memory, which no chance would make.
@Suite(.timeLimit(.minutes(5))) struct CraftedDatabaseTests {
  private let directory = TemporaryDirectory()

  private func error(_ bytes: [UInt8]) -> DatabaseError? {
    do throws(DatabaseError) {
      _ = try MaxMindDatabase(path: directory.write(bytes, to: "crafted.mmdb"))
      return nil
    } catch { return error }
  }

  /// Each array names the one before it eight times: eight to the tenth values in two hundred bytes, of which
  /// libmaxminddb would make a list.
  @Test func metadataThatRepeatsItselfIsRefused() {
    for key in ["languages", "description"] {
      #expect(error(Self.database(nodes: [1], metadata: Self.bomb(key))) == .badMetadata)
    }
    let sound = Self.database(nodes: [1], metadata: Self.section(nodeCount: 1))
    #expect(error(sound) == nil)
  }

  /// A text of five bytes is, from its first byte on, the head of an array of all the texts behind it. A record for
  /// each of these arrays: walking them all would take as much as the square of their number.
  @Test func valuesThatLieInOneAnotherWithoutEndAreRefused() {
    let count = 60_000
    // The smallest array whose head takes five bytes, so that all heads do.
    let elementCountMin = 65_821
    var data: [UInt8] = []
    for number in 0..<count {
      let more = count - number - 1
      data += [0x45, 0x1F, 0x04, UInt8(more >> 16), UInt8(more >> 8 & 0xFF), UInt8(more & 0xFF)]
    }
    data += [UInt8](repeating: 0x40, count: elementCountMin)
    #expect(error(Self.database(records: count, data: data)) == .badData)
  }

  /// A node leads to itself: after the address's last bit there is still no record.
  @Test func aTreeThatLeadsInACircleHasNoRecord() throws {
    let bytes = Self.database(nodes: [1, 1], data: [0xE0], metadata: Self.section(nodeCount: 2))
    let database = try MaxMindDatabase(path: directory.write(bytes, to: "circle.mmdb"))
    #expect(database.lookup(IPAddress(ipv4: 0x0808_0808)) == .notFound)
  }

  /// libmaxminddb 1.7.1 refuses what is no string among the languages, and loses memory at it: under the leak check a
  /// file that gets as far as that is a finding.
  @Test(
    arguments: [
      ([0x01, 0x04, 0x42, 0x65, 0x6E], nil),  // ["en"]
      ([0x00, 0x04], nil),
      ([0x01, 0x04, 0x20, 0x01], nil),  // a pointer to the first key
      ([0x01, 0x04, 0xC2, 0x65, 0x6E], .badMetadata),  // a number
      ([0x02, 0x04, 0x42, 0x65, 0x6E, 0xA1, 0x01], .badMetadata),  // one of two
      ([0x01, 0x04, 0x00, 0x04], .badMetadata),  // a list in the list
      ([0x01, 0x04, 0xE0], .badMetadata),  // a map in it
      ([0x01, 0x04, 0x20, 0x1D], .badMetadata),  // a pointer to the first value, a number
      ([0x42, 0x65, 0x6E], .badMetadata),  // no list
      ([0xE1, 0x41, 0x61, 0x41, 0x62], .badMetadata),
    ] as [([UInt8], DatabaseError?)])
  func languagesAreAListOfStrings(value: [UInt8], expected: DatabaseError?) {
    var section = Self.section(nodeCount: 1, without: "languages")
    section[0] += 1
    section += [0x40 | 9] + Array("languages".utf8) + value
    #expect(error(Self.database(nodes: [1], metadata: section)) == expected)
    // Of two the first counts.
    section[0] += 1
    section += [0x40 | 9] + Array("languages".utf8) + [0x01, 0x04, 0xC1, 0x01]
    #expect(error(Self.database(nodes: [1], metadata: section)) == expected)
  }

  private static func bomb(_ key: String) -> [UInt8] {
    // The map is first, so that it can name what stands behind it.
    var section = section(nodeCount: 1, without: key)
    section[0] += 1
    var target = 0
    var tail: [UInt8] = []
    let head = section.count + 1 + key.utf8.count + 2
    for level in 0..<10 {
      let here = head + tail.count
      let isMap = key == "description"
      tail += isMap ? [0xE8] : [0x08, 0x04]
      for index in 0..<8 {
        if isMap { tail += [0x41, 0x61 + UInt8(index)] }
        tail += level == 0 ? [0x41, 0x78] : [0x20 | UInt8(target >> 8), UInt8(target & 0xFF)]
      }
      target = here
    }
    return section + [0x40 | UInt8(key.utf8.count)] + Array(key.utf8)
      + [0x20 | UInt8(target >> 8), UInt8(target & 0xFF)] + tail
  }

  private static func section(nodeCount: Int, without omitted: String = "") -> [UInt8] {
    func pair(_ key: String, _ value: [UInt8]) -> [UInt8] {
      [0x40 | UInt8(key.utf8.count)] + Array(key.utf8) + value
    }
    let nodes = (0..<4).map { UInt8(nodeCount >> (24 - 8 * $0) & 0xFF) }
    let pairs = [
      pair("binary_format_major_version", [0xA1, 2]), pair("binary_format_minor_version", [0xA0]),
      pair("build_epoch", [0x01, 0x02, 1]), pair("database_type", [0x41, 0x78]),
      pair("ip_version", [0xA1, 4]),
      pair("node_count", [0xC4] + nodes), pair("record_size", [0xA1, 32]),
      omitted == "languages" ? [] : pair("languages", [0x00, 0x04]),
      omitted == "description" ? [] : pair("description", [0xE0]),
    ].filter { !$0.isEmpty }
    return [0xE0 | UInt8(pairs.count)] + pairs.joined()
  }

  /// A tree of nodes whose records both have these values: a node's number, or their count for nothing.
  private static func database(nodes: [Int], data: [UInt8] = [], metadata: [UInt8]) -> [UInt8] {
    var tree: [UInt8] = []
    for record in nodes { RecordSize.bits32.appendNode(left: record, right: record, to: &tree) }
    return tree + [UInt8](repeating: 0, count: 16) + data + marker + metadata
  }

  /// A tree with a record for the second byte of each text of the data.
  private static func database(records count: Int, data: [UInt8]) -> [UInt8] {
    var tree: [UInt8] = []
    for node in 0..<count {
      let next = node + 1 < count ? node + 1 : count
      RecordSize.bits32.appendNode(left: next, right: count + 16 + 6 * node + 1, to: &tree)
    }
    tree += [UInt8](repeating: 0, count: 16)
    return tree + data + marker + section(nodeCount: count)
  }

  private static let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
}
