import AdPlan
import ClientTestSupport
import RegionModel
import Testing

@Suite @MainActor struct AdStartupTests {
  @Test func enteredTwiceWhileInFlight() async throws {
    let lookups = Counter()
    let answer = Gate<RegionBucket>()
    let startup = AdStartup {
      lookups.increment()
      return await answer.pass()
    }
    async let first = startup.enter(.adsAllowed)
    async let second = startup.enter(.adsAllowed)
    try await eventually { lookups.count == 1 }
    await answer.open(.regionalMarket)
    let plans = try await [first, second]
    #expect(plans[0] == ProviderPlan(number: 1, providers: [.regional, .global, .inHouse]))
    #expect(plans[1] == plans[0])
    #expect(try await startup.enter(.adsAllowed) == plans[0])
    #expect(lookups.count == 1)
  }

  @Test func cancelledWaiterLeavesAlone() async throws {
    let lookups = Counter()
    let answer = Gate<RegionBucket>()
    let startup = AdStartup {
      lookups.increment()
      return await answer.pass()
    }
    let leaving = Task { try await startup.enter(.adsAllowed) }
    let staying = Task { try await startup.enter(.adsAllowed) }
    try await eventually { lookups.count == 1 }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    await answer.open(.otherMarket)
    #expect(try await staying.value.providers == [.global, .inHouse])
    #expect(lookups.count == 1)
  }

  @Test func alreadyCancelledAsksNobody() async throws {
    let lookups = Counter()
    let startup = AdStartup {
      lookups.increment()
      return .otherMarket
    }
    let task = Task {
      try? await Task.sleep(for: .seconds(60))
      return try await startup.enter(.adsAllowed)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(lookups.count == 0)
  }

  @Test func completionForm() async throws {
    let answer = Gate<RegionBucket>()
    let startup = AdStartup { await answer.pass() }
    var plans: [String: ProviderPlan] = [:]
    startup.enter(.pending) { plans["pending"] = $0 }
    #expect(plans == ["pending": ProviderPlan(number: 1, providers: [.inHouse])])
    let cancelled = startup.enter(.adsAllowed) { plans["cancelled"] = $0 }
    startup.enter(.adsAllowed) { plans["waiting"] = $0 }
    startup.cancel(cancelled)
    startup.cancel(cancelled)
    await answer.open(.regionalMarket)
    try await eventually { plans["waiting"] != nil }
    #expect(plans["waiting"] == ProviderPlan(number: 2, providers: [.regional, .global, .inHouse]))
    #expect(plans["cancelled"] == nil)
  }

  @Test func resetAsksAnew() async throws {
    let answers = Recorder<RegionBucket>()
    let startup = AdStartup {
      answers.record(answers.recorded.isEmpty ? .unknown : .regionalMarket)
      return answers.recorded.last ?? .unknown
    }
    #expect(try await startup.enter(.adsAllowed).providers == [.global, .inHouse])
    startup.reset()
    let plan = try await startup.enter(.adsAllowed)
    #expect(plan == ProviderPlan(number: 2, providers: [.regional, .global, .inHouse]))
    #expect(answers.recorded == [.unknown, .regionalMarket])
  }

  @Test func resetWithNobodyWaitingAsksNobody() async throws {
    let lookups = Counter()
    let answer = Gate<RegionBucket>()
    let startup = AdStartup {
      lookups.increment()
      return await answer.pass()
    }
    let waiter = startup.enter(.adsAllowed) { _ in Issue.record("cancelled, and called back") }
    try await eventually { lookups.count == 1 }
    startup.cancel(waiter)
    startup.reset()
    try await Task.sleep(for: .milliseconds(50))
    #expect(lookups.count == 1)
    await answer.open(.otherMarket)
    #expect(try await startup.enter(.adsAllowed).providers == [.global, .inHouse])
    #expect(lookups.count == 2)
  }

  @Test func completionMayEnterAgain() async throws {
    let startup = AdStartup { .regionalMarket }
    var numbers: [Int] = []
    startup.enter(.pending) { plan in
      numbers.append(plan.number)
      startup.enter(.externalAdsBlocked) { numbers.append($0.number) }
    }
    #expect(numbers == [1, 2])
  }
}
