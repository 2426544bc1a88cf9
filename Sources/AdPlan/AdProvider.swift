import RegionModel

/// The region as a plan sees it: the bucket and nothing else.
public typealias AdRegion = RegionBucket

/// Where an ad can come from.
///
/// The raw values are those of the test vectors that all clients share. Usable from any thread.
public enum AdProvider: String, CaseIterable, Sendable {
  /// The provider for the regional market.
  case regional
  /// The provider for everywhere.
  case global
  /// The app's own content. Asks nobody and cannot fail.
  case inHouse
}

/// The providers to try, in order.
public struct ProviderPlan: Equatable, Sendable {
  /// Which plan of its start-up this is: 1, 2, 3 … The same number is the same plan, handed out again, so that
  /// a caller who has acted on it need not act on it twice.
  public let number: Int
  /// The providers, first one first.
  public let providers: [AdProvider]

  /// A plan from its parts.
  public init(number: Int, providers: [AdProvider]) {
    self.number = number
    self.providers = providers
  }
}
