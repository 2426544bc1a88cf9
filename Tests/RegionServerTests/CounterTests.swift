import RegionModel
import RegionService
import Testing

@Suite("Counters") struct CounterTests {
  @Test("the numbers of cases are those of the cases") func counts() {
    #expect(RegionBucket.count == RegionBucket.allCases.count)
    #expect(DecisionSource.count == DecisionSource.allCases.count)
    #expect(UnknownReason.count == UnknownReason.allCases.count)
    #expect(Answer.count == Answer.all.count)
    #expect(Answer.all.map(\.index) == Array(0..<Answer.count))
  }

  @Test("every counter has a place of its own") func places() {
    var all: [Counter] = []
    for bucket in RegionBucket.allCases {
      all +=
        DecisionSource.allCases.map { .decision(bucket, $0) }
        + RegionBucket.allCases.map { .shadow(bucket, $0) }
    }
    all += UnknownReason.allCases.map { .unknown($0) } + Answer.all.map { .answer($0) }
    all += Sharing.allCases.map { .sharing($0) } + [.staleEdge, .accepted, .closed, .latencyNanoseconds]
    all += [true, false].map { .originSecret(isFirst: $0) }
    all += Counter.Refusal.allCases.map { .refused($0) } + Counter.Timeout.allCases.map { .timedOut($0) }
    all += (0...Counter.latencyBoundsMicroseconds.count).map { .latency($0) }
    #expect(Set(all.map(\.index)) == Set(0..<Counter.count))
    #expect(all.count == Counter.count)
  }
}
