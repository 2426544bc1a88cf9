import CMaxMindDB

#if canImport(Glibc)
  import Glibc
#endif

/// Why a file was not taken as a database. Names no address: the file's own data is the operator's.
package enum DatabaseError: Error, Equatable, Sendable {
  /// open(2), read(2), memfd_create(2) or mmap(2) failed with this errno.
  case system(errno: Int32)
  /// A directory, a device, a pipe.
  case notAFile
  /// No byte in it.
  case empty
  /// Larger than the limit that the caller gave.
  case tooLarge
  /// No MaxMind metadata, or a format other than version 2.
  case unknownFormat
  /// The metadata are broken.
  case badMetadata
  /// A node points to nowhere.
  case badTree
  /// A record is cut short, cyclic, or of no known type.
  case badData
  /// No memory for the private copy.
  case outOfMemory

  init?(_ status: cmmdb_status, errno: Int32) {
    switch status {
    case CMMDB_OK: return nil
    case CMMDB_NOT_A_FILE: self = .notAFile
    case CMMDB_EMPTY: self = .empty
    case CMMDB_TOO_LARGE: self = .tooLarge
    case CMMDB_UNKNOWN_FORMAT: self = .unknownFormat
    case CMMDB_BAD_METADATA: self = .badMetadata
    case CMMDB_BAD_TREE: self = .badTree
    case CMMDB_BAD_DATA: self = .badData
    case CMMDB_OUT_OF_MEMORY: self = .outOfMemory
    default: self = .system(errno: errno)
    }
  }

  /// The error in words, for a log line or a terminal.
  package var text: String {
    switch self {
    case .system(let errno): String(cString: strerror(errno))
    case .notAFile: "not a regular file"
    case .empty: "the file is empty"
    case .tooLarge: "the file is larger than a database may be"
    case .unknownFormat: "not a MaxMind-format database (version 2)"
    case .badMetadata: "its metadata are broken"
    case .badTree: "its search tree is broken"
    case .badData: "its data section is broken"
    case .outOfMemory: "not enough memory for it"
    }
  }
}
