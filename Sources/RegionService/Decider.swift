import ClientSignal
import GeoLookup
import HTTPWire
import RegionModel

/// What is kept of a connection's peer: not who it is, but what follows from it.
package struct PeerVerdict: Sendable {
  /// The snapshot that it was judged by; by another it must be judged again.
  package var generation: UInt32
  /// It may vouch for headers.
  var isTrusted: Bool
  /// The decision on its own address, for requests in which it vouches for nothing.
  var own: Decision
  /// The same by the policy that is tried out.
  var shadowOwn: Decision

  /// Nobody: an untrusted peer without an address.
  package static let unnamed = PeerVerdict(
    generation: .max, isTrusted: false, own: .nothingToGoBy, shadowOwn: .nothingToGoBy)

  /// The verdict as the policy that is tried out has it.
  var shadow: PeerVerdict {
    var verdict = self
    verdict.own = shadowOwn
    return verdict
  }
}

extension Decision {
  /// No signal at all.
  fileprivate static let nothingToGoBy = Decision(bucket: .unknown, source: .none, reason: .noSignal)
}

/// Each step of a decision. The decision itself is its last; the others are for `explain`.
package struct DecisionTrace: Sendable {
  /// What the request's trust came to.
  package enum Trust: Sendable {
    case byPeer, bySecret, none
    /// A secret is demanded and was not there: `403`.
    case refused
  }

  package var trust = Trust.none
  /// Which of the secrets the request carries.
  package var secret = OriginSecret.Match.none
  /// An untrusted request carried a header that the configuration would read.
  package var carriesHeaders = false
  package var edge: EdgeSignal.Outcome?
  package var cdn: SignalOutcome?
  package var address: ClientAddress?
  package var database: SignalOutcome?
  package var decision = Decision.nothingToGoBy
}

/// From peer and headers to a bucket: trust, signals, location, policy. Immutable; usable from any thread.
///
/// A class, since as a structure of many references it was copied for each request.
package final class Decider: Sendable {
  /// What the database source is at the moment.
  package enum Database: Sendable {
    case loaded(GeoSignal)
    case missing
    /// Older than the limit at which it stops answering.
    case tooOld
  }

  let trust: ProxyTrust
  /// In the order in which they are asked.
  let sources: [DecisionSource]
  let edge: EdgeSignal?
  let cdn: LocationHeaders?
  let clientAddress: ClientAddressRule?
  let database: Database
  package let policy: BucketPolicy
  /// Set for a stand-in: what every request is answered.
  let always: RegionBucket?
  /// Every header that any step would read: from an untrusted peer, one is enough to be refused belief.
  let consulted: ConsultedFields

  /// A decider from its parts.
  package init(
    trust: ProxyTrust, sources: [DecisionSource], edge: EdgeSignal?, cdn: LocationHeaders?,
    clientAddress: ClientAddressRule?, database: Database, policy: BucketPolicy, consulted: ConsultedFields,
    always: RegionBucket? = nil
  ) {
    self.trust = trust
    self.sources = sources
    self.edge = edge
    self.cdn = cdn
    self.clientAddress = clientAddress
    self.database = database
    self.policy = policy
    self.consulted = consulted
    self.always = always
  }

  /// What is to be kept of a peer.
  package func judge(_ peer: Peer, generation: UInt32, cache: RecordCache) -> PeerVerdict {
    var verdict = PeerVerdict.unnamed
    verdict.generation = generation
    verdict.isTrusted = trust.trusts(peer)
    // With a secret, a trusted peer's request may be a stranger's all the same.
    let isAlwaysTrusted = verdict.isTrusted && trust.secret == nil
    if !isAlwaysTrusted, sources.contains(.database), case .address(let address) = peer {
      verdict.own = decision(
        from: lookUp(ClientAddress(address), cache), source: .database, unless: .noSignal)
    }
    return verdict
  }

  /// Decides a request.
  package func decide(_ head: RequestHead, from peer: PeerVerdict, cache: RecordCache) -> DecisionTrace {
    var trace = DecisionTrace()
    trace.secret = trust.match(in: head)
    trace.trust = trustStep(trace.secret, peer)
    if let always, trace.trust != .refused {
      trace.decision = Decision(bucket: always, source: .none)
      return trace
    }
    switch trace.trust {
    case .refused: break
    case .byPeer, .bySecret: askSources(head, cache, &trace)
    case .none:
      trace.carriesHeaders = consulted.isAnyCarried(by: head)
      trace.decision =
        trace.carriesHeaders
        ? Decision(bucket: .unknown, source: .none, reason: .untrustedPeer) : peer.own
    }
    return trace
  }

  @inline(__always)
  private func trustStep(_ match: OriginSecret.Match, _ peer: PeerVerdict) -> DecisionTrace.Trust {
    switch trust.judge(peerIsTrusted: peer.isTrusted, match: match) {
    case .trusted: peer.isTrusted ? .byPeer : .bySecret
    case .untrusted: .none
    case .refused: .refused
    }
  }

  @inline(__always)
  private func askSources(_ head: RequestHead, _ cache: RecordCache, _ trace: inout DecisionTrace) {
    var absence = UnknownReason.noSignal
    // By places: to go through the array itself would count a reference to it, which all loops would write to.
    for place in sources.indices {
      let source = sources[place]
      let outcome: SignalOutcome
      switch source {
      case .none: continue
      case .edge:
        let said = edge?.read(head) ?? .absent
        trace.edge = said
        switch said {
        case .absent, .stale: continue
        case .invalid(let reason): outcome = .invalid(reason)
        case .bucket(let bucket):
          trace.decision = Decision(bucket: bucket, source: .edge)
          return
        }
      case .cdn:
        outcome = cdn?.read(head, policy: policy) ?? .absent(.noSignal)
        trace.cdn = outcome
      case .database:
        let client = clientAddress?.client(in: head) ?? .none(.noSignal)
        trace.address = client
        outcome = lookUp(client, cache)
        trace.database = outcome
      }
      if case .absent(let reason) = outcome {
        // The last that had something to say says why.
        if reason != .noSignal { absence = reason }
        continue
      }
      trace.decision = decision(from: outcome, source: source, unless: absence)
      return
    }
    trace.decision = Decision(bucket: .unknown, source: .none, reason: absence)
  }

  private func lookUp(_ client: ClientAddress, _ cache: RecordCache) -> SignalOutcome {
    guard case .address(let address) = client else { return client.missing ?? .absent(.noSignal) }
    switch database {
    case .loaded(let signal): return signal.read(address, policy: policy, cache: cache)
    case .missing: return .absent(.noDatabase)
    case .tooOld: return .absent(.databaseTooOld)
    }
  }

  @inline(__always)
  private func decision(
    from outcome: SignalOutcome, source: DecisionSource, unless absence: UnknownReason
  ) -> Decision {
    switch outcome {
    case .absent(let reason):
      return Decision(bucket: .unknown, source: .none, reason: reason == .noSignal ? absence : reason)
    case .invalid(let reason): return Decision(bucket: .unknown, source: source, reason: reason)
    case .location(let location):
      switch policy.evaluate(location) {
      case .regionalMarket: return Decision(bucket: .regionalMarket, source: source)
      case .otherMarket: return Decision(bucket: .otherMarket, source: source)
      case .notEnoughToDecide: return Decision(bucket: .unknown, source: source, reason: .notEnoughToDecide)
      case .unclassified: return Decision(bucket: .unknown, source: source, reason: .unclassified)
      }
    }
  }
}
