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
    let unknown = environment.filter { variable, text in
      variable.hasPrefix(ConfigName.environmentPrefix) && !known.contains(variable)
        && !secrets.contains(.text(variable)) && !ServiceLink.isLink(variable, text)
    }
    for variable in unknown.keys.sorted() {
      let nearest = NearestName.hint(for: variable, among: known)
      let isSecret = variable.hasPrefix(ConfigName.environmentPrefix + "ORIGIN_SECRET")
      let isPort = variable == ConfigName.environmentPrefix + ConfigName.portVariable
      let port = "set `\(ConfigName.portVariable)`, or `\(ConfigKey.listeners.environmentVariable)`"
      error(
        .environment(variable: variable), "", "there is no such key",
        hint: isPort ? port : nearest ?? (isSecret ? OriginSecretAdvice.hint : nil))
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

/// The variables that Kubernetes sets for every service of a namespace: for one named `region-bucket` they
/// have this program's prefix, and nobody has written them.
enum ServiceLink {
  private static let protocols = ["tcp", "udp", "sctp"]

  /// Whether a variable is one of `…_SERVICE_HOST`, `…_SERVICE_PORT[_NAME]`, `…_PORT` and
  /// `…_PORT_80_TCP[_PROTO|_PORT|_ADDR]`.
  static func isLink(_ variable: String, _ text: String) -> Bool {
    let name = variable.dropFirst(ConfigName.environmentPrefix.count)
    if name == "SERVICE_HOST" || name == "SERVICE_PORT" || name.hasPrefix("SERVICE_PORT_") { return true }
    // A number there was written by somebody who means a key that there is not.
    if name == "PORT" { return protocols.contains { text.hasPrefix("\($0)://") } }
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return (3...4).contains(words.count) && words[0] == "PORT" && UInt16(words[1]) != nil
      && protocols.contains(words[2].lowercased())
      && (words.count == 3 || ["PROTO", "PORT", "ADDR"].contains(words[3]))
  }
}
