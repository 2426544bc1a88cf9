/// Tells the command line's flags for keys from everything else on it.
package enum ConfigFlags {
  /// One flag for a key.
  struct Setting: Equatable {
    var key: ConfigKey
    /// What stands behind `=` or in the next argument; nil when nothing does.
    var text: String?
  }

  enum Item: Equatable {
    case setting(Setting)
    case other(String)
  }

  /// The arguments that set keys, and the rest, both in their order. `--` ends the flags; it and what follows
  /// are the rest.
  package static func split(_ arguments: [String]) -> (settings: [String], rest: [String]) {
    var settings: [String] = []
    var rest: [String] = []
    for item in items(of: arguments) {
      switch item {
      case .setting(let setting): settings.append(setting.key.flag + (setting.text.map { "=\($0)" } ?? ""))
      case .other(let argument): rest.append(argument)
      }
    }
    return (settings, rest)
  }

  /// `--flag=value`, `--flag value`, and for booleans also `--flag` alone.
  static func items(of arguments: [String]) -> [Item] {
    var items: [Item] = []
    var remaining = arguments[...]
    while let argument = remaining.popFirst() {
      if argument == "--" {
        items += ([argument] + remaining).map { .other($0) }
        return items
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = ConfigSchema.keyOfFlag[String(parts[0])] else {
        items.append(.other(argument))
        continue
      }
      var text = parts.count == 2 ? String(parts[1]) : nil
      if text == nil {
        let kind = ConfigSchema.row[key]!.kind
        let next = remaining.first
        if case .boolean = kind {
          text = next.flatMap { kind.value(ofText: $0) == nil ? nil : $0 }
        } else if let next, !next.hasPrefix("--") {
          text = next
        }
        if text != nil { remaining.removeFirst() } else if case .boolean = kind { text = "true" }
      }
      items.append(.setting(Setting(key: key, text: text)))
    }
    return items
  }
}

extension SettingCollector {
  /// Adds what the command line says; of a flag that is there twice, the last.
  mutating func addFlags(_ arguments: [String]) {
    var items = ConfigFlags.items(of: arguments)[...]
    while let item = items.popFirst() {
      switch item {
      case .setting(let setting):
        let origin = ConfigOrigin.flag(setting.key.flag)
        guard let text = setting.text, !text.isEmpty else {
          error(origin, setting.key.path, "the flag has no value")
          continue
        }
        set(ConfigSchema.row[setting.key]!, toText: text, from: origin)
      case .other(let argument):
        var value: String?
        // What follows an unknown flag is its value, as it would be of a known one.
        if argument.hasPrefix("--"), argument != "--", !argument.contains("="),
          case .other(let next)? = items.first, !next.hasPrefix("--")
        {
          value = next
          items.removeFirst()
        }
        reportUnknownArgument(argument, value: value)
      }
    }
  }

  /// Of a flag only its name is repeated, and a port; of anything else nothing: it may be a secret.
  private mutating func reportUnknownArgument(_ argument: String, value: String?) {
    guard argument.hasPrefix("--"), argument.utf8.count > 2 else {
      return error(.flag("command line"), "", "an argument is no flag")
    }
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    let hint = Self.hint(parts[0], value ?? parts.dropFirst().first)
    error(.flag(parts[0]), "", "there is no such flag", hint: hint)
  }

  private static func hint(_ name: String, _ value: String?) -> String? {
    if name == "--\(ConfigName.portVariable.lowercased())" {
      let port = value.flatMap { UInt16($0) } ?? 8080
      return "`\(ConfigKey.listeners.flag) \(port)`, or the variable \(ConfigName.portVariable)"
    }
    return NearestName.hint(for: name, among: ConfigSchema.keyOfFlag.keys.sorted())
      ?? (name.hasPrefix("--origin-secret") ? OriginSecretAdvice.hint : nil)
  }
}
