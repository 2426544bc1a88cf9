import HTTPWire

/// What a request's headers are worth.
package enum TrustVerdict: Equatable, Sendable {
  /// They are believed.
  case trusted
  /// They are a stranger's words. The peer's own address may still be looked up.
  case untrusted
  /// The request is not to be answered: 403.
  case refused
}

/// Who may vouch for headers: a header is a claim by whoever sent it.
///
/// Immutable; usable from any thread; allocates nothing.
package struct ProxyTrust: Sendable {
  private let trustedPeers: CIDRSet
  /// What a request has to carry; nil when the peer's address decides.
  package let secret: OriginSecret?

  /// Trust by address, or, when there is a secret, by the secret alone.
  package init(trustedPeers: CIDRSet = .loopback, secret: OriginSecret? = nil) {
    self.trustedPeers = trustedPeers
    self.secret = secret
  }

  /// Whether the peer is one that may vouch for headers. Stays true for a connection's life, so a server can
  /// keep this instead of the address.
  package func trusts(_ peer: Peer) -> Bool {
    switch peer {
    case .address(let address): trustedPeers.contains(address)
    case .unixSocket: true
    case .unnamed: false
    }
  }

  /// Which secret a request carries; none where none is demanded.
  package func match(in head: RequestHead) -> OriginSecret.Match { secret?.match(in: head) ?? .none }

  /// The verdict on one request of a peer that was judged before, by the secret that the request carries.
  ///
  /// A request with the secret is trusted whatever its peer; one without it is not, whatever its peer. Two
  /// lines of the secret's header are as good as none.
  package func judge(peerIsTrusted: Bool, match: OriginSecret.Match) -> TrustVerdict {
    guard let secret else { return peerIsTrusted ? .trusted : .untrusted }
    if match != .none { return .trusted }
    return secret.onMissing == .refuse ? .refused : .untrusted
  }

  /// The verdict on one request.
  package func judge(peer: Peer, head: RequestHead) -> TrustVerdict {
    judge(peerIsTrusted: trusts(peer), match: match(in: head))
  }
}
