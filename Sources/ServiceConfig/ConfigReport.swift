import ClientSignal
import HTTPWire

/// Configurations and what is wrong with them, as text for the operator. No secret is ever in it.
package enum ConfigReport {
  /// The diagnostics, a line each, and how many there are; empty when there is none.
  package static func text(of diagnostics: [ConfigDiagnostic]) -> String {
    guard !diagnostics.isEmpty else { return "" }
    let errorCount = diagnostics.count { $0.severity == .error }
    let warningCount = diagnostics.count - errorCount
    let counts = [count(errorCount, "error"), count(warningCount, "warning")].compactMap(\.self)
    return diagnostics.map(\.text).joined(separator: "\n") + "\n" + counts.joined(separator: ", ") + "\n"
  }

  /// The effective configuration: each key with its value and where that came from, and the policy's
  /// fingerprint. A field that nobody named and that the preset knows is shown as the preset has it.
  package static func text(of config: ServiceConfig) -> String {
    let lines = ConfigKey.allCases.map { key in
      let setting = config.settings[key]!
      if setting.value == .null, let field = presetField(key, config.signals.preset) {
        let origin = "\(ConfigKey.cdnPreset.path) \(config.signals.preset.name)"
        return (left: "\(key.path): \(JSONValue.text(field.text).json5Text)", origin: origin)
      }
      return (left: "\(key.path): \(setting.value.json5Text)", origin: setting.origin.text)
    }
    let columnMax = 60
    let column = min(lines.map(\.left.count).max() ?? 0, columnMax)
    var text = lines.map { line in
      line.left + String(repeating: " ", count: max(column - line.left.count, 0)) + "  // \(line.origin)\n"
    }.joined()
    text += "policy fingerprint: \(config.policy.active.fingerprint)\n"
    if let shadow = config.policy.shadow { text += "shadow policy fingerprint: \(shadow.fingerprint)\n" }
    return text
  }

  private static func presetField(_ key: ConfigKey, _ preset: CDNPreset) -> FieldName? {
    switch key {
    case .cdnCountryHeader: preset.country?.name
    case .cdnSubdivisionHeader: preset.subdivision?.name
    case .cdnCityHeader: preset.city?.name
    case .clientAddressHeader: preset.clientAddress?.name
    default: nil
    }
  }

  /// Every key: what it is, what it takes, its default, and the names by which it is set.
  package static let reference = ConfigSchema.rows.map { row in
    let change = row.change == .restart ? "at the next start" : "at the next reload"
    return """
      \(row.key.path)
        \(row.help)
        Takes \(row.kind.expectation); default \(row.defaultValue.json5Text); a change takes effect \(change).
        \(row.key.flag), \(row.key.environmentVariable)

      """
  }.joined(separator: "\n")

  private static func count(_ count: Int, _ noun: String) -> String? {
    switch count {
    case 0: nil
    case 1: "1 \(noun)"
    default: "\(count) \(noun)s"
    }
  }
}
