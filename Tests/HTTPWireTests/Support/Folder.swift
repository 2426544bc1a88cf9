import Glibc

/// A folder of this package, read by a test that holds its files to a rule.
struct Folder {
  struct Failure: Error { let errno: Int32 }

  let path: String

  /// A folder by its path from the package's root.
  init(_ path: String) {
    self.path = #filePath.dropLast("Tests/HTTPWireTests/Support/Folder.swift".count) + path
  }

  /// The names of its Swift files.
  func sourceNames() throws -> [String] {
    guard let directory = opendir(path) else { throw Failure(errno: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0.hasSuffix(".swift") }
  }

  /// A file's text.
  func text(of name: String) throws -> String {
    guard let file = fopen("\(path)/\(name)", "r") else { throw Failure(errno: errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
