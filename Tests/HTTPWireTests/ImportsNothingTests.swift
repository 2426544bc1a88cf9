import Glibc
import Testing

/// The wire is pure: no Foundation, no C library, no other target. What it cannot call it cannot leak to.
@Suite struct ImportsNothingTests {
  @Test func noSourceImportsAnything() throws {
    let folder =
      String(#filePath.dropLast("Tests/HTTPWireTests/ImportsNothingTests.swift".count)) + "Sources/HTTPWire"
    let names = try Self.names(in: folder).filter { $0.hasSuffix(".swift") }
    #expect(names.contains("RequestParser.swift"), "the folder is the right one")
    for name in names {
      let lines = try Self.text(of: "\(folder)/\(name)").split(separator: "\n")
      let imports = lines.filter { $0.split(separator: " ").contains("import") && !$0.contains("//") }
      #expect(imports.isEmpty, "\(name): \(imports)")
    }
  }

  private struct Failure: Error { let errno: Int32 }

  private static func names(in folder: String) throws -> [String] {
    guard let directory = opendir(folder) else { throw Failure(errno: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  private static func text(of path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Failure(errno: errno) }
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
