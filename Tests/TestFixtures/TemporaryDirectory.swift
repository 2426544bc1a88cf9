#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A directory of a test's own, gone with the value.
package final class TemporaryDirectory: Sendable {
  /// Its path, without a slash at the end.
  package let path: String

  /// mkdtemp(3) below `TMPDIR`, or `/tmp`.
  package init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/region-bucket-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      fatalError("mkdtemp in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { Self.removeTree(path) }

  private static func removeTree(_ path: String) {
    guard remove(path) != 0, let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
      if name != ".", name != ".." { removeTree("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }

  /// The path of a file in it, made or not.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file in it and returns its path.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) -> String {
    let path = file(name)
    let bytes = Array(bytes)
    guard let stream = fopen(path, "w") else { fatalError("\(path): \(String(cString: strerror(errno)))") }
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count, fclose(stream) == 0 else {
      fatalError("\(path): \(String(cString: strerror(errno)))")
    }
    return path
  }

  /// Writes a text file in it and returns its path.
  package func write(_ text: String, to name: String) -> String { write(text.utf8, to: name) }

  /// The bytes of a file; nil when it cannot be opened.
  package static func bytes(of path: String) -> [UInt8]? {
    guard let stream = fopen(path, "r") else { return nil }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, stream)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }
}
