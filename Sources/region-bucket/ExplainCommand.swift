import ClientSignal
import GeoLookup
import Glibc
import HTTPWire
import RegionModel
import RegionService
import ServiceConfig

/// `region-bucket explain`: the decision that `serve` would make, step by step, on the operator's terminal.
struct ExplainCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    let options = ConfigArguments(arguments, options: ["--peer", "--header"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "explain") }
    let loaded = ConfigLoader.load(file: options.file, arguments: options.flags, environment: environment)
    guard let config = loaded.config else {
      Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
      return options.refusal
    }
    var request = ExplainRequest(peer: options.all("--peer").last)
    for header in options.all("--header") where !request.take(header: header) {
      return CommandLineTool.usageError(
        "a --header is none: it is written 'NAME: VALUE'", command: "explain")
    }
    if request.isEmpty, let lineNumber = readTypedLines(&request) {
      return CommandLineTool.usageError(
        "line \(lineNumber) is no header: header lines are 'NAME: VALUE', and end with an empty line",
        command: "explain")
    }
    guard let peer = Self.peer(request.peer ?? ExplainRequest.assumedPeer) else {
      return CommandLineTool.usageError("the peer is neither an address nor 'unix'", command: "explain")
    }
    return explain(config, peer, request)
  }

  /// The number of the first line that is no part of a request, if there is one.
  private func readTypedLines(_ request: inout ExplainRequest) -> Int? {
    if Terminal.isTerminal(STDIN_FILENO) {
      Terminal.complain("'peer: ADDRESS' and header lines, then an empty line:")
    }
    var lineNumber = 0
    while let line = readLine() {
      lineNumber += 1
      switch request.take(line: line) {
      case .taken: break
      case .end: return nil
      case .notAHeader: return lineNumber
      }
    }
    return nil
  }

  private static func peer(_ text: String) -> Peer? {
    if text == "unix" { return .unixSocket }
    return Array(text.utf8).withUnsafeBytes { bytes in
      IPAddress(bytes, form: .bare).map { .address($0) }
    }
  }

  private func explain(_ config: ServiceConfig, _ peer: Peer, _ request: ExplainRequest) -> ExitStatus {
    let head = RequestHead(fieldCountMax: config.limits.fieldCountMax)
    return Array(request.text.utf8).withUnsafeBytes { bytes in
      var parser = RequestParser()
      switch parser.parse(bytes, limits: WireLimits(config.limits), into: head) {
      case .complete: break
      case .needMore: return CommandLineTool.usageError("the header lines do not make a request")
      case .rejected(let rejection):
        Terminal.say("request   refused with \(rejection.status): \(rejection) (\(rejection.rfcSection))")
        return .success
      }
      let decider = ServiceAssembly.decider(
        config, policy: config.policy.active, database: database(config))
      let cache = RecordCache()
      let verdict = decider.judge(peer, generation: 1, cache: cache)
      let trace = decider.decide(head, from: verdict, cache: cache)
      let explanation = Explanation(config, head, trace, isPeerAssumed: request.peer == nil)
      for line in explanation.lines { Terminal.say(line) }
      return .success
    }
  }

  private func database(_ config: ServiceConfig) -> Decider.Database {
    guard config.signals.sources.contains(.database), let path = config.database.path else { return .missing }
    do throws(DatabaseError) {
      let state = DatabaseState(database: try MaxMindDatabase(path: path))
      return state.usable(config.database, unixSeconds: Int64(time(nil)))
    } catch {
      Terminal.complain("warning: database.path: \(path): \(error.text)")
      return .missing
    }
  }
}
