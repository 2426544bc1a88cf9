import AdPlan
import ClientTestSupport
import Testing

@Suite struct AdLoaderTests {
  struct NoFill: Error {}

  private let clock = HandClock()
  private let attempts = Recorder<AdAttempt>()

  private func loader(
    _ providers: [AdProvider] = [.regional, .global, .inHouse],
    regional: @escaping @Sendable () async throws -> String = { "regional ad" },
    global: @escaping @Sendable () async throws -> String = { "global ad" }
  ) -> AdLoader<String> {
    AdLoader(
      providers: providers,
      sources: [
        .regional: AdSource(timeout: .seconds(1), load: regional),
        .global: AdSource(timeout: .seconds(2), load: global),
      ],
      inHouse: { "own content" }, clock: clock, observe: { [attempts] in attempts.record($0) })
  }

  private var observed: [String] {
    attempts.recorded.map { attempt in
      switch attempt {
      case .asked(let provider): "asked \(provider)"
      case .loaded(let provider): "loaded \(provider)"
      case .failed(let provider, let error): "failed \(provider) \(type(of: error))"
      case .timedOut(let provider): "timedOut \(provider)"
      case .dropped(let provider): "dropped \(provider)"
      }
    }
  }

  @Test func firstSucceeds() async throws {
    let ad = try #require(try await loader().load())
    #expect(ad.provider == .regional && ad.ad == "regional ad")
    #expect(observed == ["asked regional", "loaded regional"])
    try await eventually { clock.sleepers == 0 }
  }

  @Test func failureMovesOn() async throws {
    let ad = try #require(try await loader(regional: { throw NoFill() }).load())
    #expect(ad.provider == .global && ad.ad == "global ad")
    #expect(observed == ["asked regional", "failed regional NoFill", "asked global", "loaded global"])
  }

  @Test func allFail() async throws {
    let fail: @Sendable () async throws -> String = { throw NoFill() }
    let ad = try #require(try await loader(regional: fail, global: fail).load())
    #expect(ad.provider == .inHouse && ad.ad == "own content")
    #expect(observed.last == "loaded inHouse")
    #expect(try await loader([.global], global: fail).load() == nil)
  }

  @Test func lateSuccessIsDropped() async throws {
    let late = Gate<String>()
    let second = Gate<String>()
    let loader = loader(regional: { await late.pass() }, global: { await second.pass() })
    let load = Task { try await loader.load() }
    try await eventually { clock.sleepers == 1 }
    clock.advance(by: .seconds(1))
    try await eventually { observed.last == "asked global" }
    await late.open("too late")
    try await eventually { observed.last == "dropped regional" }
    await second.open("in time")
    let ad = try #require(try await load.value)
    #expect(ad.provider == .global && ad.ad == "in time")
    #expect(
      observed == [
        "asked regional", "timedOut regional", "asked global", "dropped regional", "loaded global",
      ])
  }

  @Test func timeOutCancelsTheSource() async throws {
    let stopped = Counter()
    let second = Gate<String>()
    let loader = loader(
      regional: {
        do { try await Task.sleep(for: .seconds(60)) } catch { stopped.increment() }
        throw NoFill()
      }, global: { await second.pass() })
    let load = Task { try await loader.load() }
    try await eventually { clock.sleepers == 1 }
    clock.advance(by: .seconds(1))
    // While the next is being asked.
    try await eventually { stopped.count == 1 && observed.last == "dropped regional" }
    await second.open("in time")
    #expect(try await load.value?.provider == .global)
  }

  @Test func cancelledWhileInHouseContentIsMade() async throws {
    let content = Gate<String>()
    let making = Counter()
    let loader = AdLoader<String>(
      providers: [.inHouse], sources: [:],
      inHouse: {
        making.increment()
        return await content.pass()
      }, clock: clock, observe: { [attempts] in attempts.record($0) })
    let load = Task { try await loader.load() }
    try await eventually { making.count == 1 }
    await loader.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    await content.open("unwanted")
    try await Task.sleep(for: .milliseconds(50))
    await #expect(throws: CancellationError.self) { try await loader.load() }
    #expect(observed == [])
  }

  @Test func loadedTwiceIsOneChain() async throws {
    let calls = Counter()
    let answer = Gate<String>()
    let loader = loader(regional: {
      calls.increment()
      return await answer.pass()
    })
    async let first = loader.load()
    async let second = loader.load()
    try await eventually { calls.count == 1 }
    await answer.open("one")
    let ads = try await [first, second]
    #expect(ads.allSatisfy { $0?.provider == .regional && $0?.ad == "one" })
    #expect(try await loader.load()?.ad == "one")
    #expect(calls.count == 1)
  }

  @Test func oneOfTwoWaitersCancelled() async throws {
    let answer = Gate<String>()
    let loader = loader(regional: { await answer.pass() })
    let leaving = Task { try await loader.load() }
    let staying = Task { try await loader.load() }
    try await eventually { await loader.waiting == 2 }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    await answer.open("kept")
    #expect(try await staying.value?.ad == "kept")
  }

  @Test func lastWaiterCancelledEndsTheChain() async throws {
    let stopped = Counter()
    let loader = loader(regional: {
      do { try await Task.sleep(for: .seconds(60)) } catch { stopped.increment() }
      return "unwanted"
    })
    let load = Task { try await loader.load() }
    try await eventually { observed == ["asked regional"] }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    try await eventually { stopped.count == 1 && observed.last == "dropped regional" }
    await #expect(throws: CancellationError.self) { try await loader.load() }
    #expect(observed == ["asked regional", "dropped regional"])
  }

  @Test func cancelledChain() async throws {
    let answer = Gate<String>()
    let loader = loader(regional: { await answer.pass() })
    let load = Task { try await loader.load() }
    try await eventually { await loader.waiting == 1 }
    await loader.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    await answer.open("unwanted")
    try await eventually { observed == ["asked regional", "dropped regional"] }
  }

  @Test func providerWithoutSourceIsSkipped() async throws {
    let loader = AdLoader<String>(
      providers: [.regional, .global, .inHouse], sources: [:], inHouse: { "own content" }, clock: clock)
    #expect(try await loader.load()?.provider == .inHouse)
  }
}
