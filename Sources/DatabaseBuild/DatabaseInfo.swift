#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a MaxMind DB file says of itself (format 2.0, "Database Metadata"), read without libmaxminddb.
package struct DatabaseInfo: Equatable, Sendable {
  /// What kind of records it holds.
  package let databaseType: String
  /// What it is, by language.
  package let descriptions: [String: String]
  /// When it was built, in seconds since 1970-01-01 UTC.
  package let buildEpoch: UInt64
  /// Which addresses its tree has room for.
  package let ipVersion: IPVersion
  /// Nodes of the tree.
  package let nodeCount: Int
  /// The size of a record of the tree.
  package let recordSize: RecordSize
  /// The languages of names in its records.
  package let languages: [String]
  /// The size of the file.
  package let bytes: Int

  /// Whole days from the build to a moment; 0 when that is before it.
  package func ageDays(now: UInt64) -> Int { now > buildEpoch ? Int((now - buildEpoch) / 86_400) : 0 }

  /// The lines that `database info` prints, a line feed behind each.
  package func text(now: UInt64) -> String {
    let days = ageDays(now: now)
    let description = descriptions["en"] ?? descriptions.min { $0.key < $1.key }?.value
    let lines: [(String, String?)] = [
      ("type", databaseType), ("description", description),
      ("built", "\(CalendarDate(epoch: buildEpoch)), \(days) \(days == 1 ? "day" : "days") ago"),
      ("IP version", "\(ipVersion.rawValue)"), ("nodes", "\(nodeCount)"),
      ("record size", "\(recordSize.rawValue) bits"),
      ("languages", languages.isEmpty ? nil : languages.joined(separator: ", ")), ("size", "\(bytes) bytes"),
    ]
    return lines.map { name, value in
      guard let value else { return "" }
      return "\(name):" + String(repeating: " ", count: 13 - name.utf8.count) + Self.printable(value) + "\n"
    }.joined()
  }

  /// Without controls: a file's words must not steer a terminal.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Reads the metadata at the end of a file, not the rest. Blocks; usable from any thread.
  package init(path: String) throws(DatabaseInfoError) {
    let (end, bytes) = try Self.end(of: path)
    guard bytes > 0 else { throw .empty(path: path) }
    guard let start = Self.metadataStart(in: end) else { throw .noMetadata(path: path) }
    let value: MMDBValue
    do throws(MMDBDecodingError) {
      value = try MMDBDecoder.value(in: Array(end[start...]))
    } catch { throw .badMetadata(path: path, error) }
    let treeBytesMax = bytes - end.count + start - DatabaseMetadata.marker.count
    do throws(KeyError) {
      self = try DatabaseInfo(metadata: value, bytes: bytes)
    } catch {
      throw .badKey(path: path, error.key)
    }
    // Behind the tree come sixteen zeros and the data; a file cut and mended would lack some of it.
    guard nodeCount <= (treeBytesMax - 16) / recordSize.nodeByteCount else { throw .tooShort(path: path) }
  }

  private struct KeyError: Error {
    var key: String
  }

  private init(metadata: MMDBValue, bytes: Int) throws(KeyError) {
    func number(_ key: String) throws(KeyError) -> UInt64 {
      switch metadata[key] {
      case .uint16(let number): return UInt64(number)
      case .uint32(let number): return UInt64(number)
      case .uint64(let number): return number
      default: throw KeyError(key: key)
      }
    }
    guard try number("binary_format_major_version") == 2 else {
      throw KeyError(key: "binary_format_major_version")
    }
    guard case .string(let databaseType) = metadata["database_type"] else {
      throw KeyError(key: "database_type")
    }
    guard let ipVersion = IPVersion(rawValue: UInt16(clamping: try number("ip_version"))) else {
      throw KeyError(key: "ip_version")
    }
    guard let recordSize = RecordSize(rawValue: Int(clamping: try number("record_size"))) else {
      throw KeyError(key: "record_size")
    }
    guard let nodeCount = Int(exactly: try number("node_count")), nodeCount > 0 else {
      throw KeyError(key: "node_count")
    }
    self.databaseType = databaseType
    self.ipVersion = ipVersion
    self.recordSize = recordSize
    self.nodeCount = nodeCount
    self.bytes = bytes
    buildEpoch = try number("build_epoch")
    descriptions = try Self.texts(metadata["description"], key: "description")
    languages = try Self.list(metadata["languages"], key: "languages")
  }

  /// Both are optional in the format.
  private static func texts(_ value: MMDBValue?, key: String) throws(KeyError) -> [String: String] {
    guard let value else { return [:] }
    guard case .map(let pairs) = value else { throw KeyError(key: key) }
    var texts: [String: String] = [:]
    for pair in pairs {
      guard case .string(let text) = pair.value else { throw KeyError(key: key) }
      texts[pair.key] = text
    }
    return texts
  }

  private static func list(_ value: MMDBValue?, key: String) throws(KeyError) -> [String] {
    guard let value else { return [] }
    guard case .array(let values) = value else { throw KeyError(key: key) }
    var list: [String] = []
    for value in values {
      guard case .string(let text) = value else { throw KeyError(key: key) }
      list.append(text)
    }
    return list
  }

  /// The part of a file in which its metadata must be, and the size of the whole.
  private static func end(of path: String) throws(DatabaseInfoError) -> (end: [UInt8], bytes: Int) {
    do throws(FileFailure) {
      // Without O_NONBLOCK a named pipe would keep us waiting.
      let file = try Descriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.st_mode & S_IFMT == S_IFREG else {
        // Read nothing of devices and pipes, and let directories fail as they do.
        throw FileFailure(.read, path: path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
      }
      let bytes = Int(status.st_size)
      var end = [UInt8](repeating: 0, count: min(bytes, DatabaseMetadata.sectionBytesMax))
      let count = try end.withUnsafeMutableBufferPointer { (end) throws(FileFailure) in
        try file.read(into: UnsafeMutableRawBufferPointer(end), at: bytes - end.count)
      }
      // Less than asked for: it was cut meanwhile, and is as long as what came.
      return (Array(end[..<count]), bytes - end.count + count)
    } catch { throw .cannotRead(error) }
  }

  /// The place behind the last marker.
  private static func metadataStart(in end: [UInt8]) -> Int? {
    let marker = DatabaseMetadata.marker
    guard end.count >= marker.count else { return nil }
    return (0...(end.count - marker.count)).last { end[$0...].starts(with: marker) }.map { $0 + marker.count }
  }
}

/// Why a file tells nothing of itself.
package enum DatabaseInfoError: Error, Equatable, Sendable {
  /// It could not be read, or is no regular file.
  case cannotRead(FileFailure)
  /// It has no bytes.
  case empty(path: String)
  /// It has no metadata: something else, or cut off.
  case noMetadata(path: String)
  /// Its metadata is no value.
  case badMetadata(path: String, MMDBDecodingError)
  /// Its metadata lacks this key, or has there what is not understood.
  case badKey(path: String, String)
  /// It is shorter than the tree that it speaks of.
  case tooShort(path: String)
}

extension DatabaseInfoError: CustomStringConvertible {
  /// A sentence without a full stop.
  package var description: String {
    switch self {
    case .cannotRead(let failure): failure.description
    case .empty(let path): "\(path): empty"
    case .noMetadata(let path): "\(path): not a MaxMind DB file, or cut off: it has no metadata"
    case .badMetadata(let path, let error): "\(path): damaged metadata: \(error.rawValue)"
    case .badKey(let path, let key): "\(path): metadata whose \(key) is missing or not understood"
    case .tooShort(let path): "\(path): cut off: shorter than its search tree"
    }
  }
}
