import Testing

@testable import ServiceConfig

/// `Config/region-bucket.json5` is the reference: it has every key, with its default, and loads as it is.
@Suite struct ShippedFileTests {
  private static let path = #filePath.replacing(
    "Tests/ServiceConfigTests/ShippedFileTests.swift", with: "Config/region-bucket.json5")

  private func load(environment: [String: String] = [:]) -> ConfigLoad {
    ConfigLoader.load(file: Self.path, arguments: [], environment: environment)
  }

  @Test func itLoadsWithoutWarnings() throws {
    let load = load()
    #expect(load.diagnostics.map(\.text) == [])
    let config = try #require(load.config)
    #expect(config.listening.listeners.map(\.text) == ["*:8080"])
    #expect(config.signals.sources == [.cdn, .database])
    #expect(config.signals.preset.name == "cloudfront")
    #expect(config.signals.clientAddress?.name.text == "X-Forwarded-For")
    #expect(config.policy.active.regional.map(\.canonicalText) == ["KR"])
    let directory = Self.path.split(separator: "/").dropLast().joined(separator: "/")
    #expect(config.database.path == "/\(directory)/../build/region-bucket.mmdb")
    #expect(!config.database.isRequired)
    #expect(config.cache.sharing == nil)
  }

  @Test func portMovesItsListener() throws {
    let config = try #require(load(environment: ["PORT": "9999"]).config)
    #expect(config.listening.listeners.map(\.text) == ["*:9999"])
  }

  /// One key as the file documents it.
  private struct Documented {
    /// What stands behind `// Default: `.
    var defaultText: String
    /// The comment above the key.
    var comment: String
  }

  /// Every line that has a key, live or commented out, by the path that it stands at.
  private func documentedKeys() throws -> [String: Documented] {
    var keys: [String: Documented] = [:]
    var sections: [Substring] = []
    var comment = ""
    for line in try text().split(separator: "\n") {
      let content = line.trimmed.hasPrefix("// ") ? String(line.trimmed.dropFirst(3)) : line.trimmed
      let name = content.prefix { $0 != ":" }
      if let mark = line.firstRange(of: "// Default: ") {
        let path = (sections + [name]).joined(separator: ".")
        #expect(keys[path] == nil, "twice: \(path)")
        keys[path] = Documented(defaultText: String(line[mark.upperBound...]), comment: comment)
        comment = ""
      } else if line.trimmed.hasPrefix("//") {
        comment += content + "\n"
      } else {
        if line.hasSuffix(": {") { sections.append(name) }
        if line.trimmed == "}," { sections.removeLast() }
        comment = ""
      }
    }
    return keys
  }

  private func text() throws -> String {
    String(decoding: try ConfigFileReader.read(Self.path), as: UTF8.self)
  }

  @Test func everyKeyIsDocumentedWithItsDefault() throws {
    var documented = try documentedKeys()
    for row in ConfigSchema.rows {
      let found = documented.removeValue(forKey: row.key.path)
      let key = try #require(found, "\(row.key.path) is missing")
      #expect(key.defaultText.hasPrefix(row.defaultValue.json5Text), "\(row.key.path)")
      #expect(key.comment.contains("(restart)") == (row.change == .restart), "\(row.key.path)")
    }
    #expect(documented.keys.sorted() == [], "no such keys")
  }

  @Test func everyKeyOfAListenerIsDocumented() throws {
    let text = try text()
    for key in ListenerKey.allCases { #expect(text.contains("//   \(key.rawValue) "), "\(key.rawValue)") }
  }

  @Test func everyPresetIsNamed() throws {
    let text = try text()
    for name in presetNames { #expect(text.contains("\"\(name)\""), "\(name)") }
  }

  /// Uncommenting whatever is commented out must give a file that the schema knows.
  @Test func everyExampleIsOfItsKind() throws {
    let text = try text()
    let live = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      guard line.contains("// Default: "), let mark = line.firstRange(of: "// ") else { return String(line) }
      return line.trimmed.hasPrefix("// ") ? String(line[mark.upperBound...]) : String(line)
    }
    let examples = Loading(
      environment: ["ORIGIN_SECRET": "0123456789abcdef"], files: ["/run/secrets/origin": "fedcba9876543210\n"]
    )
    let errors = examples.load(live.joined(separator: "\n")).diagnostics.filter { $0.severity == .error }
    // Two of the examples exclude each other.
    #expect(errors.map(\.path) == ["clientAddress.hops"])
    #expect(errors.map(\.problem) == ["`hops` counts entries and `skip` passes over them: set one"])
  }
}
