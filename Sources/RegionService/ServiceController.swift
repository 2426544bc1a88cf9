import Dispatch
import GeoLookup
import RegionModel
import ServiceConfig

#if canImport(Glibc)
  import Glibc
#endif

/// Keeps configuration and database current while requests are answered: reads them again when told, or when the
/// database file changes, and hands loops a new snapshot only when all of it is good.
///
/// Confined to its own serial queue; calls from outside return at once.
package final class ServiceController: @unchecked Sendable {
  /// Reads the configuration anew, from wherever it came.
  package typealias LoadConfig = @Sendable () -> ConfigLoad

  /// What it has done, for metrics; any thread may read.
  package let status: ServiceStatus

  private let queue = DispatchQueue(label: "control")
  private let log: Log
  private let loadConfig: LoadConfig
  private let always: RegionBucket?
  /// What the process has started with: keys that need a restart stay as they are there.
  private let startConfig: ServiceConfig
  private var config: ServiceConfig
  private var database: DatabaseState
  private var age = DatabaseState.Age.fresh
  private var watch: DatabaseWatch
  private var generation: UInt32 = 0
  private var adopt: (@Sendable (ServiceSnapshot) -> Void)?
  private var timer: (any DispatchSourceTimer)?
  private var summary: MinuteSummary?
  /// What is counted and logged once every loop has been told: whoever sees the count or the line is answered by what
  /// was loaded.
  private var unannounced: [(event: LogEvent, reload: ServiceStatus.Reload?)] = []
  /// Snapshots that loops may still use, the one in force last. Whoever lets go of a database last unmaps it, which
  /// takes a time that no loop has: so it is always this queue.
  private var handedOver: [ServiceSnapshot] = []

  /// Opens the configured database.
  ///
  /// - Throws: `DatabaseError` when it cannot be had and the configuration requires it.
  package init(
    config: ServiceConfig, always: RegionBucket? = nil, log: Log, loadConfig: @escaping LoadConfig
  ) throws(DatabaseError) {
    startConfig = config
    self.config = config
    self.always = always
    self.log = log
    self.loadConfig = loadConfig
    status = ServiceStatus()
    database = DatabaseState(database: nil)
    watch = DatabaseWatch(settleMilliseconds: 0, read: nil)
    guard config.signals.sources.contains(.database) else { return }
    do throws(DatabaseError) { try openDatabase(of: config) } catch {
      if config.database.isRequired { throw error }
      report(error, config)
    }
  }

  /// The snapshot to start with. Call once, before `start`.
  package func firstSnapshot() -> ServiceSnapshot {
    handedOver = [makeSnapshot()]
    announce()
    return handedOver[0]
  }

  /// Begins to watch; snapshots that follow are handed to `adopt`, on the controller's queue. The metrics are
  /// summed up in a line a minute.
  package func start(metrics: Metrics, adopt: @escaping @Sendable (ServiceSnapshot) -> Void) {
    queue.async { [self] in
      summary = MinuteSummary(metrics: metrics)
      recordConfiguration()
      self.adopt = adopt
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(
        deadline: .now() + .milliseconds(500), repeating: .milliseconds(500), leeway: .milliseconds(50))
      timer.setEventHandler { [weak self] in self?.tick() }
      timer.activate()
      self.timer = timer
    }
  }

  /// Reads the configuration and the database again, as SIGHUP asks.
  package func reload(then done: @escaping @Sendable () -> Void = {}) {
    queue.async {
      self.reloadAll()
      done()
    }
  }

  private var unixSeconds: Int64 { Int64(time(nil)) }

  private func reloadAll() {
    let loaded = loadConfig()
    for diagnostic in loaded.diagnostics {
      let level: LogLevel = diagnostic.severity == .error ? .error : .warning
      log.record(LogEvent(level, "configuration-problem", [("problem", .operatorText(diagnostic.text))]))
    }
    guard let fresh = loaded.config else {
      status.count(.configurationRefused)
      log.record(LogEvent(.error, "configuration-refused"))
      return
    }
    for key in fresh.keysThatNeedRestart(comparedWith: startConfig) {
      log.record(LogEvent(.warning, "restart-needed", [("key", .operatorText(key.path))]))
    }
    guard readDatabase(for: fresh) else {
      status.count(.configurationRefused)
      log.record(LogEvent(.error, "configuration-refused"))
      return
    }
    config = fresh
    log.setLevel(fresh.logging.level)
    handOver()
    status.count(.configurationLoaded)
    recordConfiguration()
    log.record(
      LogEvent(.info, "configuration-loaded", [("policy", .operatorText(config.policy.active.fingerprint))]))
  }

  /// Opens the database of a new configuration. On failure the old one stays if it is of the same file, and the
  /// configuration is good all the same; false when the new configuration would be left without one it requires.
  private func readDatabase(for fresh: ServiceConfig) -> Bool {
    guard fresh.signals.sources.contains(.database) else {
      database = DatabaseState(database: nil)
      return true
    }
    let before = database
    do throws(DatabaseError) {
      try openDatabase(of: fresh)
      return true
    } catch {
      status.count(.databaseRefused)
      report(error, fresh)
      if fresh.database.path == config.database.path, before.database != nil { return true }
      if fresh.database.isRequired { return false }
      database = DatabaseState(database: nil)
      return true
    }
  }

  private func openDatabase(of config: ServiceConfig) throws(DatabaseError) {
    let path = config.database.path ?? ""
    let signature = FileSignature.of(path: path)
    watch = DatabaseWatch(settleMilliseconds: config.database.settle.wholeMilliseconds, read: signature)
    // Before requests are served nobody is to be let go first.
    let isServing = adopt != nil
    let opened =
      isServing
      ? try ModestThread.run { Result { () throws(DatabaseError) in try MaxMindDatabase(path: path) } }.get()
      : try MaxMindDatabase(path: path)
    database = DatabaseState(database: opened)
    let metadata = opened.metadata
    let event = LogEvent(
      .info, "database-loaded",
      [
        ("path", .operatorText(path)), ("type", .operatorText(metadata.type)),
        ("built", .operatorText(Timestamp.text(Int64(clamping: metadata.buildEpochSeconds)))),
        ("nodes", .integer(metadata.nodeCount)), ("bytes", .integer(metadata.fileBytes)),
      ])
    // The one that the process starts with is no reload.
    unannounced.append((event, isServing ? .databaseLoaded : nil))
  }

  private func report(_ error: DatabaseError, _ config: ServiceConfig) {
    log.record(
      LogEvent(
        .error, "database-refused",
        [("path", .operatorText(config.database.path ?? "")), ("problem", .operatorText(error.text))]))
  }

  /// What is in force and differs from the defaults, so that a log says by what the service ran. No setting holds a
  /// secret.
  private func recordConfiguration() {
    let inForce = config.settingsInForce(startedWith: startConfig)
    let settings = ConfigKey.allCases.compactMap { key in
      inForce[key].flatMap { $0.origin == .builtIn ? nil : "\(key.path)=\($0.value.json5Text)" }
    }
    log.record(
      LogEvent(
        .info, "configuration",
        [
          ("version", .operatorText(BuildVersion.text)),
          ("policy", .operatorText(config.policy.active.fingerprint)),
          ("settings", .operatorText(settings.joined(separator: " "))),
        ]))
  }

  private func tick() {
    if let event = summary?.event(now: Self.monotonicMilliseconds) { log.record(event) }
    letGoOfUnused()
    watchDatabase()
    if database.age(config.database, unixSeconds: unixSeconds) != age { handOver() }
  }

  private func watchDatabase() {
    guard config.signals.sources.contains(.database), let path = config.database.path else { return }
    let signature = FileSignature.of(path: path)
    guard watch.shouldRead(signature, now: Self.monotonicMilliseconds) else { return }
    do throws(DatabaseError) {
      try openDatabase(of: config)
      handOver()
    } catch {
      status.count(.databaseRefused)
      report(error, config)
    }
  }

  private static var monotonicMilliseconds: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

  private func handOver() {
    let snapshot = makeSnapshot()
    letGoOfUnused()
    handedOver.append(snapshot)
    adopt?(snapshot)
    announce()
  }

  private func announce() {
    for (event, reload) in unannounced {
      if let reload { status.count(reload) }
      log.record(event)
    }
    unannounced = []
  }

  private func letGoOfUnused() {
    for index in handedOver.indices.dropLast().reversed() where isKnownUniquelyReferenced(&handedOver[index])
    {
      handedOver.remove(at: index)
    }
  }

  private func makeSnapshot() -> ServiceSnapshot {
    generation += 1
    let newAge = database.age(config.database, unixSeconds: unixSeconds)
    if newAge != age, newAge != .fresh {
      let isUnused = newAge == .tooOld
      unannounced.append((LogEvent(.warning, isUnused ? "database-too-old" : "database-old"), nil))
    }
    age = newAge
    status.setDatabaseBuild(database.database?.metadata.buildEpochSeconds)
    return ServiceAssembly.snapshot(
      config: config, database: database.usable(config.database, unixSeconds: unixSeconds),
      generation: generation, always: always)
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
