#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A system call on a file that failed.
package struct FileFailure: Error, Equatable, Sendable {
  /// What was tried.
  package enum Call: Sendable {
    case open, read, write, fsync, rename, stat
  }

  /// What was tried.
  package let call: Call
  /// The file's path, as the caller gave it.
  package let path: String
  /// errno(3).
  package let code: Int32

  /// A failure from its parts.
  package init(_ call: Call, path: String, code: Int32) {
    self.call = call
    self.path = path
    self.code = code
  }
}

extension FileFailure: CustomStringConvertible {
  /// `path: cannot open: Permission denied`.
  package var description: String { "\(path): cannot \(verb): \(String(cString: strerror(code)))" }

  private var verb: String {
    switch call {
    case .open: "open"
    case .read, .stat: "read"
    case .write, .fsync: "write"
    case .rename: "be put in place"
    }
  }
}
