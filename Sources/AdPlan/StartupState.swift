/// Who entered a start-up with what, and what follows: events in, effects out.
///
/// No clock, no task, no callback: `AdStartup` carries the effects out.
package struct StartupState {
  /// What the owner must do, in order.
  package enum Effect: Equatable {
    /// Look the region up and report it under this number.
    case lookUp(Int)
    /// Give a waiter its plan.
    case answer(waiter: Int, ProviderPlan)
  }

  private enum Region {
    case notAsked
    case lookingUp(Int)
    case known(AdRegion)
  }

  private let policy: AdPolicy
  private var consent: ConsentState?
  private var region = Region.notAsked
  /// The plan for `consent`.
  private var plan: ProviderPlan?
  private var plansMade = 0
  /// In order of entry.
  private var waiters: [Int] = []
  /// How many lookups have begun.
  package private(set) var lookups = 0

  /// A start-up that nobody has entered.
  package init(policy: AdPolicy) { self.policy = policy }

  /// A waiter, whose number is new, enters with the consent of now.
  package mutating func enter(waiter: Int, consent: ConsentState) -> [Effect] {
    if consent != self.consent { plan = nil }
    self.consent = consent
    waiters.append(waiter)
    return proceed()
  }

  /// A waiter no longer waits. The lookup goes on.
  package mutating func leave(waiter: Int) {
    waiters.removeAll { $0 == waiter }
  }

  /// A lookup has ended. Ignored if a reset came in between.
  package mutating func lookedUp(_ lookup: Int, _ bucket: AdRegion) -> [Effect] {
    guard case .lookingUp(lookup) = region else { return [] }
    region = .known(bucket)
    return proceed()
  }

  /// Region and plan are forgotten; those who wait get a new lookup's.
  package mutating func reset() -> [Effect] {
    region = .notAsked
    plan = nil
    return waiters.isEmpty ? [] : proceed()
  }

  private mutating func proceed() -> [Effect] {
    guard let consent else { return [] }
    if plan == nil {
      switch region {
      case .known(let bucket): makePlan(consent, bucket)
      case .notAsked, .lookingUp:
        // The region makes no difference then, so any will do.
        if !policy.needsRegion(under: consent) { makePlan(consent, .unknown) }
      }
    }
    if let plan {
      defer { waiters = [] }
      return waiters.map { .answer(waiter: $0, plan) }
    }
    guard case .notAsked = region else { return [] }
    lookups += 1
    region = .lookingUp(lookups)
    return [.lookUp(lookups)]
  }

  private mutating func makePlan(_ consent: ConsentState, _ bucket: AdRegion) {
    plansMade += 1
    plan = ProviderPlan(
      number: plansMade, providers: policy.providers(consent: consent, region: bucket))
  }
}
