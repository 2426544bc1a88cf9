/// A chain of providers being tried: events and times in, actions out.
///
/// Times are distances from an origin of the owner's. No clock, no task: `AdLoader` carries the actions out.
package struct LoaderState {
  /// What happened.
  package enum Event: Equatable {
    /// The owner wants an ad. Counts once.
    case start
    /// A provider delivered.
    case success(AdProvider)
    /// A provider did not.
    case failure(AdProvider)
    /// The owner no longer wants one.
    case cancel
    /// Nothing but time.
    case wait
  }

  /// What follows, in order.
  package enum Action: Equatable {
    /// Ask this provider; it became its turn at this time.
    case ask(AdProvider, at: Duration)
    /// This provider's time is over: stop it if it can be stopped.
    case expire(AdProvider)
    /// This outcome counts for nothing.
    case drop(Event)
    /// The chain has ended with this provider, or with none.
    case finish(AdProvider?, at: Duration)
  }

  private enum Phase {
    case idle
    case asking(AdProvider, deadline: Duration)
    case ended
  }

  private var phase = Phase.idle
  private var remaining: ArraySlice<AdProvider>
  private var asked: Set<AdProvider> = []
  private let timeouts: [AdProvider: Duration]

  /// A chain that has not started.
  ///
  /// - Parameter timeouts: for each external provider; one without an entry is skipped like one that failed.
  package init(plan: [AdProvider], timeouts: [AdProvider: Duration]) {
    remaining = plan[...]
    self.timeouts = timeouts
  }

  /// When the provider being asked runs out of time.
  package var deadline: Duration? {
    if case .asking(_, let deadline) = phase { return deadline }
    return nil
  }

  /// Takes an event at its time, behind a time-out that fell due until then: an outcome at the very instant of its
  /// time-out is late. The next provider's time begins now, however late the owner's timer was.
  package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    var actions: [Action] = []
    if case .asking(let provider, let deadline) = phase, deadline <= now {
      actions = [.expire(provider)] + advance(at: now)
    }
    return actions + deliver(event, at: now)
  }

  private mutating func deliver(_ event: Event, at now: Duration) -> [Action] {
    switch event {
    case .wait: return []
    case .start:
      guard case .idle = phase else { return [] }
      return advance(at: now)
    case .cancel:
      phase = .ended
      return []
    case .success(let provider):
      guard case .asking(provider, _) = phase else { return [.drop(event)] }
      phase = .ended
      return [.finish(provider, at: now)]
    case .failure(let provider):
      guard case .asking(provider, _) = phase else { return [.drop(event)] }
      return advance(at: now)
    }
  }

  /// On to the next provider that has not been asked.
  private mutating func advance(at now: Duration) -> [Action] {
    while let provider = remaining.popFirst() {
      switch provider {
      case .inHouse:
        phase = .ended
        return [.finish(.inHouse, at: now)]
      case .regional, .global:
        guard let timeout = timeouts[provider], asked.insert(provider).inserted else { continue }
        phase = .asking(provider, deadline: now + timeout)
        return [.ask(provider, at: now)]
      }
    }
    phase = .ended
    return [.finish(nil, at: now)]
  }
}
