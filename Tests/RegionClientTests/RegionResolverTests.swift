import ClientTestSupport
import RegionClient
import RegionModel
import Testing

@Suite struct RegionResolverTests {
  private typealias Outcome = Result<RegionResponse, RegionTransportError>

  private let clock = HandClock()
  private let requests = Recorder<RegionRequest>()

  private func answer(_ bucket: RegionBucket) -> RegionResponse {
    RegionResponse(
      status: 200, contentType: "application/json", body: Array(#"{"bucket":"\#(bucket)"}"#.utf8))
  }

  private func resolver(
    limits: RegionLimits = RegionLimits(),
    _ exchange: @escaping @Sendable (Int) async -> Outcome
  ) throws -> RegionResolver {
    let endpoint = try RegionEndpoint(
      "https://region.example.com/v1/region", allowedHosts: ["region.example.com"])
    let transport = RegionTransport { [requests] request throws(RegionTransportError) in
      requests.record(request)
      return try await exchange(requests.recorded.count).get()
    }
    return RegionResolver(endpoint: endpoint, limits: limits, transport: transport, clock: clock)
  }

  @Test(arguments: RegionBucket.allCases)
  func resolves(_ bucket: RegionBucket) async throws {
    let resolver = try resolver { [self] _ in .success(answer(bucket)) }
    #expect(await resolver.resolve() == bucket)
    #expect(await resolver.refusal == nil)
    #expect(await resolver.resolve() == bucket)
    let request = try #require(requests.recorded.first)
    #expect(requests.recorded.count == 1)
    #expect(request.endpoint.url == "https://region.example.com/v1/region")
    #expect(request.timeout == .seconds(2) && request.bodyBytesMax == 1024)
    try await eventually { clock.sleepers == 0 }
  }

  @Test func tenThousandAtOnceAreOneRequest() async throws {
    let gate = Gate<Void>()
    let resolver = try resolver { [self] _ in
      await gate.pass()
      return .success(answer(.regionalMarket))
    }
    let buckets = try await withThrowingTaskGroup(of: RegionBucket.self) { group in
      for _ in 0..<10_000 { group.addTask { await resolver.resolve() } }
      try await eventually { await resolver.waiting == 10_000 }
      await gate.open(())
      return try await group.reduce(into: [RegionBucket: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(buckets == [.regionalMarket: 10_000])
    #expect(requests.recorded.count == 1)
    #expect(await resolver.waiting == 0)
  }

  @Test func everySecondOfTenThousandCancelled() async throws {
    let gate = Gate<Void>()
    let resolver = try resolver { [self] _ in
      await gate.pass()
      return .success(answer(.otherMarket))
    }
    let tasks = (0..<10_000).map { _ in Task { await resolver.resolve() } }
    try await eventually { await resolver.waiting == 10_000 }
    for task in tasks.enumerated() where task.offset.isMultiple(of: 2) { task.element.cancel() }
    try await eventually { await resolver.waiting == 5_000 }
    for task in tasks.enumerated() where task.offset.isMultiple(of: 2) {
      #expect(await task.element.value == .unknown)
    }
    await gate.open(())
    for task in tasks.enumerated() where !task.offset.isMultiple(of: 2) {
      #expect(await task.element.value == .otherMarket)
    }
    #expect(requests.recorded.count == 1)
  }

  @Test func lastWaiterCancelledTheRequestGoesOn() async throws {
    let gate = Gate<Void>()
    let stopped = Counter()
    let resolver = try resolver { [self] _ in
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        stopped.increment()
      }
      return .success(answer(.regionalMarket))
    }
    let task = Task { await resolver.resolve() }
    try await eventually { await resolver.waiting == 1 }
    task.cancel()
    #expect(await task.value == .unknown)
    await gate.open(())
    #expect(await resolver.resolve() == .regionalMarket)
    #expect(requests.recorded.count == 1 && stopped.count == 0)
  }

  @Test func alreadyCancelledAsksNobody() async throws {
    let resolver = try resolver { [self] _ in .success(answer(.regionalMarket)) }
    let task = Task {
      try? await Task.sleep(for: .seconds(60))
      return await resolver.resolve()
    }
    task.cancel()
    #expect(await task.value == .unknown)
    #expect(requests.recorded.isEmpty)
  }

  @Test func failureIsAnAnswerUntilReset() async throws {
    let resolver = try resolver { [self] number in
      number == 1 ? .failure(.connectionFailed) : .success(answer(.otherMarket))
    }
    for _ in 0..<3 { #expect(await resolver.resolve() == .unknown) }
    #expect(await resolver.refusal == .transport(.connectionFailed))
    #expect(requests.recorded.count == 1)
    await resolver.reset()
    #expect(await resolver.refusal == nil)
    #expect(await resolver.resolve() == .otherMarket)
    #expect(requests.recorded.count == 2)
  }

  @Test func resetDuringFlight() async throws {
    let gates = [Gate<Void>(), Gate<Void>()]
    let resolver = try resolver { [self] number in
      await gates[number - 1].pass()
      return .success(answer(number == 1 ? .regionalMarket : .otherMarket))
    }
    let before = Task { await resolver.resolve() }
    try await eventually { await resolver.waiting == 1 }
    await resolver.reset()
    let behind = Task { await resolver.resolve() }
    try await eventually { requests.recorded.count == 2 }
    await gates[1].open(())
    #expect(await behind.value == .otherMarket)
    await gates[0].open(())
    #expect(await before.value == .regionalMarket)
    // The old request came last, and is not what is kept.
    #expect(await resolver.resolve() == .otherMarket)
    #expect(requests.recorded.count == 2)
  }

  @Test func timeIsOverThoughTheTransportGoesOn() async throws {
    let gate = Gate<Void>()
    let resolver = try resolver(limits: RegionLimits(timeout: .milliseconds(1500))) { [self] _ in
      await gate.pass()
      return .success(answer(.regionalMarket))
    }
    let task = Task { await resolver.resolve() }
    try await eventually { clock.sleepers == 1 }
    clock.advance(by: .milliseconds(1499))
    #expect(await resolver.waiting == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await task.value == .unknown)
    #expect(await resolver.refusal == .transport(.timedOut))
    await gate.open(())
    #expect(await resolver.resolve() == .unknown)
    #expect(requests.recorded.count == 1)
  }

  @Test func timeOutCancelsTheTransport() async throws {
    let stopped = Counter()
    let resolver = try resolver { _ in
      do { try await Task.sleep(for: .seconds(60)) } catch { stopped.increment() }
      return .failure(.cancelled)
    }
    let task = Task { await resolver.resolve() }
    try await eventually { clock.sleepers == 1 }
    clock.advance(by: .seconds(2))
    #expect(await task.value == .unknown)
    try await eventually { stopped.count == 1 }
  }

  @Test func refusedResponses() async throws {
    for (response, refusal) in [
      (RegionResponse(status: 302, contentType: "application/json", body: []), RegionRefusal.status),
      (RegionResponse(status: 200, contentType: "text/html", body: []), .contentType),
      (RegionResponse(status: 200, contentType: "application/json", body: [0x7B]), .body),
    ] {
      let resolver = try resolver { _ in .success(response) }
      #expect(await resolver.resolve() == .unknown)
      #expect(await resolver.refusal == refusal)
    }
  }

  @Test func completionForm() async throws {
    let gate = Gate<Void>()
    let resolver = try resolver { [self] _ in
      await gate.pass()
      return .success(answer(.regionalMarket))
    }
    let called = Recorder<RegionBucket>()
    resolver.resolve { called.record($0) }
    let cancelled = resolver.resolve { called.record($0) }
    try await eventually { await resolver.waiting == 2 }
    cancelled.cancel()
    try await eventually { called.recorded == [.unknown] }
    await gate.open(())
    try await eventually { called.recorded == [.unknown, .regionalMarket] }
  }
}
