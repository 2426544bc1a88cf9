import TestFixtures
import Testing

@testable import DatabaseBuild

/// Which of several claims holds, against a map that has every address.
@Suite struct ClaimsTests {
  private static let addressCount: UInt128 = 64

  @Test func settlesAsAddressByAddress() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &generator)
      let ranks = (0..<count).shuffled(using: &generator)
      var claims = ranks.map { rank in
        let first = UInt128.random(in: 0..<Self.addressCount, using: &generator)
        let last = UInt128.random(in: first..<Self.addressCount, using: &generator)
        let record: RecordID? = Int.random(in: 0..<5, using: &generator) == 0 ? nil : RecordID(rank % 3)
        return Claim(first: first, last: last, rank: UInt64(rank), record: record)
      }
      claims.sort { $0.first < $1.first }
      var losers: Set<UInt64> = []
      let segments = Claims.settle(claims) { loser, holder in
        #expect(holder.rank < loser.rank && holder.first <= loser.last && loser.first <= holder.last)
        losers.insert(loser.rank)
      }
      var expectedLosers: Set<UInt64> = []
      for address in 0..<Self.addressCount {
        let standing = claims.filter { $0.first <= address && address <= $0.last }
        let holder = standing.min { $0.rank < $1.rank }
        let segment = segments.first { $0.first <= address && address <= $0.last }
        #expect(segment?.record == holder?.record)
        expectedLosers.formUnion(standing.map(\.rank).filter { $0 != holder?.rank })
      }
      #expect(losers == expectedLosers)
      for (left, right) in zip(segments, segments.dropFirst()) {
        #expect(left.last < right.first)
        #expect(left.last + 1 < right.first || left.record != right.record, "neighbours should be joined")
      }
    }
  }

  @Test func reachesTheHighestAddress() {
    let whole = Claim(first: 0, last: .max, rank: 1, record: 7)
    #expect(Claims.settle([whole]) == [Segment(first: 0, last: .max, record: 7)])
    let end = Claim(first: .max, last: .max, rank: 0, record: 8)
    #expect(
      Claims.settle([whole, end]) == [
        Segment(first: 0, last: .max - 1, record: 7), Segment(first: .max, last: .max, record: 8),
      ])
    #expect(Claims.settle([]).isEmpty)
  }
}
