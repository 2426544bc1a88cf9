import Glibc
import RegionServer
import ServiceConfig

/// `region-bucket healthcheck`: one request for `/readyz` of the service on this machine.
struct HealthcheckCommand {
  let arguments: [String]
  let environment: [String: String]

  private static let secondsMax = 3

  func run() -> ExitStatus {
    let options = ConfigArguments(arguments, options: ["--url"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "healthcheck") }
    let target: ListenerAddress
    if let url = options.all("--url").last {
      guard let address = Self.address(of: url) else {
        return CommandLineTool.usageError(
          "--url takes http://ADDRESS:PORT/readyz, the address in digits or `localhost`",
          command: "healthcheck")
      }
      target = address
    } else {
      let loaded = ConfigLoader.load(file: options.file, arguments: options.flags, environment: environment)
      guard let config = loaded.config else {
        Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
        return options.refusal
      }
      guard let own = config.listening.firstOwnAddress else {
        Terminal.complain("error: no listener has an address of its own that takes plain HTTP; use --url")
        return .unavailable
      }
      target = own.reachable
    }
    switch HealthProbe.ask(target, secondsMax: Self.secondsMax) {
    case .ready: return .success
    case .notReady:
      Terminal.complain("not ready")
      return .failure
    case .noAnswer(let problem):
      Terminal.complain("no answer: \(problem)")
      return .unavailable
    }
  }

  /// `http://127.0.0.1:8080/readyz`, `http://[::1]:8080/readyz`, or `localhost`, for which nobody is asked.
  private static func address(of url: String) -> ListenerAddress? {
    guard url.hasPrefix("http://"), url.hasSuffix("/readyz") else { return nil }
    let place = url.dropFirst("http://".count).dropLast("/readyz".count)
    let name = "localhost:"
    return ListenerAddress(
      numeric: place.hasPrefix(name) ? "127.0.0.1:" + place.dropFirst(name.count) : String(place))
  }
}
