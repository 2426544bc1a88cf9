import ClientSignal
import RegionModel

@testable import DatabaseBuild
@testable import GeoLookup

/// Database files: refused, or every lookup ends, with the answer that a second reader has.
enum DatabaseFuzzing {
  private static let paths = ["country.iso_code", "city.names.en", "subdivisions.0.iso_code"].map {
    FieldPath($0)!
  }

  static func check(_ bytes: [UInt8]) {
    let file = MemoryFile(bytes)
    let info = try? DatabaseInfo(path: file.path)
    _ = info?.text(now: 1_767_225_600)
    guard let database = try? MaxMindDatabase(path: file.path) else { return }
    let metadata = database.metadata
    expect([24, 28, 32].contains(metadata.recordSizeBits), "a record has a size that there is")
    let treeBytes = metadata.nodeCount * metadata.recordSizeBits / 4
    expect(treeBytes + 16 < bytes.count, "the tree is in the file")
    if let info { expect(info.nodeCount == metadata.nodeCount, "a second reader counts the same nodes") }
    let section = Array(bytes[(treeBytes + 16)...])
    for address in addresses {
      guard case .record(let record) = database.lookup(address) else { continue }
      expect(Int(record) < section.count, "a record is in the data section")
      check(database, section, record)
    }
  }

  private static func check(_ database: MaxMindDatabase, _ section: [UInt8], _ record: UInt32) {
    let value = try? MMDBDecoder.value(in: section, at: Int(record))
    for path in paths {
      let text = database.text(at: record, path).map { [UInt8]($0) }
      // What the second reader does not take, nested too deeply or no UTF-8, cannot be compared.
      guard let value else { continue }
      expect(text == string(value, path.text), "a second reader finds the same text")
    }
  }

  private static func string(_ value: MMDBValue, _ path: String) -> [UInt8]? {
    var value: MMDBValue? = value
    for name in path.split(separator: ".") {
      if case .array(let elements)? = value, let index = Int(name) {
        value = elements.indices.contains(index) ? elements[index] : nil
      } else {
        value = value?[String(name)]
      }
    }
    guard case .string(let text)? = value else { return nil }
    return Array(text.utf8)
  }

  private static let addresses: [IPAddress] =
    [0, 0x0100_0001, 0x0808_0808, 0xA87E_3F01, 0xD950_0001, .max].map { IPAddress(ipv4: $0) } + [
      IPAddress(ipv6High: 0, low: 1), IPAddress(ipv6High: 0x2001_0220_0000_0000, low: 1),
      IPAddress(ipv6High: 0x2001_4860_0000_0000, low: 8), IPAddress(ipv6High: .max, low: .max),
    ]
}
