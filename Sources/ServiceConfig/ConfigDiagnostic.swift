/// Where a setting came from.
package enum ConfigOrigin: Equatable, Sendable {
  /// Nobody set it.
  case builtIn
  /// The configuration file, as it was named, and the line there.
  case file(name: String, line: Int?)
  /// An environment variable.
  case environment(variable: String)
  /// A flag of the command line.
  case flag(String)

  /// The place as messages name it: `region-bucket.json5:12`, `REGION_BUCKET_LOOPS`, `--loops`, `default`.
  package var text: String {
    switch self {
    case .builtIn: "default"
    case .file(let name, let line): line.map { "\(name):\($0)" } ?? name
    case .environment(let variable): variable
    case .flag(let flag): flag
    }
  }
}

/// One thing that is wrong, or doubtful, about a configuration.
///
/// It never holds a secret: what was written under a key that may hold one is not repeated.
package struct ConfigDiagnostic: Equatable, Sendable {
  package enum Severity: String, Sendable {
    /// The configuration cannot be used: exit status 78 (`EX_CONFIG` of sysexits.h).
    case error
    /// The configuration can be used, and probably does not do what was meant.
    case warning
  }

  package var severity: Severity
  /// Where the setting stands.
  package var origin: ConfigOrigin
  /// The key path, with the element's place in a list: `policy.regional[2]`. Empty when no key is concerned.
  package var path: String
  /// What is wrong.
  package var problem: String
  /// What to do about it.
  package var hint: String?

  package init(
    severity: Severity, origin: ConfigOrigin, path: String, problem: String, hint: String? = nil
  ) {
    self.severity = severity
    self.origin = origin
    self.path = path
    self.problem = problem
    self.hint = hint
  }

  /// Whether it is about how a bucket is found, which a stand-in never does.
  package var isAboutTheDecision: Bool {
    ["sources", "cdn", "edge", "policy"].contains { path == $0 || path.hasPrefix("\($0).") }
  }

  /// One line: `error: region-bucket.json5:12: loops: expected a whole number …; …`.
  package var text: String {
    var parts = ["\(severity.rawValue): "]
    // A default's place is no place to look at.
    if origin != .builtIn { parts.append("\(origin.text): ") }
    if !path.isEmpty { parts.append("\(path): ") }
    parts.append(problem)
    if let hint { parts.append("; \(hint)") }
    return parts.joined()
  }
}

extension [ConfigDiagnostic] {
  /// Whether the configuration cannot be used.
  package var hasErrors: Bool { contains { $0.severity == .error } }

  /// In the order in which they are to be read: errors first, and of each kind the file's by line, then the
  /// environment's, the flags' and those that have no place.
  package func inReadingOrder() -> [ConfigDiagnostic] {
    func rank(_ diagnostic: ConfigDiagnostic) -> (Int, Int, Int) {
      let severity = diagnostic.severity == .error ? 0 : 1
      switch diagnostic.origin {
      case .file(_, let line): return (severity, 0, line ?? 0)
      case .environment: return (severity, 1, 0)
      case .flag: return (severity, 2, 0)
      case .builtIn: return (severity, 3, 0)
      }
    }
    // The sort is stable.
    return sorted { rank($0) < rank($1) }
  }
}
