/// Which providers a consent and a region lead to. A value that an app may replace by its own.
///
/// Usable from any thread.
public struct AdPolicy: Sendable {
  private let rule: @Sendable (ConsentState, AdRegion) -> [AdProvider]

  /// A policy from its rule, which must be a pure function: it is asked about every region, to find out whether
  /// the region makes a difference.
  public init(_ rule: @escaping @Sendable (ConsentState, AdRegion) -> [AdProvider]) {
    self.rule = rule
  }

  /// In-house content while consent is pending or refused; then the regional provider first where the market is
  /// regional, the global one, and in-house content. An unknown region is treated like any other market.
  public static let standard = AdPolicy { consent, region in
    switch consent {
    case .pending, .externalAdsBlocked: [.inHouse]
    case .adsAllowed:
      switch region {
      case .regionalMarket: [.regional, .global, .inHouse]
      case .otherMarket, .unknown: [.global, .inHouse]
      }
    }
  }

  /// The providers to try, in order.
  public func providers(consent: ConsentState, region: AdRegion) -> [AdProvider] {
    rule(consent, region)
  }

  /// Whether the region makes a difference under this consent. Where it does not, nobody asks for it.
  public func needsRegion(under consent: ConsentState) -> Bool {
    let reference = rule(consent, .unknown)
    return AdRegion.allCases.contains { rule(consent, $0) != reference }
  }
}
