import CMaxMindDB
import ClientSignal

#if canImport(Glibc)
  import Glibc
#endif

/// A MaxMind-format database, read from a private copy in memory: whatever becomes of the file, it stays whole.
///
/// Immutable once open; any thread may look up, without a lock. Closed with its last user.
package final class MaxMindDatabase: @unchecked Sendable {
  /// What the metadata section says.
  package struct Metadata: Equatable, Sendable {
    /// Such as `GeoLite2-Country`; cut to 64 bytes, anything but printable ASCII replaced by `?`.
    package let type: String
    /// When it was made, in seconds since 1970; 0 if it does not say.
    package let buildEpochSeconds: UInt64
    package let nodeCount: Int
    package let recordSizeBits: Int
    /// 4 or 6.
    package let ipVersion: Int
    package let fileBytes: Int
  }

  /// What a lookup found.
  package enum Lookup: Equatable, Sendable {
    /// A record, by its offset in the data section: the same for every address that shares it.
    case record(UInt32)
    case notFound
  }

  /// Databases that are larger than this are refused: no real one comes near it.
  package static let fileBytesMax = 2 << 30

  /// The database's own description.
  package let metadata: Metadata

  private let handle: OpaquePointer

  /// Opens, copies and checks a file: metadata, search tree, every record.
  ///
  /// - Throws: `DatabaseError`; nothing is left open.
  package init(path: String, fileBytesMax: Int = MaxMindDatabase.fileBytesMax) throws(DatabaseError) {
    var handle: OpaquePointer?
    let status = cmmdb_open(path, fileBytesMax, &handle)
    if let error = DatabaseError(status, errno: errno) { throw error }
    self.handle = handle!
    var raw = cmmdb_metadata()
    cmmdb_read_metadata(handle, &raw)
    metadata = Metadata(
      type: Self.printable(raw.database_type), buildEpochSeconds: raw.build_epoch_seconds,
      nodeCount: Int(raw.node_count), recordSizeBits: Int(raw.record_size_bits),
      ipVersion: Int(raw.ip_version), fileBytes: raw.file_bytes)
  }

  deinit { cmmdb_close(handle) }

  /// Finds an address's record. An IPv6 address is not found in a database of IPv4 only.
  package func lookup(_ address: IPAddress) -> Lookup {
    let offset =
      address.isIPv4
      ? cmmdb_lookup_ipv4(handle, UInt32(truncatingIfNeeded: address.low))
      : cmmdb_lookup_ipv6(handle, address.high, address.low)
    // The nodes were looked at when it was opened, not the ways through them: one that leads nowhere is no country.
    return offset < 0 ? .notFound : .record(UInt32(truncatingIfNeeded: offset))
  }

  /// The bytes of a string in a record, as long as the database lives; nil when there is no such string.
  package func text(at record: UInt32, _ path: FieldPath) -> UnsafeRawBufferPointer? {
    let text = cmmdb_string(handle, record, path.parts)
    guard let bytes = text.bytes else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: text.count)
  }

  private static func printable(_ text: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeBufferPointer(start: text, count: min(strlen(text), 64)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}
