/// Makes a MaxMind DB file, format 2.0, of networks and their records.
///
/// The longest prefix holds; of two insertions of one network the first. Equal records are written once. The
/// same insertions give the same bytes. Not for several threads at once.
package struct DatabaseWriter {
  /// What the file will say of itself.
  package var metadata: DatabaseMetadata
  /// Whether there is room for IPv6.
  package let ipVersion: IPVersion
  /// The size of a record of the tree; nil takes the smallest that fits.
  package var recordSize: RecordSize?

  private var records = RecordTable()
  /// By `IPFamily.index`.
  private var claims: [[Claim]] = [[], []]
  private var insertionCount: UInt64 = 0

  /// An empty database.
  package init(metadata: DatabaseMetadata, ipVersion: IPVersion = .v6, recordSize: RecordSize? = nil) {
    self.metadata = metadata
    self.ipVersion = ipVersion
    self.recordSize = recordSize
  }

  /// Gives a network a record; nil takes it out of a wider network that has one.
  ///
  /// - Throws: `DatabaseWriterError.ipv6InIPv4Database`, `.valueTooLarge`, `.tooManyRecords`.
  package mutating func insert(_ value: MMDBValue?, at network: Network) throws(DatabaseWriterError) {
    guard network.family == .ipv4 || ipVersion == .v6 else { throw .ipv6InIPv4Database }
    var record: RecordID?
    if let value { record = try records.number(of: value) }
    let rank = UInt64(network.family.bitCount - network.prefixLength) << 48 | insertionCount
    insertionCount += 1
    claims[network.family.index].append(
      Claim(first: network.first, last: network.last, rank: rank, record: record))
  }

  /// The file's bytes.
  ///
  /// - Throws: `DatabaseWriterError.doesNotFit` when the record size is given and too small, and what the format
  ///   has no room for.
  package func encoded() throws(DatabaseWriterError) -> [UInt8] { try file().encoded().bytes }

  /// What the file is made of.
  func file() -> DatabaseFile {
    let segments = claims.map { Claims.settle($0.sorted { $0.first < $1.first }) }
    return DatabaseFile(
      metadata: metadata, ipVersion: ipVersion, recordSize: recordSize, records: records.values,
      ipv4: segments[IPFamily.ipv4.index], ipv6: segments[IPFamily.ipv6.index])
  }
}

/// Records, each once, with their numbers.
struct RecordTable {
  /// The records in order of their numbers.
  private(set) var values: [MMDBValue] = []
  private var numbers: [EncodedValue: RecordID] = [:]

  /// The number of a record: that of an equal one, or a new one.
  mutating func number(of value: MMDBValue) throws(DatabaseWriterError) -> RecordID {
    let key = EncodedValue(bytes: try DataSection.encoded(value))
    if let number = numbers[key] { return number }
    guard values.count <= Int(SearchTree.Link.recordMax) else { throw .tooManyRecords }
    let number = RecordID(values.count)
    values.append(value)
    numbers[key] = number
    return number
  }
}

/// Why no file can be made of what a writer was given.
package enum DatabaseWriterError: Error, Equatable, Sendable {
  /// A string, byte sequence, map or array is larger than a field's size can say (16,843,036).
  case valueTooLarge
  /// The data section is larger than pointers reach (4 GiB).
  case dataSectionTooLarge
  /// The metadata section is larger than 128 KiB.
  case metadataTooLarge
  /// More distinct records than can be numbered.
  case tooManyRecords
  /// More nodes than can be numbered.
  case tooManyNodes
  /// A record of the tree has to hold this value, and has fewer bits.
  case doesNotFit(value: Int, recordSize: RecordSize)
  /// An IPv6 network for a database of IPv4.
  case ipv6InIPv4Database
}

extension DatabaseWriterError: CustomStringConvertible {
  /// A sentence without a full stop.
  package var description: String {
    switch self {
    case .valueTooLarge: "a value is larger than \(MMDBEncoding.payloadSizeMax) bytes or elements"
    case .dataSectionTooLarge: "the records take more than 4 GiB"
    case .metadataTooLarge: "the metadata takes more than 128 KiB"
    case .tooManyRecords: "there are more distinct records than the format can number"
    case .tooManyNodes: "there are more networks than the format can number"
    case .doesNotFit(let value, let recordSize):
      "records of \(recordSize.rawValue) bits are too small: they have to hold \(value)"
    case .ipv6InIPv4Database: "an IPv6 network does not fit an IPv4 database"
    }
  }
}
