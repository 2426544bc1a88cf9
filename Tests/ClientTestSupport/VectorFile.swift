import Foundation

/// One of the files that all clients share.
package struct VectorFile<Content: Codable> {
  package let content: Content
  private let name: String

  /// Reads `Tests/Vectors/<name>.json`.
  ///
  /// - Throws: `FieldNotRead` when the file says something that `Content` has no place for.
  package init(_ name: String, as type: Content.Type = Content.self) throws {
    self.name = name
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "Vectors/\(name).json"))
    content = try JSONDecoder().decode(type, from: data)
    let kept = try JSONSerialization.jsonObject(with: JSONEncoder().encode(content))
    guard try comparable(kept) == comparable(JSONSerialization.jsonObject(with: data)) else {
      throw FieldNotRead(file: name)
    }
  }

  /// Writes this client's line of the matrix of clients and files: so many rows were run.
  package func ran(rows: Int) {
    print("matrix swift \(name).json \(rows)")
  }
}

package struct FieldNotRead: Error {
  let file: String
}

/// Without nulls, which decode like what is not there.
private func comparable(_ value: Any) -> NSObject {
  switch value {
  case let object as [String: Any]:
    object.filter { !($0.value is NSNull) }.mapValues(comparable) as NSDictionary
  case let array as [Any]: array.map(comparable) as NSArray
  default: value as? NSObject ?? NSNull()
  }
}

/// A file that is nothing but rows.
package struct VectorRows<Row: Codable>: Codable {
  package let rows: [Row]
}
