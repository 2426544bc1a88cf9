/// Gathers what file, environment and flags say of each key, and reports what is no setting at all.
struct SettingCollector {
  var diagnostics: [ConfigDiagnostic] = []
  /// Keys that somebody set to what cannot be.
  private(set) var brokenKeys: Set<ConfigKey> = []
  /// The lines of the file's key paths.
  var lines: [String: Int] = [:]
  /// What was set so far: each kind of origin is added after those that it goes before.
  private var settings: [ConfigKey: ConfigSetting] = [:]
  private var port: String?

  /// Notes what an origin says of a key; reports it when it is not of the key's kind.
  mutating func set(_ key: ConfigKey, to value: JSONValue, from origin: ConfigOrigin) {
    let row = ConfigSchema.row[key]!
    if value == .null {
      // Said aloud that nothing is set: the default, unless something else can be said to be nothing.
      settings[key] = row.defaultValue == .null ? ConfigSetting(value: .null, origin: origin) : nil
    } else if row.kind.accepts(value) {
      settings[key] = ConfigSetting(value: value, origin: origin)
    } else {
      reject(key, value, from: origin)
    }
  }

  /// Reports a value that is not of its key's kind.
  mutating func reject(_ key: ConfigKey, _ value: JSONValue, from origin: ConfigOrigin) {
    let row = ConfigSchema.row[key]!
    brokenKeys.insert(key)
    var problem = "expected \(row.kind.expectation)"
    var hint: String?
    if row.mayHoldSecret {
      hint = nil
    } else {
      problem += ", found \(value.brief)"
      if case .text(let text) = value {
        if case .choice(let words) = row.kind {
          hint = NearestName.hint(for: text, among: words)
        } else if case .file = origin, let plain = row.kind.value(ofText: text), row.kind.accepts(plain) {
          hint = "write it without quotes"
        }
      }
    }
    error(origin, key.path, problem, hint: hint)
  }

  /// Notes that what a key or a section was to be is not known: what depends on it is not worth a message.
  mutating func markBroken(_ path: String) {
    brokenKeys.formUnion(ConfigKey.allCases.filter { $0.path == path || $0.path.hasPrefix(path + ".") })
  }

  mutating func error(_ origin: ConfigOrigin, _ path: String, _ problem: String, hint: String? = nil) {
    diagnostics.append(
      ConfigDiagnostic(severity: .error, origin: origin, path: path, problem: problem, hint: hint))
  }

  /// `PORT`, for the default listener.
  mutating func setPort(_ text: String) {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), UInt16(text) != nil {
      port = text
    } else {
      markBroken(ConfigKey.listeners.path)
      error(
        .environment(variable: ConfigName.portVariable), "",
        "\(JSONValue.text(text).brief) is no port from 0 to 65535")
    }
  }

  /// What a key was set to; `null` when nobody did.
  func setting(_ key: ConfigKey) -> JSONValue { settings[key]?.value ?? .null }

  /// A setting for every key: what was set, or the default.
  func effectiveSettings() -> [ConfigKey: ConfigSetting] {
    var effective = settings
    for row in ConfigSchema.rows where effective[row.key] == nil {
      effective[row.key] = ConfigSetting(value: row.defaultValue, origin: .builtIn)
    }
    if let port, settings[.listeners] == nil {
      effective[.listeners] = ConfigSetting(
        value: .list([.text(port)]), origin: .environment(variable: ConfigName.portVariable))
    }
    return effective
  }
}
