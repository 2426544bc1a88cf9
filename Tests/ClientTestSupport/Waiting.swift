import Synchronization

/// Counts, from any thread.
package final class Counter: Sendable {
  private let value = Atomic(0)

  package init() {}

  package var count: Int { value.load(ordering: .sequentiallyConsistent) }
  package func increment() { value.add(1, ordering: .sequentiallyConsistent) }
}

/// Collects, from any thread.
package final class Recorder<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  package init() {}

  package var recorded: [Element] { elements.withLock { $0 } }
  package func record(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Hands one value to whoever waits for it, now or later.
package actor Gate<Value: Sendable> {
  private var value: Value?
  private var waiters: [CheckedContinuation<Value, Never>] = []

  package init() {}

  package func open(_ value: Value) {
    self.value = value
    for waiter in waiters { waiter.resume(returning: value) }
    waiters = []
  }

  package func pass() async -> Value {
    if let value { return value }
    return await withCheckedContinuation { waiters.append($0) }
  }
}

/// Something did not come true in ten seconds.
package struct NeverHappened: Error {}

/// Waits for what other tasks are about to do.
///
/// - Throws: `NeverHappened` after ten seconds.
nonisolated(nonsending) package func eventually(_ condition: () async -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(10)
  while await !condition() {
    guard ContinuousClock.now < deadline else { throw NeverHappened() }
    try await Task.sleep(for: .microseconds(200))
  }
}
