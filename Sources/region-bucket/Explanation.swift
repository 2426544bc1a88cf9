import ClientSignal
import HTTPWire
import RegionModel
import RegionService
import ServiceConfig

/// A trace in words, with the names of the fields that were looked for and never with what stood in them. Places and
/// addresses stay out of it: what was typed is on the terminal already.
struct Explanation {
  private(set) var lines: [String] = []

  private let config: ServiceConfig
  private let head: RequestHead

  init(_ config: ServiceConfig, _ head: RequestHead, _ trace: DecisionTrace, isPeerAssumed: Bool) {
    self.config = config
    self.head = head
    if isPeerAssumed { say("peer", "none was given: \(ExplainRequest.assumedPeer) is assumed") }
    say("peer", trustText(trace))
    if trace.trust == .refused {
      say("answer", "403")
      return
    }
    if trace.trust == .none { say("headers", untrustedText(trace)) } else { explainSources(trace) }
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

  // MARK: Trust

  private func trustText(_ trace: DecisionTrace) -> String {
    let secret = config.trust.proxyTrust.secret
    return switch trace.trust {
    case .byPeer where secret != nil:
      "trusted: the request carries the origin secret; the peer is trusted too, which alone would not do"
    case .byPeer: "trusted: it is in trustedPeers, or on a Unix-domain socket"
    case .bySecret: "trusted: the request carries the origin secret"
    case .none: "not trusted: " + (secret.map { lack(of: $0) } ?? "it is not in trustedPeers")
    case .refused: "refused: the origin secret is demanded" + (secret.map { ", and " + lack(of: $0) } ?? "")
    }
  }

  private func lack(of secret: OriginSecret) -> String {
    switch head.single(secret.name) {
    case .absent: "there is no `\(secret.name.text)`"
    case .repeated: "`\(secret.name.text)` is there twice"
    case .value: "`\(secret.name.text)` does not hold the origin secret"
    }
  }

  private func untrustedText(_ trace: DecisionTrace) -> String {
    let consulted = config.signals.consultedFields.all
    guard trace.carriesHeaders else {
      let fields = consulted.isEmpty ? "those that it would read" : Self.list(consulted)
      return "none of \(fields): the peer itself is the client"
    }
    return Self.list(consulted.filter { head.has($0) })
      + ": the configuration would read that, from a peer that may not vouch for it"
  }

  private static func list(_ names: [FieldName]) -> String {
    names.map { "`\($0.text)`" }.joined(separator: ", ")
  }

  // MARK: Sources

  private mutating func explainSources(_ trace: DecisionTrace) {
    let sources = config.signals.sources
    for source in sources {
      let next = source == sources.last ? "nothing is left to ask" : "the next source is asked"
      switch source {
      case .none: break
      case .edge: if let said = trace.edge { say("edge", text(said, next)) }
      case .cdn: if let said = trace.cdn { say("cdn", cdnText(said, next)) }
      case .database:
        if let client = trace.address { say("client", text(client)) }
        if let said = trace.database { say("database", databaseText(said, trace.address, next)) }
      }
    }
  }

  private func text(_ outcome: EdgeSignal.Outcome, _ next: String) -> String {
    let (bucket, policy) = config.signals.edgeFields
    let isAnyPolicyNamed = head.has(policy)
    return switch outcome {
    case .absent: "\(head.has(bucket) ? "nothing in" : "no") `\(bucket.text)`: \(next)"
    case .stale:
      (isAnyPolicyNamed
        ? "`\(policy.text)` names another policy than this one" : "`\(bucket.text)` without `\(policy.text)`")
        + ": counts as absent, \(next)"
    case .bucket(let said): "`\(bucket.text)` says \(said.rawValue), by this policy"
    case .invalid(let reason):
      if case .repeatedHeader = reason {
        "not to be believed: \(Self.list([bucket, policy].filter { isRepeated($0) })) is there twice"
      } else {
        "not to be believed: `\(bucket.text)` holds no bucket"
      }
    }
  }

  private func cdnText(_ outcome: SignalOutcome, _ next: String) -> String {
    let policy = config.policy.active
    let looks = config.signals.locationHeaders?.looks(head, policy: policy) ?? []
    switch outcome {
    case .absent: return "nothing to go by (\(looks.last.map { lack($0) } ?? "no field")): \(next)"
    case .invalid:
      guard let look = looks.last, let field = look.field else { return "not to be believed" }
      let fault = isRepeated(field) ? "is there twice" : "holds no \(look.part) that can be believed"
      return "not to be believed: `\(field.text)` \(fault)"
    case .location(let location):
      return Self.text(location, policy) { part in
        looks.first { $0.part == part }.map { lack($0) } ?? "no field"
      }
    }
  }

  /// Why a look found nothing.
  private func lack(_ look: LocationHeaders.Look) -> String {
    guard let field = look.field else { return "`\(config.signals.preset.name)` has no field that holds it" }
    return look.isThere ? "`\(field.text)` says no data" : "no `\(field.text)`"
  }

  private func isRepeated(_ field: FieldName) -> Bool {
    if case .repeated = head.single(field) { true } else { false }
  }

  private func databaseText(_ outcome: SignalOutcome, _ client: ClientAddress?, _ next: String) -> String {
    switch outcome {
    case .absent(.noSignal): "nothing to look up: \(next)"
    case .absent(let reason): "nothing to go by (\(reason.meaning)): \(next)"
    case .invalid(let reason):
      if case .none? = client {
        "not asked: what is there and wrong ends the search"
      } else {
        "not to be believed: \(reason.meaning)"
      }
    case .location(let location): Self.text(location, config.policy.active) { _ in "not in the record" }
    }
  }

  private static func text(
    _ location: Location, _ policy: BucketPolicy, lack: (_ part: String) -> String
  ) -> String {
    let needs = policy.needs(of: location.country)
    var text = "country \(location.country.letters)"
    if let subdivision = location.subdivision {
      text += ", subdivision \(subdivision.characters)"
    } else if needs.subdivision {
      text += ", no subdivision (\(lack("subdivision")))"
    }
    switch location.city {
    case .listed: text += ", a city of the policy"
    case .other: text += ", another city"
    case .absent: if needs.city { text += ", no city (\(lack("city")))" }
    }
    return text
  }

  private func text(_ client: ClientAddress) -> String {
    switch client {
    case .address(let address): return "one global address, \(address.isIPv4 ? "IPv4" : "IPv6")"
    case .none(let reason):
      guard let field = config.signals.clientAddress?.name else {
        return "no address: no field is known that holds it"
      }
      guard head.has(field) else { return "no address: no `\(field.text)`" }
      let fault =
        switch reason {
        case .noSignal: "nobody is named where the client would be"
        case .invalid: "what stands where the client would be is no address"
        default: reason.meaning
        }
      return "no address in `\(field.text)`: \(fault)"
    }
  }
}
