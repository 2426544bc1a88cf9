@testable import ServiceConfig

/// Configuration files: judged, never believed by half, each error at its place; what was understood can be written
/// down and read again.
enum ConfigFuzzing {
  private static let secret = "S3CRET-S3CRET-S3CRET"

  static func check(_ bytes: [UInt8]) {
    let load = load(bytes)
    expect((load.config == nil) == load.diagnostics.hasErrors, "a configuration has no errors")
    let lineCount = bytes.count { $0 == 0x0A } + 1
    for diagnostic in load.diagnostics {
      expect(!diagnostic.text.contains(secret), "no message tells the secret")
      expect(diagnostic.text.unicodeScalars.allSatisfy(isPrintable), "a message is one line of print")
      checkPlace(diagnostic, lineCount)
    }
    if let outline = try? JSON5Outline(scanning: bytes), String(validating: bytes, as: UTF8.self) != nil {
      expect((try? JSONValue.decode(json5: bytes)) != nil, "the decoder takes what the outline takes")
      expect(outline.lines.values.allSatisfy { (1...lineCount).contains($0) }, "lines are the text's own")
    }
    guard let config = load.config else { return }
    checkWrittenAgain(config)
  }

  /// An error names its key, or where that is not known the line, or the file as a whole is none.
  private static func checkPlace(_ diagnostic: ConfigDiagnostic, _ lineCount: Int) {
    if case .file(_, let line?) = diagnostic.origin {
      expect((1...lineCount).contains(line), "a line is one of the file's")
      return
    }
    let isOfTheWhole =
      diagnostic.problem == "the file is not UTF-8"
      || diagnostic.problem.hasPrefix("expected an object, found")
    expect(isOfTheWhole || !diagnostic.path.isEmpty, "an error has a key: \(diagnostic.text)")
  }

  private static func checkWrittenAgain(_ config: ServiceConfig) {
    let settings = config.settings.filter { $0.value.origin != .builtIn && $0.value.value != .null }
    var root: [String: JSONValue] = [:]
    for (key, setting) in settings {
      insert(setting.value, at: key.path.split(separator: ".").map(String.init), &root)
    }
    let again = load(Array(JSONValue.object(root).json5Text.utf8))
    guard let reread = again.config else {
      return expect(false, "what was read can be written: \(again.diagnostics.map(\.text))")
    }
    expect(config.keysThatDiffer(from: reread).isEmpty, "what was written is read as it was")
    expect(config.policy.active.fingerprint == reread.policy.active.fingerprint, "the policy is the same")
    _ = ConfigReport.text(of: config)
  }

  private static func insert(_ value: JSONValue, at path: [String], _ object: inout [String: JSONValue]) {
    guard path.count > 1 else {
      object[path[0]] = value
      return
    }
    var inner: [String: JSONValue] = [:]
    if case .object(let members)? = object[path[0]] { inner = members }
    insert(value, at: Array(path.dropFirst()), &inner)
    object[path[0]] = .object(inner)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
  }

  private static func load(_ bytes: [UInt8]) -> ConfigLoad {
    ConfigLoader.load(file: "dir/f", arguments: [], environment: ["SECRET": secret]) {
      path throws(ConfigFileError) in
      switch path {
      case "dir/f": return bytes
      case "dir/blocks": return Array("192.0.2.0/24\n".utf8)
      case "dir/secret": return Array(secret.utf8)
      default: throw .errorNumber(2)
      }
    }
  }
}
