import Foundation

/// One of the files that all clients share.
package struct VectorFile<Content: Decodable> {
  package let content: Content

  /// Reads `Tests/Vectors/<name>.json`.
  package init(_ name: String, as type: Content.Type = Content.self) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appending(path: "Vectors/\(name).json")
    content = try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }
}

/// A file that is nothing but rows.
package struct VectorRows<Row: Decodable>: Decodable {
  package let rows: [Row]
}
