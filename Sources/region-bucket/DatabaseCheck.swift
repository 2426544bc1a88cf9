import GeoLookup
import Glibc
import RegionModel
import RegionService
import ServiceConfig

/// What `check` finds in the configured database.
struct DatabaseCheck {
  /// Its type, size and age; nil when it cannot be used.
  private(set) var facts: String?
  private(set) var diagnostics: [ConfigDiagnostic] = []

  private let config: ServiceConfig

  /// Nil when no database is asked.
  init?(_ config: ServiceConfig) {
    self.config = config
    guard config.signals.sources.contains(.database), let path = config.database.path else { return nil }
    do throws(DatabaseError) {
      let metadata = try MaxMindDatabase(path: path).metadata
      let days = DatabaseState.ageDays(
        buildEpochSeconds: metadata.buildEpochSeconds, unixSeconds: Int64(time(nil)))
      facts = "\(metadata.type), \(metadata.nodeCount) nodes, \(days) days old"
      checkAge(days)
      checkNeeds(metadata.type)
    } catch {
      report(
        config.database.isRequired ? .error : .warning, "\(path): \(error.text)",
        hint: "`region-bucket database build` makes one")
    }
  }

  private mutating func checkAge(_ days: Int) {
    if let limit = config.database.unknownAfterDays, days > limit {
      report(.warning, "the database is \(days) days old, and answers unknown after \(limit)")
    } else if let limit = config.database.maxAgeDays, days > limit {
      report(.warning, "the database is \(days) days old; database.maxAgeDays is \(limit)")
    }
  }

  /// Warns of rules that the database cannot settle, where it is asked first: country databases say so in their type.
  private mutating func checkNeeds(_ type: String) {
    guard type.contains("Country"), config.signals.sources.first == .database else { return }
    for part in config.policy.active.needsOfAnyCountry.parts {
      let consequence = config.signals.consequence(of: part)
      report(
        .warning,
        "a place needs a \(part.rawValue), and a `\(type)` database has none: \(consequence.problem)",
        hint: consequence.hint)
    }
  }

  private mutating func report(
    _ severity: ConfigDiagnostic.Severity, _ problem: String, hint: String? = nil
  ) {
    let key = ConfigKey.databasePath
    let origin = config.settings[key]?.origin ?? .builtIn
    diagnostics.append(
      ConfigDiagnostic(severity: severity, origin: origin, path: key.path, problem: problem, hint: hint))
  }
}
