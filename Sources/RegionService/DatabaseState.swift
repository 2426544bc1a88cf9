import GeoLookup
import ServiceConfig

/// The database that is in use, and how old it is. Immutable.
package struct DatabaseState: Sendable {
  /// Nil: none could be loaded so far.
  package var database: MaxMindDatabase?

  package init(database: MaxMindDatabase?) { self.database = database }

  /// How old its data are.
  package enum Age: Equatable, Sendable {
    case fresh
    /// Older than `database.maxAgeDays`: worth a warning.
    case old
    /// Older than `database.unknownAfterDays`: not used any more.
    case tooOld
  }

  /// The age of a database in whole days; 0 for one from the future.
  package static func ageDays(buildEpochSeconds: UInt64, unixSeconds: Int64) -> Int {
    max(0, Int(unixSeconds) - Int(clamping: buildEpochSeconds)) / 86_400
  }

  /// The age by the configuration's two limits.
  package func age(_ config: DatabaseConfig, unixSeconds: Int64) -> Age {
    guard let database else { return .fresh }
    let days = Self.ageDays(
      buildEpochSeconds: database.metadata.buildEpochSeconds, unixSeconds: unixSeconds)
    if let limit = config.unknownAfterDays, days > limit { return .tooOld }
    if let limit = config.maxAgeDays, days > limit { return .old }
    return .fresh
  }

  /// What a decider may use of it.
  package func usable(_ config: DatabaseConfig, unixSeconds: Int64) -> Decider.Database {
    guard let database else { return .missing }
    if age(config, unixSeconds: unixSeconds) == .tooOld { return .tooOld }
    return .loaded(GeoSignal(database: database, fields: ServiceAssembly.fields(config)))
  }
}
