/// What a database says of itself (format 2.0, "Database Metadata"), but for what its writer counts.
///
/// There is no key beyond those of the format: Python's reader refuses a file that has one.
package struct DatabaseMetadata: Equatable, Sendable {
  /// What kind of records it holds, for programs.
  package var databaseType: String
  /// What it is, where it came from and what its licence asks for, in English.
  package var description: String
  /// Seconds since 1970-01-01 UTC. Its readers take this for the age of what it says.
  package var buildEpoch: UInt64
  /// The languages of names in its records.
  package var languages: [String]

  /// Metadata from its parts.
  package init(databaseType: String, description: String, buildEpoch: UInt64, languages: [String] = ["en"]) {
    self.databaseType = databaseType
    self.description = description
    self.buildEpoch = buildEpoch
    self.languages = languages
  }

  /// The bytes before the metadata; the last place in a file where they stand counts.
  static let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)

  /// The largest metadata section, marker included, in bytes.
  static let sectionBytesMax = 128 * 1024

  /// The section with its marker, keys in alphabetical order.
  func section(
    ipVersion: IPVersion, nodeCount: Int, recordSize: RecordSize
  ) throws(DatabaseWriterError) -> [UInt8] {
    var section = DataSection()
    _ = try section.offset(of: [
      "binary_format_major_version": .uint16(2),
      "binary_format_minor_version": .uint16(0),
      "build_epoch": .uint64(buildEpoch),
      "database_type": .string(databaseType),
      "description": ["en": .string(description)],
      "ip_version": .uint16(ipVersion.rawValue),
      "languages": .array(languages.map { .string($0) }),
      "node_count": .uint32(UInt32(nodeCount)),
      "record_size": .uint16(UInt16(recordSize.rawValue)),
    ])
    let bytes = Self.marker + section.bytes
    guard bytes.count <= Self.sectionBytesMax else { throw .metadataTooLarge }
    return bytes
  }
}

/// Which addresses a database's tree has room for.
package enum IPVersion: UInt16, Sendable {
  /// IPv4 alone, 32 bits deep.
  case v4 = 4
  /// IPv6, 128 bits deep, with IPv4 at `::/96`. `::ffff:0:0/96` (IPv4-mapped) and `2002::/16` (6to4) lead there
  /// as well, as in MaxMind's own files: such an address names an IPv4 one, whose place is the better answer.
  case v6 = 6
}
