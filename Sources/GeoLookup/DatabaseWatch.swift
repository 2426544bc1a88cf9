#if canImport(Glibc)
  import Glibc
#endif

/// What tells one state of a file from another, without reading it: stat(2).
package struct FileSignature: Equatable, Sendable {
  package var device: UInt
  package var inode: UInt
  package var bytes: Int
  package var modifiedSeconds: Int
  package var modifiedNanoseconds: Int

  /// The file's signature now; nil when there is none, or it cannot be asked.
  package static func of(path: String) -> FileSignature? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return FileSignature(
      device: UInt(facts.st_dev), inode: UInt(facts.st_ino), bytes: Int(facts.st_size),
      modifiedSeconds: facts.st_mtim.tv_sec, modifiedNanoseconds: facts.st_mtim.tv_nsec)
  }
}

/// When to read a file again: once it is another one, and has lain still for a while.
///
/// It is asked at intervals rather than told by inotify(7): a watch does not survive a renamed directory, a
/// symbolic link that changes (as Kubernetes mounts do) or a network file system, and one stat(2) a second costs
/// nothing. A pure state machine, driven by a clock of the caller's.
package struct DatabaseWatch: Sendable {
  /// How long the file must not change before it is read.
  package let settleMilliseconds: Int64
  private var settled: FileSignature?
  private var candidate: FileSignature?
  private var candidateSince: Int64 = 0

  /// Watches a file that was last read in the given state.
  package init(settleMilliseconds: Int64, read signature: FileSignature?) {
    self.settleMilliseconds = settleMilliseconds
    settled = signature
    candidate = signature
  }

  /// Whether to read the file now. Each state of the file is read once, whatever comes of it.
  package mutating func shouldRead(_ signature: FileSignature?, now: Int64) -> Bool {
    if signature != candidate {
      candidate = signature
      candidateSince = now
    }
    guard candidate != settled, now - candidateSince >= settleMilliseconds else { return false }
    settled = candidate
    return true
  }
}
