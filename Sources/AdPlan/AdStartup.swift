/// The start of ads, which an app enters more than once: one lookup and one plan come of it all the same.
///
/// Enter after the consent refresh, from the completion of the consent form, and whenever consent changes. The
/// newest consent counts for everybody who waits. Lives on the main actor, so that consents arrive in the order
/// in which they were given.
@MainActor
public final class AdStartup {
  /// Somebody who waits for a plan.
  public struct Waiter: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var state: StartupState
  private let region: @Sendable () async -> AdRegion
  /// What to call with a waiter's plan, or with nil when it is cancelled.
  private var completions: [Int: @MainActor (ProviderPlan?) -> Void] = [:]
  private var lastWaiter = 0

  /// A start-up that nobody has entered.
  ///
  /// - Parameter region: asks for the region; called only where the policy needs it, and then once until `reset`.
  ///   Usually `{ await resolver.resolve() }`.
  public init(policy: AdPolicy = .standard, region: @escaping @Sendable () async -> AdRegion) {
    state = StartupState(policy: policy)
    self.region = region
  }

  /// Waits for the plan.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled. The lookup goes on for others.
  public func enter(_ consent: ConsentState) async throws(CancellationError) -> ProviderPlan {
    if Task.isCancelled { throw CancellationError() }
    lastWaiter += 1
    let number = lastWaiter
    let plan: ProviderPlan? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(number, consent) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      Task { @MainActor in self.cancel(Waiter(number: number)) }
    }
    guard let plan else { throw CancellationError() }
    return plan
  }

  /// Calls back with the plan, once, on the main actor, perhaps before this returns; never if cancelled before.
  @discardableResult
  public func enter(
    _ consent: ConsentState, completion: @escaping @MainActor (ProviderPlan) -> Void
  ) -> Waiter {
    lastWaiter += 1
    let waiter = Waiter(number: lastWaiter)
    enter(waiter.number, consent) { plan in
      if let plan { completion(plan) }
    }
    return waiter
  }

  /// The waiter no longer waits. Nobody else notices.
  public func cancel(_ waiter: Waiter) {
    guard let completion = completions.removeValue(forKey: waiter.number) else { return }
    state.leave(waiter: waiter.number)
    completion(nil)
  }

  /// Asks anew: forgets region and plan. A lookup in flight is dropped, and begun again if anybody waits.
  public func reset() { perform(state.reset()) }

  private func enter(
    _ number: Int, _ consent: ConsentState, _ completion: @escaping @MainActor (ProviderPlan?) -> Void
  ) {
    completions[number] = completion
    perform(state.enter(waiter: number, consent: consent))
  }

  private func perform(_ effects: [StartupState.Effect]) {
    for effect in effects {
      switch effect {
      case .lookUp(let lookup):
        Task { perform(state.lookedUp(lookup, await region())) }
      case .answer(let waiter, let plan):
        completions.removeValue(forKey: waiter)?(plan)
      }
    }
  }
}
