import HTTPWire

/// What a key is set to, and by whom.
package struct ConfigSetting: Equatable, Sendable {
  package var value: JSONValue
  package var origin: ConfigOrigin
}

/// Hands a configuration's settings to its sections as the types they have, and collects what the sections
/// find wrong with them.
///
/// Every value is of its row's kind: what was not has been reported and replaced by its default. Reading a
/// key as another kind than its row's is a programmer's error. Belongs to one load; not for several threads.
final class ConfigReader {
  let settings: [ConfigKey: ConfigSetting]
  /// The process's environment: secrets may stand there.
  let environment: [String: String]
  /// Whether the secrets themselves are asked for, or only where they would be.
  let readsSecrets: Bool
  /// Whether there is a file at all.
  let isFileNamed: Bool
  /// The directory that relative paths of the file start from, with its slash; empty is the working
  /// directory.
  let fileDirectory: String
  private let lines: [String: Int]
  private let readFile: ConfigLoader.ReadFile
  private(set) var diagnostics: [ConfigDiagnostic]
  /// Keys that an error was reported for: what depends on them is not worth another message.
  private(set) var brokenKeys: Set<ConfigKey>

  init(
    settings: [ConfigKey: ConfigSetting], brokenKeys: Set<ConfigKey>, diagnostics: [ConfigDiagnostic],
    environment: [String: String], readsSecrets: Bool, isFileNamed: Bool, fileDirectory: String,
    lines: [String: Int], readFile: @escaping ConfigLoader.ReadFile
  ) {
    self.settings = settings
    self.brokenKeys = brokenKeys
    self.diagnostics = diagnostics
    self.environment = environment
    self.readsSecrets = readsSecrets
    self.isFileNamed = isFileNamed
    self.fileDirectory = fileDirectory
    self.lines = lines
    self.readFile = readFile
  }

  // MARK: Values

  func value(_ key: ConfigKey) -> JSONValue { settings[key]!.value }

  func isSet(_ key: ConfigKey) -> Bool { settings[key]!.origin != .builtIn }

  func boolean(_ key: ConfigKey) -> Bool { optionalBoolean(key)! }

  func optionalBoolean(_ key: ConfigKey) -> Bool? {
    switch value(key) {
    case .boolean(let boolean): boolean
    case .null: nil
    default: preconditionFailure("\(key.path) is no boolean")
    }
  }

  func integer(_ key: ConfigKey) -> Int { optionalInteger(key)! }

  func optionalInteger(_ key: ConfigKey) -> Int? {
    switch value(key) {
    case .number(let number): Int(number)
    case .null: nil
    default: preconditionFailure("\(key.path) is no number")
    }
  }

  func seconds(_ key: ConfigKey) -> Duration {
    guard case .number(let number) = value(key) else { preconditionFailure("\(key.path) is no number") }
    return .nanoseconds(Int64((number * 1e9).rounded()))
  }

  func text(_ key: ConfigKey) -> String? {
    switch value(key) {
    case .text(let text): text
    case .null: nil
    default: preconditionFailure("\(key.path) is no text")
    }
  }

  func choice<Choice: RawRepresentable<String>>(_ key: ConfigKey) -> Choice {
    Choice(rawValue: text(key)!)!
  }

  func optionalChoice<Choice: RawRepresentable<String>>(_ key: ConfigKey) -> Choice? {
    text(key).map { Choice(rawValue: $0)! }
  }

  /// A field name; nil when none is set, or when an error was reported.
  func fieldName(_ key: ConfigKey) -> FieldName? {
    guard let text = text(key) else { return nil }
    guard let name = FieldName(text) else {
      error(
        key, "\(JSONValue.text(text).brief) is not a field name",
        hint: "RFC 9110 §5.6.2 allows letters, digits and `-`")
      return nil
    }
    guard !Self.fieldsOfTheMessage.contains(name) else {
      error(
        key, "`\(text)` is about the message or the connection, and says nothing of the client",
        hint: "name the field that the CDN or proxy in front writes")
      return nil
    }
    return name
  }

  /// Fields that route or frame a message, or that each hop writes anew (RFC 9110 §7.2, §7.6.1, §7.8, §10.1.1,
  /// §10.1.4, §11.7; RFC 9112 §6): what they hold is no word of whoever is trusted.
  private static let fieldsOfTheMessage = Set(
    [
      "Host", "Content-Length", "Transfer-Encoding", "Trailer", "TE", "Connection", "Keep-Alive",
      "Proxy-Connection", "Upgrade", "HTTP2-Settings", "Expect", "Proxy-Authenticate", "Proxy-Authorization",
    ].map { (name: StaticString) in FieldName(name) })

  /// A list's elements; nil when the key's default is nothing, and holds.
  func texts(_ key: ConfigKey) -> [String]? {
    switch value(key) {
    case .list(let elements):
      elements.map { element in
        guard case .text(let text) = element else { preconditionFailure("\(key.path) is no list of texts") }
        return text
      }
    case .text(let text): [text]
    case .null: nil
    default: preconditionFailure("\(key.path) is no list")
    }
  }

  // MARK: Files

  /// A path that a key holds: relative to the file's directory when the file says it, else to the working
  /// directory.
  func resolved(_ path: String, of key: ConfigKey) -> String {
    guard case .file = settings[key]!.origin, !path.hasPrefix("/") else { return path }
    return fileDirectory + path
  }

  func read(_ path: String) throws(ConfigFileError) -> [UInt8] { try readFile(path) }

  // MARK: Diagnostics

  /// Reports that a key's value, or one element of it, cannot be used.
  func error(_ key: ConfigKey, at element: String = "", _ problem: String, hint: String? = nil) {
    brokenKeys.insert(key)
    report(.error, key, element, problem, hint)
  }

  /// Reports that a key's value can be used but is doubtful.
  func warning(_ key: ConfigKey, at element: String = "", _ problem: String, hint: String? = nil) {
    report(.warning, key, element, problem, hint)
  }

  /// Reports that keys do not go together, at the first of them; not when one of them is broken by itself.
  func contradiction(_ keys: [ConfigKey], _ problem: String, hint: String? = nil) {
    guard brokenKeys.isDisjoint(with: keys) else { return }
    // The others stay sound: each contradiction is reported, whatever its order.
    report(.error, keys[0], "", problem, hint)
  }

  /// Reports that keys do not go well together; not when one of them is broken by itself.
  func doubt(_ keys: [ConfigKey], _ problem: String, hint: String? = nil) {
    guard brokenKeys.isDisjoint(with: keys) else { return }
    report(.warning, keys[0], "", problem, hint)
  }

  private func report(
    _ severity: ConfigDiagnostic.Severity, _ key: ConfigKey, _ element: String, _ problem: String,
    _ hint: String?
  ) {
    var origin = settings[key]!.origin
    if case .file(let name, _) = origin {
      origin = .file(name: name, line: lines[key.path + element] ?? lines[key.path])
    }
    diagnostics.append(
      ConfigDiagnostic(
        severity: severity, origin: origin, path: key.path + element, problem: problem, hint: hint))
  }
}
