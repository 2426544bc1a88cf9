extension SettingCollector {
  /// Adds what the environment says. A variable that is set to nothing is as good as not set: Compose files
  /// and the like can do no better.
  mutating func addEnvironment(_ environment: [String: String]) {
    for row in ConfigSchema.rows {
      let variable = row.key.environmentVariable
      guard let text = environment[variable], !text.isEmpty else { continue }
      set(row, toText: text, from: .environment(variable: variable))
    }
    if let port = environment[ConfigName.portVariable], !port.isEmpty { setPort(port) }
  }

  /// Adds a text of the environment or of the command line.
  mutating func set(_ row: ConfigRow, toText text: String, from origin: ConfigOrigin) {
    if let value = row.value(ofText: text) {
      set(row.key, to: value, from: origin)
    } else {
      reject(row.key, .text(text), from: origin)
    }
  }

  /// Reports the variables that have this program's prefix and set no key. Comes last, since any of them may
  /// be one that `originSecret.fromEnvironment` names.
  mutating func reportUnknownVariables(_ environment: [String: String]) {
    let known = ConfigSchema.keyOfVariable.keys.sorted() + [ConfigName.fileVariable]
    var secrets: [JSONValue] = []
    if case .list(let names) = setting(.originSecretFromEnvironment) { secrets = names }
    if case .text = setting(.originSecretFromEnvironment) {
      secrets = [setting(.originSecretFromEnvironment)]
    }
    let unknown = environment.keys.filter {
      $0.hasPrefix(ConfigName.environmentPrefix) && !known.contains($0) && !secrets.contains(.text($0))
    }
    for variable in unknown.sorted() {
      let nearest = NearestName.of(variable, among: known).map { "did you mean `\($0)`?" }
      let isSecret = variable.hasPrefix(ConfigName.environmentPrefix + "ORIGIN_SECRET")
      error(
        .environment(variable: variable), "", "there is no such key",
        hint: nearest ?? (isSecret ? OriginSecretAdvice.hint : nil))
    }
  }
}

extension ConfigRow {
  /// The value that a text of the environment or of the command line stands for; nil when it can stand for
  /// none.
  func value(ofText text: String) -> JSONValue? {
    if text == "none", defaultValue == .null, !kind.isList { return .null }
    return kind.value(ofText: text)
  }
}
