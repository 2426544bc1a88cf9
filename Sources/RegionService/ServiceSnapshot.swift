import ClientSignal
import HTTPWire
import RegionModel

/// All that answers depend on: a configuration and a database, as of one moment. Immutable; shared by all loops.
package final class ServiceSnapshot: Sendable {
  /// Tells snapshots apart; each has a greater one than those before it.
  package let generation: UInt32
  package let limits: WireLimits
  /// Peers whose PROXY protocol preface is believed.
  package let proxyProtocolPeers: CIDRSet
  package let decider: Decider
  /// The same with the policy that is tried out, whose differences are only counted.
  package let shadow: Decider?
  package let answers: AnswerTable
  /// The origins that may read answers, in the order of the table's lines; empty for `*`.
  package let listedOrigins: [[UInt8]]
  /// Edge code's buckets may be kept by the CDN in front.
  package let grantsSharing: Bool
  /// Why the service cannot do its configured job; nil when it can.
  package let unreadiness: Unreadiness?
  /// Each request gets a line in the log.
  package let logsAccess: Bool

  package init(
    generation: UInt32, limits: WireLimits, proxyProtocolPeers: CIDRSet, decider: Decider, shadow: Decider?,
    cache: CachePolicy,
    origins: OriginPolicy,
    preflightSecondsMax: Int, unreadiness: Unreadiness?, logsAccess: Bool
  ) {
    self.generation = generation
    self.limits = limits
    self.proxyProtocolPeers = proxyProtocolPeers
    self.decider = decider
    self.shadow = shadow
    self.unreadiness = unreadiness
    self.logsAccess = logsAccess
    grantsSharing = cache.grant != nil
    answers = AnswerTable(
      cache: cache, origins: origins, preflightSecondsMax: preflightSecondsMax,
      retryAfterSeconds: Self.retryAfterSeconds)
    switch origins {
    case .any: listedOrigins = []
    case .list(let list): listedOrigins = list.map { Array($0.utf8) }
    }
  }

  /// What an overloaded server asks clients to wait.
  private static let retryAfterSeconds = 5
}
