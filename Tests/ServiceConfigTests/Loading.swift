import ClientSignal

@testable import ServiceConfig

/// Loads configurations from text, with files that exist in the test only.
struct Loading {
  static let fileName = "/etc/region-bucket/test.json5"

  var environment: [String: String] = [:]
  var arguments: [String] = []
  var files: [String: String] = [:]
  var readsSecrets = true

  /// Loads a text as the configuration's file; nil is no file.
  func load(_ text: String?) -> ConfigLoad {
    var files = files
    files[Self.fileName] = text
    let readFile: ConfigLoader.ReadFile = { path throws(ConfigFileError) in
      guard let text = files[path] else { throw .errorNumber(2) }
      return Array(text.utf8)
    }
    return ConfigLoader.load(
      file: text == nil ? nil : Self.fileName, arguments: arguments, environment: environment,
      readsSecrets: readsSecrets, readFile: readFile)
  }

  /// The diagnostics of a text as lines, the file's name left out.
  func diagnostics(_ text: String?) -> [String] {
    load(text).diagnostics.map { $0.text.replacing(Self.fileName, with: "FILE") }
  }
}

/// A configuration without warnings, to add to.
let sound = "sources: ['cdn'], cdn: { preset: 'cloudfront' }, policy: { regional: ['KR'] }"

/// The names of every preset.
let presetNames = CDNPreset.all.map(\.name)
