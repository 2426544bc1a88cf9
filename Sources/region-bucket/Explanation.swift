import ClientSignal
import RegionModel
import RegionService
import ServiceConfig

/// A trace in words. Places and addresses stay out of it: what was typed is on the terminal already.
struct Explanation {
  private(set) var lines: [String] = []

  init(_ config: ServiceConfig, _ trace: DecisionTrace, isPeerAssumed: Bool) {
    if isPeerAssumed { say("peer", "none was given: \(ExplainRequest.assumedPeer) is assumed") }
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
    if let reason = decision.reason { text += ", because: \(reason.meaning) (\(reason.name))" }
    say("bucket", text)
    say("policy", "fingerprint \(config.policy.active.fingerprint)")
  }

  private mutating func say(_ step: String, _ text: String) {
    lines.append(step + String(repeating: " ", count: max(10 - step.count, 1)) + text)
  }

  private func trustText(_ trace: DecisionTrace, _ config: ServiceConfig) -> String {
    let hasSecret = config.trust.proxyTrust.secret != nil
    return switch trace.trust {
    case .byPeer where hasSecret:
      "trusted: the request carries the origin secret; the peer is trusted too, which alone would not do"
    case .byPeer: "trusted: it is in trustedPeers, or on a Unix-domain socket"
    case .bySecret: "trusted: the request carries the origin secret"
    case .none where hasSecret: "not trusted: the origin secret is not there or not the right one"
    case .none: "not trusted: it is not in trustedPeers"
    case .refused: "refused: the origin secret is demanded, and is not there or not the right one"
    }
  }

  private mutating func explainSources(_ config: ServiceConfig, _ trace: DecisionTrace) {
    let sources = config.signals.sources
    for source in sources {
      let next = source == sources.last ? "nothing is left to ask" : "the next source is asked"
      switch source {
      case .none: break
      case .edge: if let said = trace.edge { say("edge", Self.text(said, next)) }
      case .cdn: if let said = trace.cdn { say("cdn", Self.text(said, next)) }
      case .database:
        if let client = trace.address { say("client", Self.text(client)) }
        if let said = trace.database { say("database", Self.text(said, next)) }
      }
    }
  }

  private static func text(_ outcome: EdgeSignal.Outcome, _ next: String) -> String {
    switch outcome {
    case .absent: "no bucket header: \(next)"
    case .stale: "a bucket by another policy than this one: counts as absent, \(next)"
    case .bucket(let bucket): "says \(bucket.rawValue), by this policy"
    case .invalid(let reason): "not to be believed: \(reason.meaning)"
    }
  }

  private static func text(_ outcome: SignalOutcome, _ next: String) -> String {
    switch outcome {
    case .absent(let reason): "nothing to go by (\(absence(reason))): \(next)"
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
    case .none(let reason): "no address: \(absence(reason))"
    }
  }

  /// Why one source alone had nothing: of `noSignal` the meaning is that of all of them.
  private static func absence(_ reason: UnknownReason) -> String {
    reason == .noSignal ? "no such field, or it says no data" : reason.meaning
  }
}
