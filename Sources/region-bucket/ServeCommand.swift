import CLinux
import ClientSignal
import Dispatch
import GeoLookup
import Glibc
import RegionModel
import RegionServer
import RegionService
import ServiceConfig

/// `region-bucket serve`: answers until it is told to stop.
struct ServeCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    // First of all: threads inherit what is blocked.
    let signals = Signals()
    let options = ConfigArguments(arguments, options: ["--always"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "serve") }
    var always: RegionBucket?
    if let name = options.all("--always").last {
      always = RegionBucket(rawValue: name)
      guard always != nil else {
        let names = RegionBucket.allCases.map(\.rawValue).joined(separator: ", ")
        return CommandLineTool.usageError("--always takes one of \(names)", command: "serve")
      }
    }
    let load = Self.loader(options, environment, isStandIn: always != nil)
    let loaded = load()
    guard let config = loaded.config else {
      Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
      return options.refusal
    }
    guard Self.hasMemory(for: config) else { return .system }
    signal(SIGPIPE, SIG_IGN)
    let log = Log(descriptor: STDOUT_FILENO, format: config.logging.lineFormat, level: config.logging.level)
    for diagnostic in loaded.diagnostics {
      log.record(LogEvent(.warning, "configuration-problem", [("problem", .operatorText(diagnostic.text))]))
    }
    if let always {
      log.record(LogEvent(.warning, "stand-in", [("always", .word(always.name))]))
    }
    let status = serve(config, log, load, always, signals)
    log.flush(millisecondsMax: 1000)
    return status
  }

  /// Without address space for its threads Dispatch would wait for ever, and say nothing.
  private static func hasMemory(for config: ServiceConfig) -> Bool {
    clinux_save_address_space()
    var facts = stat()
    let path = config.signals.sources.contains(.database) ? config.database.path ?? "" : ""
    // A reload has the old one and the new one at the same time.
    let databaseBytes = stat(path, &facts) == 0 ? 2 * Int(facts.st_size) : 0
    let wanted = Server.addressSpaceBytes(ServerOptions(config)) + databaseBytes
    if clinux_has_address_space(wanted) != 0 { return true }
    Terminal.complain("error: not enough memory: \(wanted >> 20) MB of address space are not to be had")
    Terminal.complain(
      "  'ulimit -v' or LimitAS= may be too low; fewer loops and a lower limits.connectionsMax need less")
    return false
  }

  /// Reads the configuration, each time anew. A stand-in needs none: it asks nobody.
  private static func loader(
    _ options: ConfigArguments, _ environment: [String: String], isStandIn: Bool
  ) -> ServiceController.LoadConfig {
    let file = options.file
    let needsSources = isStandIn && file == nil && !options.flags.contains { $0.hasPrefix("--sources") }
    let flags = (needsSources ? ["--sources=cdn", "--cdn-preset=cloudfront"] : []) + options.flags
    return {
      var loaded = ConfigLoader.load(file: file, arguments: flags, environment: environment)
      if isStandIn { loaded.diagnostics.removeAll { $0.severity == .warning && $0.isAboutTheDecision } }
      return loaded
    }
  }

  private func serve(
    _ config: ServiceConfig, _ log: Log, _ load: @escaping ServiceController.LoadConfig,
    _ always: RegionBucket?,
    _ signals: Signals
  ) -> ExitStatus {
    let controller: ServiceController
    do throws(DatabaseError) {
      controller = try ServiceController(config: config, always: always, log: log, loadConfig: load)
    } catch {
      Terminal.complain("error: the database \(config.database.path ?? "") cannot be used: \(error.text)")
      Terminal.complain("  'region-bucket database build' makes one; with another source listed, or with")
      Terminal.complain("  database.required: false, the service starts without it")
      return .noInput
    }
    let entries = config.listening.entries(SystemdSockets(environment: environment))
    guard !entries.isEmpty else {
      Terminal.complain("error: listeners: systemd has handed over no socket (LISTEN_FDS)")
      return .unavailable
    }
    let options = ServerOptions(config)
    raiseDescriptorLimit(options, log)
    let server: Server
    do throws(ServerStartError) {
      server = try Server(
        listeners: entries.map(\.request), options: options,
        snapshot: controller.firstSnapshot(),
        status: controller.status, log: log)
    } catch {
      return Self.explain(error, entries.map(\.text))
    }
    controller.start(metrics: server.metrics) { server.adopt($0) }
    for (number, entry) in entries.enumerated() {
      var values: [(key: StaticString, value: LogValue)] = [("address", .operatorText(entry.text))]
      if let port = server.ports[number] { values.append(("port", .integer(Int(port)))) }
      let isAdmin = entry.request.role == .admin
      log.record(LogEvent(.info, isAdmin ? "admin-listening" : "listening", values))
    }
    ServiceManager.notify("READY=1", environment: environment)
    waitForEnd(server, controller, log, signals)
    return .success
  }

  /// The usual soft limit of 1024 would end accepting long before `limits.connectionsMax`.
  private func raiseDescriptorLimit(_ options: ServerOptions, _ log: Log) {
    let wanted = Server.descriptorCount(options)
    let limit = Int(clinux_raise_descriptor_limit(Int64(wanted)))
    guard limit < wanted else { return }
    log.record(
      LogEvent(.warning, "descriptor-limit", [("limit", .integer(limit)), ("wanted", .integer(wanted))]))
  }

  private func waitForEnd(
    _ server: Server, _ controller: ServiceController, _ log: Log, _ signals: Signals
  ) {
    let ended = DispatchSemaphore(value: 0)
    let environment = environment
    signals.handle(
      reload: {
        ServiceManager.notify(ServiceManager.reloading, environment: environment)
        controller.reload { ServiceManager.notify("READY=1", environment: environment) }
      },
      stop: {
        ServiceManager.notify("STOPPING=1", environment: environment)
        log.record(LogEvent(.info, "draining"))
        server.drain()
      })
    server.notifyWhenEnded(queue: .global()) { ended.signal() }
    ended.wait()
    log.record(LogEvent(.info, "stopped"))
  }

  private static func explain(_ error: ServerStartError, _ addresses: [String]) -> ExitStatus {
    guard let number = error.listenerNumber else {
      Terminal.complain("error: \(error.error.text)")
      return .system
    }
    Terminal.complain("error: cannot listen on \(addresses[number]): \(error.error.text)")
    switch error.error.errno {
    case EADDRINUSE where addresses[number].hasPrefix("unix:"):
      Terminal.complain(
        "  something is at that path: a socket that is listened on ('ss -lxp'), or a file that is none")
    case EADDRINUSE:
      Terminal.complain("  something else listens there: 'ss -ltnp' shows what; PORT=… takes another port")
    case EACCES: Terminal.complain("  ports below 1024 need CAP_NET_BIND_SERVICE")
    case EADDRNOTAVAIL: Terminal.complain("  this machine has no such address")
    default: break
    }
    return .unavailable
  }
}
