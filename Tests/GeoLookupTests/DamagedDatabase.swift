import DatabaseBuild
import TestFixtures

/// Seeded damage to database files, in a part of the file that is known.
struct DamagedDatabase {
  /// The part that is damaged.
  enum Part: CaseIterable {
    /// The tree's first nodes, where every lookup begins.
    case header
    case tree, data, metadata
  }

  /// A sound file and where its parts lie.
  struct Sound {
    var bytes: [UInt8]
    var treeBytes: Int
    /// Behind the marker.
    var metadataStart: Int

    init(_ fixture: DatabaseFixture, in directory: TemporaryDirectory) {
      let bytes = fixture.bytes
      self.bytes = bytes
      let path = directory.write(bytes, to: "sound.mmdb")
      guard let info = try? DatabaseInfo(path: path) else { fatalError("a fixture that is no database") }
      treeBytes = info.nodeCount * info.recordSize.nodeByteCount
      let marker = Array("MaxMind.com".utf8)
      let start = bytes.indices.last { bytes[$0...].starts(with: marker) }
      metadataStart = start! + marker.count
    }

    func range(of part: Part) -> Range<Int> {
      switch part {
      case .header: 0..<min(24, treeBytes)
      case .tree: 0..<treeBytes
      case .data: treeBytes..<metadataStart
      case .metadata: (metadataStart - 14)..<bytes.count
      }
    }
  }

  /// Sizes, types and pointers at the edges of the format's grammar.
  private static let edges: [UInt8] = [
    0x00, 0x01, 0x04, 0x07, 0x1D, 0x1E, 0x1F, 0x20, 0x28, 0x30, 0x38, 0x3F, 0x40, 0x5F, 0x7F, 0x80, 0xA0,
    0xC0, 0xE0,
    0xE1, 0xFF,
  ]

  /// A copy with one or two wounds in the part.
  static func bytes(_ sound: Sound, in part: Part, using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = sound.bytes
    let range = sound.range(of: part)
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let place = Int.random(in: range, using: &generator)
      guard place < bytes.count else { continue }
      let end = min(place + Int.random(in: 1...16, using: &generator), bytes.count)
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 2: bytes.removeSubrange(place...)
      case 3: for index in place..<end { bytes[index] = edges.randomElement(using: &generator)! }
      case 4...7: bytes[place] = edges.randomElement(using: &generator)!
      case 8...11: bytes[place] = .random(in: 0 ... .max, using: &generator)
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
    return bytes
  }
}
