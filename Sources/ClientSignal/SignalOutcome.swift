import RegionModel

/// What one source made of a request.
package enum SignalOutcome: Equatable, Sendable {
  /// Nothing to go by: the next listed source is asked. The reason stands if none has more to say.
  case absent(UnknownReason)
  /// There, and not to be believed: `unknown` at once, whatever other sources would say.
  case invalid(UnknownReason)
  /// A place, for the policy.
  case location(Location)
}

/// Who is at the other end of a connection.
package enum Peer: Sendable {
  /// An Internet peer.
  case address(IPAddress)
  /// A process of this machine, over a Unix-domain socket: trusted.
  case unixSocket
  /// Nobody that could be named (PROXY protocol `UNKNOWN` and `LOCAL`): untrusted, no address.
  case unnamed
}
