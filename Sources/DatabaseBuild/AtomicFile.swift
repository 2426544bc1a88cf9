#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that are either as they were or wholly new.
package enum AtomicFile {
  /// Writes a file by way of a new one beside it, which is synchronised and then renamed over the old one.
  ///
  /// Nobody ever sees half a file, and who has the old one open or mapped keeps it. On failure the new one is
  /// removed and the old one stays. A symbolic link is replaced, not followed; a device, pipe or socket is refused.
  /// Blocks; usable from any thread.
  ///
  /// - Throws: `FileFailure` of open(2), write(2), fsync(2) or rename(2), always with `path`.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    try refuseDevice(path)
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let number = String(UInt64.random(in: 0 ... .max), radix: 36)
    let temporary = "\(directory).\(name).\(number).tmp"
    do throws(FileFailure) {
      try write(bytes, toNew: temporary)
      guard rename(temporary, path) == 0 else { throw FileFailure(.rename, path: path, code: errno) }
    } catch {
      if error.call != .open { _ = unlink(temporary) }
      throw FileFailure(error.call, path: path, code: error.code)
    }
    // The rename itself has to outlive a crash. It has happened, so a file system that cannot promise this
    // (some network ones) is no failure of the writing.
    if let entry = try? Descriptor(path: directory, flags: O_RDONLY | O_DIRECTORY) {
      try? entry.synchronise()
    }
  }

  /// Renaming over `/dev/null` or a pipe would take it from everybody.
  private static func refuseDevice(_ path: String) throws(FileFailure) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    let kind = facts.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFLNK || kind == S_IFDIR else {
      throw FileFailure(.rename, path: path, code: ENOTSUP)
    }
  }

  private static func write(_ bytes: [UInt8], toNew path: String) throws(FileFailure) {
    let file = try Descriptor(path: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileFailure) in
      try file.write(UnsafeRawBufferPointer(bytes))
    }
    try file.synchronise()
  }
}
