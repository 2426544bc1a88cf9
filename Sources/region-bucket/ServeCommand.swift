import ClientSignal
import Dispatch
import GeoLookup
import Glibc
import RegionServer
import RegionService
import ServiceConfig

/// `region-bucket serve`: answers until it is told to stop.
struct ServeCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    let options = ConfigArguments(arguments)
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "serve") }
    let (file, flags, environment) = (options.file, options.flags, environment)
    let load: ServiceController.LoadConfig = {
      ConfigLoader.load(file: file, arguments: flags, environment: environment)
    }
    let loaded = load()
    guard let config = loaded.config else {
      Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
      return options.refusal
    }
    signal(SIGPIPE, SIG_IGN)
    let log = Log(descriptor: STDOUT_FILENO, format: config.logging.lineFormat, level: config.logging.level)
    for diagnostic in loaded.diagnostics {
      log.record(LogEvent(.warning, "configuration-problem", [("problem", .operatorText(diagnostic.text))]))
    }
    let status = serve(config, log, load)
    log.flush(millisecondsMax: 1000)
    return status
  }

  private func serve(_ config: ServiceConfig, _ log: Log, _ load: @escaping ServiceController.LoadConfig)
    -> ExitStatus
  {
    let controller: ServiceController
    do throws(DatabaseError) {
      controller = try ServiceController(config: config, log: log, loadConfig: load)
    } catch {
      Terminal.complain("error: the database \(config.database.path ?? "") cannot be used: \(error.text)")
      Terminal.complain("  'region-bucket database build' makes one; with another source listed, or with")
      Terminal.complain("  database.required: false, the service starts without it")
      return .noInput
    }
    let addresses = config.listening.addresses
    let server: Server
    do throws(ServerStartError) {
      server = try Server(
        addresses: addresses.map { ($0.address, $0.role) }, options: ServerOptions(config),
        snapshot: controller.firstSnapshot(), status: controller.status, log: log)
    } catch {
      return Self.explain(error, addresses.map(\.text))
    }
    controller.start { server.adopt($0) }
    for (number, entry) in addresses.enumerated() {
      var values: [(key: StaticString, value: LogValue)] = [("address", .operatorText(entry.text))]
      if let port = server.ports[number] { values.append(("port", .integer(Int(port)))) }
      log.record(LogEvent(.info, entry.role == .admin ? "admin-listening" : "listening", values))
    }
    waitForEnd(server, controller, log)
    return .success
  }

  private func waitForEnd(_ server: Server, _ controller: ServiceController, _ log: Log) {
    let ended = DispatchSemaphore(value: 0)
    let signals = Signals(
      reload: { controller.reload() },
      stop: {
        log.record(LogEvent(.info, "draining"))
        server.drain()
      })
    server.notifyWhenEnded(queue: .global()) { ended.signal() }
    ended.wait()
    signals.cancel()
    log.record(LogEvent(.info, "stopped"))
  }

  private static func explain(_ error: ServerStartError, _ addresses: [String]) -> ExitStatus {
    guard let number = error.addressNumber else {
      Terminal.complain("error: \(error.error.text)")
      return .system
    }
    Terminal.complain("error: cannot listen on \(addresses[number]): \(error.error.text)")
    switch error.error.errno {
    case EADDRINUSE:
      Terminal.complain("  something else listens there: 'ss -ltnp' shows what; PORT=… takes another port")
    case EACCES: Terminal.complain("  ports below 1024 need CAP_NET_BIND_SERVICE")
    case EADDRNOTAVAIL: Terminal.complain("  this machine has no such address")
    default: break
    }
    return .unavailable
  }
}
