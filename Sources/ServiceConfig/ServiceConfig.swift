import RegionModel

/// A whole configuration that has been checked. Immutable in use; usable from any thread.
package struct ServiceConfig: Sendable {
  package var listening: ListeningConfig
  package var trust: TrustConfig
  package var signals: SignalsConfig
  package var database: DatabaseConfig
  package var policy: PolicyConfig
  package var cache: CacheConfig
  package var cors: CORSConfig
  package var limits: LimitsConfig
  package var timeouts: TimeoutsConfig
  package var drain: DrainConfig
  package var logging: LoggingConfig

  /// What each key was set to, and by whom: for print and comparison. Names of environment variables and
  /// files that hold the secret are among it, the secret is not.
  package let settings: [ConfigKey: ConfigSetting]

  /// Builds every section, so that all that is wrong is found in one go. What cannot be built is replaced by
  /// something harmless and reported: the value may be used only if the reader has no error.
  init(reading reader: ConfigReader) {
    listening = ListeningConfig(reading: reader)
    trust = TrustConfig(reading: reader, listening: listening)
    policy = PolicyConfig(reading: reader)
    signals = SignalsConfig(reading: reader, trust: trust, policy: policy)
    database = DatabaseConfig(reading: reader, sources: signals.sources)
    cors = CORSConfig(reading: reader)
    cache = CacheConfig(reading: reader, preset: signals.preset, sources: signals.sources, cors: cors)
    limits = LimitsConfig(reading: reader)
    timeouts = TimeoutsConfig(reading: reader)
    drain = DrainConfig(reading: reader)
    logging = LoggingConfig(reading: reader)
    settings = reader.settings
  }

  /// Keys whose values differ from another configuration's and that a running service does not take on.
  package func keysThatNeedRestart(comparedWith running: ServiceConfig) -> [ConfigKey] {
    keysThatDiffer(from: running).filter { ConfigSchema.row[$0]!.change == .restart }
  }

  /// What is in force once a process that has started by another configuration takes this one on: keys that need a
  /// restart are as they were.
  package func settingsInForce(startedWith start: ServiceConfig) -> [ConfigKey: ConfigSetting] {
    var inForce = settings
    for row in ConfigSchema.rows where row.change == .restart { inForce[row.key] = start.settings[row.key] }
    return inForce
  }

  /// Keys whose values differ from another configuration's, wherever they were set.
  package func keysThatDiffer(from other: ServiceConfig) -> [ConfigKey] {
    ConfigKey.allCases.filter { key in
      switch key {
      // These have several spellings.
      case .listeners: listening.listeners != other.listening.listeners
      case .adminListener: listening.adminListener != other.listening.adminListener
      default: settings[key]!.value != other.settings[key]!.value
      }
    }
  }
}
