/// How an external provider is asked for an ad.
public struct AdSource<Ad: Sendable>: Sendable {
  /// Time allowed. What arrives later is dropped.
  public let timeout: Duration
  /// Asks for an ad. Throws if there is none. Its task is cancelled when its time is over or nobody wants an ad
  /// any more; it should stop then, and need not: nobody waits for it.
  public let load: @Sendable () async throws -> Ad

  /// A source from its parts.
  public init(timeout: Duration = .seconds(5), load: @escaping @Sendable () async throws -> Ad) {
    self.timeout = timeout
    self.load = load
  }
}

/// An ad and where it came from.
public struct LoadedAd<Ad: Sendable>: Sendable {
  /// The provider that delivered it.
  public let provider: AdProvider
  /// What it delivered.
  public let ad: Ad
}

/// What became of asking one provider; for an app's own records.
public enum AdAttempt: Sendable {
  /// Asked.
  case asked(AdProvider)
  /// Delivered in time, which ends the chain.
  case loaded(AdProvider)
  /// Said no.
  case failed(AdProvider, any Error)
  /// Said nothing in time.
  case timedOut(AdProvider)
  /// Delivered or failed when it no longer counted.
  case dropped(AdProvider)
}
