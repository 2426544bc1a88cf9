import RegionModel

/// How much a resolver lets a service take of an app.
public struct RegionLimits: Sendable {
  /// Time for the whole exchange.
  public let timeout: Duration
  /// The longest body, in bytes.
  public let bodyBytesMax: Int

  /// Limits, both more than nothing.
  public init(timeout: Duration = .seconds(2), bodyBytesMax: Int = 1024) {
    precondition(timeout > .zero && bodyBytesMax > 0, "a limit must leave room for an answer")
    self.timeout = timeout
    self.bodyBytesMax = bodyBytesMax
  }
}

/// Asks the service for the bucket, once per process.
///
/// Make one and keep it. Everybody who asks shares the request in flight and then the answer; a failure is an answer
/// too, `unknown`, until `reset()`. Nothing is stored outside this object.
public actor RegionResolver {
  private typealias Waiters = [Int: CheckedContinuation<RegionBucket, Never>]

  private struct Answer {
    var bucket: RegionBucket
    var refusal: RegionRefusal?
  }

  private let request: RegionRequest
  private let transport: RegionTransport
  private let sleep: @Sendable (Duration) async throws -> Void

  private var answer: Answer?
  /// Those who wait, by the number of the request that they wait for.
  private var flights: [Int: Waiters] = [:]
  /// The request whose answer will be kept: the last one, unless a reset came behind it.
  private var current: Int?
  private var timers: [Int: Task<Void, Never>] = [:]
  private var lastNumber = 0

  /// A resolver that has asked nothing yet.
  public init(
    endpoint: RegionEndpoint, limits: RegionLimits = RegionLimits(), transport: RegionTransport = .system,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    request = RegionRequest(endpoint: endpoint, timeout: limits.timeout, bodyBytesMax: limits.bodyBytesMax)
    self.transport = transport
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The bucket: at once if it is known, at the latest after the time-out.
  ///
  /// A caller whose task is cancelled gets `unknown` at once; the request and the other callers go on.
  public func resolve() async -> RegionBucket {
    if Task.isCancelled { return .unknown }
    if let answer { return answer.bucket }
    let flight = current ?? depart()
    let waiter = nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { flights[flight, default: [:]][waiter] = $0 }
    } onCancel: {
      Task { await self.leave(flight, waiter) }
    }
  }

  /// Calls back with the bucket, exactly once, on the main actor. Cancelling the task that is returned calls back
  /// with `unknown`.
  @discardableResult
  public nonisolated func resolve(
    completion: @escaping @MainActor @Sendable (RegionBucket) -> Void
  ) -> Task<Void, Never> {
    Task { await completion(resolve()) }
  }

  /// Forgets the answer, so that the next caller asks anew. A request in flight goes on for those who wait for it,
  /// and its answer is not kept.
  public func reset() {
    answer = nil
    current = nil
  }

  /// Why the answer held now is `unknown`; nil if there is none, or the service itself said so.
  public var refusal: RegionRefusal? { answer?.refusal }

  /// How many callers wait now.
  package var waiting: Int { flights.values.reduce(0) { $0 + $1.count } }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private func depart() -> Int {
    let flight = nextNumber()
    current = flight
    flights[flight] = [:]
    let exchange = Task {
      let answer: Answer
      do throws(RegionTransportError) {
        answer = read(try await transport.exchange(request))
      } catch {
        answer = Answer(bucket: .unknown, refusal: .transport(error))
      }
      arrive(flight, answer)
    }
    // The transport has the same limit; a slow name look-up or a transport of the app's own may not keep to it.
    timers[flight] = Task {
      do { try await sleep(request.timeout) } catch { return }
      exchange.cancel()
      arrive(flight, Answer(bucket: .unknown, refusal: .transport(.timedOut)))
    }
    return flight
  }

  private nonisolated func read(_ response: RegionResponse) -> Answer {
    do throws(RegionRefusal) {
      return Answer(bucket: try RegionAnswer.bucket(of: response, bodyBytesMax: request.bodyBytesMax))
    } catch {
      return Answer(bucket: .unknown, refusal: error)
    }
  }

  private func arrive(_ flight: Int, _ answer: Answer) {
    guard let waiters = flights.removeValue(forKey: flight) else { return }
    timers.removeValue(forKey: flight)?.cancel()
    if current == flight {
      current = nil
      self.answer = answer
    }
    for waiter in waiters.values { waiter.resume(returning: answer.bucket) }
  }

  private func leave(_ flight: Int, _ waiter: Int) {
    flights[flight]?.removeValue(forKey: waiter)?.resume(returning: .unknown)
  }
}
