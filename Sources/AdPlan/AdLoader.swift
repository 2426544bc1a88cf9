/// Tries the providers of a plan in order, once, and stops at the first success.
///
/// Knows nothing of regions and consent. One loader is one chain: `load()` a second time joins the first.
public actor AdLoader<Ad: Sendable> {
  private var state: LoaderState
  private let sources: [AdProvider: AdSource<Ad>]
  private let inHouse: @Sendable () async -> Ad
  private let observe: @Sendable (AdAttempt) -> Void
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  private var running: [AdProvider: Task<Void, Never>] = [:]
  private var timer: Task<Void, Never>?
  private var waiters: [Int: CheckedContinuation<Ending, Never>] = [:]
  private var lastWaiter = 0
  private var ending: Ending?

  private enum Ending {
    case loaded(LoadedAd<Ad>)
    case nothing
    case cancelled
  }

  /// A loader that has asked nobody yet.
  ///
  /// - Parameters:
  ///   - providers: the plan's, in order.
  ///   - sources: for each external provider; one of the plan without a source is skipped.
  ///   - inHouse: makes the in-house ad; cannot fail and has no time limit.
  ///   - clock: measures the sources' time.
  ///   - observe: hears what became of each attempt, in order, on any thread.
  public init<C: Clock<Duration>>(
    providers: [AdProvider], sources: [AdProvider: AdSource<Ad>],
    inHouse: @escaping @Sendable () async -> Ad, clock: C = ContinuousClock(),
    observe: @escaping @Sendable (AdAttempt) -> Void = { _ in }
  ) {
    state = LoaderState(plan: providers, timeouts: sources.mapValues(\.timeout))
    self.sources = sources
    self.inHouse = inHouse
    self.observe = observe
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The first ad that a provider of the plan delivers; nil if none did and the plan has no in-house content.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled, and when the chain was cancelled.
  ///   When the last one who waits is cancelled, so is the chain.
  public func load() async throws(CancellationError) -> LoadedAd<Ad>? {
    if Task.isCancelled { throw CancellationError() }
    if ending == nil { perform(state.handle(.start, at: elapsed()), delivered: nil) }
    lastWaiter += 1
    let waiter = lastWaiter
    let outcome =
      if let ending { ending } else {
        await withTaskCancellationHandler {
          await withCheckedContinuation { waiters[waiter] = $0 }
        } onCancel: {
          Task { await self.leave(waiter) }
        }
      }
    switch outcome {
    case .loaded(let ad): return ad
    case .nothing: return nil
    case .cancelled: throw CancellationError()
    }
  }

  /// Stops the chain for good, unless it has ended: asks nobody any more, and everybody who waits gets
  /// `CancellationError`.
  public func cancel() {
    guard ending == nil else { return }
    perform(state.handle(.cancel, at: elapsed()), delivered: nil)
    end(.cancelled)
  }

  /// How many wait now.
  package var waiting: Int { waiters.count }

  private func leave(_ waiter: Int) {
    guard let continuation = waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(returning: .cancelled)
    if waiters.isEmpty { cancel() }
  }

  private func end(_ ending: Ending) {
    self.ending = ending
    timer?.cancel()
    for task in running.values { task.cancel() }
    let waiting = waiters
    waiters = [:]
    for waiter in waiting.values { waiter.resume(returning: ending) }
  }

  private func perform(_ actions: [LoaderState.Action], delivered: Ad?) {
    for action in actions {
      switch action {
      case .ask(let provider, _): ask(provider)
      case .expire(let provider):
        observe(.timedOut(provider))
        running[provider]?.cancel()
      case .drop(.success(let provider)), .drop(.failure(let provider)): observe(.dropped(provider))
      case .drop(.start), .drop(.cancel), .drop(.wait): preconditionFailure("only outcomes are dropped")
      case .finish(.inHouse, _): Task { await self.endInHouse() }
      case .finish(nil, _): end(.nothing)
      case .finish(let provider?, _):
        guard let delivered else { preconditionFailure("a success comes with its ad") }
        observe(.loaded(provider))
        end(.loaded(LoadedAd(provider: provider, ad: delivered)))
      }
    }
  }

  private func endInHouse() async {
    let ad = await inHouse()
    // Cancelled while the content was being made.
    guard ending == nil else { return }
    observe(.loaded(.inHouse))
    end(.loaded(LoadedAd(provider: .inHouse, ad: ad)))
  }

  private func ask(_ provider: AdProvider) {
    guard let source = sources[provider] else {
      preconditionFailure("only providers with a source are asked")
    }
    observe(.asked(provider))
    running[provider] = Task {
      do {
        let ad = try await source.load()
        perform(state.handle(.success(provider), at: elapsed()), delivered: ad)
      } catch {
        fail(provider, error)
      }
    }
    timer?.cancel()
    timer = Task {
      do { try await sleep(source.timeout) } catch { return }
      perform(state.handle(.wait, at: elapsed()), delivered: nil)
    }
  }

  private func fail(_ provider: AdProvider, _ error: any Error) {
    let actions = state.handle(.failure(provider), at: elapsed())
    if !actions.contains(.drop(.failure(provider))) { observe(.failed(provider, error)) }
    perform(actions, delivered: nil)
  }
}
