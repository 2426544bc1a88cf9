/// A run of addresses with one record.
struct Segment: Equatable {
  /// The lowest address.
  var first: UInt128
  /// The highest address; never below `first`.
  var last: UInt128
  /// The number of the record.
  var record: RecordID
}

/// The number of a record in a writer's table.
typealias RecordID = UInt32

/// A run of addresses that an input speaks of, before it is settled which of several such runs holds.
struct Claim {
  /// The lowest address.
  var first: UInt128
  /// The highest address; never below `first`.
  var last: UInt128
  /// Of claims to one address the one with the lowest rank holds. No two claims of a list share a rank unless
  /// their runs are disjoint.
  var rank: UInt64
  /// The record; nil claims the addresses for having none.
  var record: RecordID?
}

enum Claims {
  /// Settles which claim holds where: disjoint segments in ascending order, neighbours with the same record joined.
  ///
  /// - Parameters:
  ///   - claims: in ascending order of `first`.
  ///   - loses: told of every claim that gives way somewhere, with the one that holds there; of some more than
  ///     once.
  static func settle(
    _ claims: [Claim], loses: (_ loser: Claim, _ holder: Claim) -> Void = { _, _ in }
  ) -> [Segment] {
    var segments: [Segment] = []
    segments.reserveCapacity(claims.count)
    var standing = ClaimHeap()
    var next = 0
    var position: UInt128 = 0
    while true {
      while let top = standing.top, top.last < position { standing.removeTop() }
      if standing.top == nil {
        guard next < claims.count else { return segments }
        position = claims[next].first
      }
      while next < claims.count, claims[next].first <= position {
        let claim = claims[next]
        // What is below the top lost to it when it came there.
        if let top = standing.top {
          if top.rank < claim.rank { loses(claim, top) } else { loses(top, claim) }
        }
        standing.insert(claim)
        next += 1
      }
      guard let holder = standing.top else { preconditionFailure("a claim starts here") }
      var last = holder.last
      if next < claims.count, claims[next].first <= last { last = claims[next].first - 1 }
      if let record = holder.record {
        append(Segment(first: position, last: last, record: record), to: &segments)
      }
      if last == .max { return segments }
      position = last + 1
    }
  }

  private static func append(_ segment: Segment, to segments: inout [Segment]) {
    if let before = segments.last, before.record == segment.record, before.last + 1 == segment.first {
      segments[segments.count - 1].last = segment.last
    } else {
      segments.append(segment)
    }
  }
}

/// A binary heap with the claim of lowest rank on top.
private struct ClaimHeap {
  private var claims: [Claim] = []

  var top: Claim? { claims.first }

  mutating func insert(_ claim: Claim) {
    claims.append(claim)
    var child = claims.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard claims[child].rank < claims[parent].rank else { return }
      claims.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeTop() {
    claims.swapAt(0, claims.count - 1)
    claims.removeLast()
    var parent = 0
    while true {
      var lowest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < claims.count && claims[child].rank < claims[lowest].rank {
        lowest = child
      }
      guard lowest != parent else { return }
      claims.swapAt(parent, lowest)
      parent = lowest
    }
  }
}
