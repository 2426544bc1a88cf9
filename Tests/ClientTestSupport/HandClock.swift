import Synchronization

/// A clock that stands still until a test moves it.
package final class HandClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var sinceOrigin: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(sinceOrigin: sinceOrigin + duration) }
    package func duration(to other: Instant) -> Duration { other.sinceOrigin - sinceOrigin }
    package static func < (one: Instant, other: Instant) -> Bool { one.sinceOrigin < other.sinceOrigin }
  }

  private struct State {
    var now = Instant(sinceOrigin: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastSleeper = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock(\.now) }
  package var minimumResolution: Duration { .nanoseconds(1) }
  /// How many sleep now.
  package var sleepers: Int { state.withLock(\.sleepers.count) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[number] = (deadline, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock and wakes whoever is due.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
