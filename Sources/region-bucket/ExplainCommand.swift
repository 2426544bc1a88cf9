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
    var peerText = options.all("--peer").last
    var headers = options.all("--header")
    if peerText == nil, headers.isEmpty {
      if Terminal.isTerminal(STDIN_FILENO) {
        Terminal.complain("'peer: ADDRESS' and header lines, then an empty line:")
      }
      while let line = readLine(), !line.isEmpty {
        if line.lowercased().hasPrefix("peer:") {
          peerText = String(line.dropFirst(5).drop { $0 == " " })
        } else {
          headers.append(line)
        }
      }
    }
    guard let peer = Self.peer(peerText ?? "127.0.0.1") else {
      return CommandLineTool.usageError("the peer is neither an address nor 'unix'", command: "explain")
    }
    return explain(config, peer, headers)
  }

  private static func peer(_ text: String) -> Peer? {
    if text == "unix" { return .unixSocket }
    return Array(text.utf8).withUnsafeBytes { bytes in
      IPAddress(bytes, form: .bare).map { .address($0) }
    }
  }

  private func explain(_ config: ServiceConfig, _ peer: Peer, _ headers: [String]) -> ExitStatus {
    let request =
      "GET /v1/region HTTP/1.1\r\nHost: explain\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
    let head = RequestHead(fieldCountMax: config.limits.fieldCountMax)
    return Array(request.utf8).withUnsafeBytes { bytes in
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
      for line in Explanation(config, trace).lines { Terminal.say(line) }
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

/// A trace in words. Places and addresses stay out of it: what was typed is on the terminal already.
private struct Explanation {
  private(set) var lines: [String] = []

  init(_ config: ServiceConfig, _ trace: DecisionTrace) {
    say("peer", trustText(trace, config))
    if trace.trust == .refused {
      say("answer", "403")
      return
    }
    if trace.trust == .none {
      say(
        "headers",
        trace.carriesHeaders
          ? "one that the configuration would read is there, from a peer that may not vouch for it"
          : "none that the configuration would read: the peer itself is the client")
    } else {
      explainSources(config, trace)
    }
    let decision = trace.decision
    var text = decision.bucket.rawValue
    if decision.source != .none { text += ", by \(decision.source.rawValue)" }
    if let reason = decision.reason { text += ", because: \(reason.meaning)" }
    say("bucket", text)
    say("policy", "fingerprint \(config.policy.active.fingerprint)")
  }

  private mutating func say(_ step: String, _ text: String) {
    lines.append(step + String(repeating: " ", count: max(10 - step.count, 1)) + text)
  }

  private func trustText(_ trace: DecisionTrace, _ config: ServiceConfig) -> String {
    switch trace.trust {
    case .byPeer: "trusted: it is in trustedPeers, or on a Unix-domain socket"
    case .bySecret: "trusted: the request carries the origin secret"
    case .none: "not trusted: neither in trustedPeers nor with the origin secret"
    case .refused: "refused: the origin secret is demanded, and is not there"
    }
  }

  private mutating func explainSources(_ config: ServiceConfig, _ trace: DecisionTrace) {
    for source in config.signals.sources {
      switch source {
      case .none: break
      case .edge: if let said = trace.edge { say("edge", Self.text(said)) }
      case .cdn: if let said = trace.cdn { say("cdn", Self.text(said)) }
      case .database:
        if let client = trace.address { say("client", Self.text(client)) }
        if let said = trace.database { say("database", Self.text(said)) }
      }
    }
  }

  private static func text(_ outcome: EdgeSignal.Outcome) -> String {
    switch outcome {
    case .absent: "no bucket header: the next source is asked"
    case .stale: "a bucket by another policy than this one: counts as absent, the next source is asked"
    case .bucket(let bucket): "says \(bucket.rawValue), by this policy"
    case .invalid(let reason): "not to be believed: \(reason.meaning)"
    }
  }

  private static func text(_ outcome: SignalOutcome) -> String {
    switch outcome {
    case .absent(let reason): "nothing to go by (\(reason.meaning)): the next source is asked"
    case .invalid(let reason): "not to be believed: \(reason.meaning)"
    case .location(let location):
      "country \(location.country.letters)"
        + (location.subdivision.map { ", subdivision \($0.characters)" } ?? "")
        + (location.city == .absent
          ? "" : location.city == .listed ? ", a city of the policy" : ", another city")
    }
  }

  private static func text(_ client: ClientAddress) -> String {
    switch client {
    case .address(let address): "one global address, \(address.isIPv4 ? "IPv4" : "IPv6")"
    case .none(let reason): "no address: \(reason.meaning)"
    }
  }
}
