import Synchronization

/// What happened to configuration and database since the start. Any thread.
package final class ServiceStatus: Sendable {
  /// One way in which a reload can end.
  package enum Reload: Int, CaseIterable, Sendable {
    case configurationLoaded
    case configurationRefused
    case databaseLoaded
    case databaseRefused

    /// What was read.
    package var what: String {
      switch self {
      case .configurationLoaded, .configurationRefused: "configuration"
      case .databaseLoaded, .databaseRefused: "database"
      }
    }

    /// What came of it.
    package var result: String {
      switch self {
      case .configurationLoaded, .databaseLoaded: "loaded"
      case .configurationRefused, .databaseRefused: "refused"
      }
    }
  }

  private struct Values {
    var reloads = [Int](repeating: 0, count: Reload.allCases.count)
    var databaseBuildSeconds: UInt64?
  }

  private let values = Mutex(Values())

  package init() {}

  /// How often a reload ended so.
  package func reloadCount(_ result: Reload) -> Int { values.withLock { $0.reloads[result.rawValue] } }

  /// When the database in use was made, in seconds since 1970; nil when there is none.
  package var databaseBuildSeconds: UInt64? { values.withLock { $0.databaseBuildSeconds } }

  func count(_ result: Reload) { values.withLock { $0.reloads[result.rawValue] += 1 } }

  func setDatabaseBuild(_ seconds: UInt64?) { values.withLock { $0.databaseBuildSeconds = seconds } }
}
