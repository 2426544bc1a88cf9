import RegionModel
import Synchronization

/// What is counted: a closed set of numbers, each with fixed labels. No label can hold anything of a request.
package struct Counter: Hashable, Sendable {
  /// The place among all counters.
  package let index: Int

  private init(_ group: Group, _ offset: Int) { index = group.start + offset }

  /// Why a connection was refused.
  package enum Refusal: Int, CaseIterable, Sendable {
    case connectionLimit
    case descriptorLimit
    case bufferLimit
    case badPreface
  }

  /// What took too long.
  package enum Timeout: Int, CaseIterable, Sendable {
    case idle
    case head
    case body
    case write
    case linger
  }

  package static func decision(_ bucket: RegionBucket, _ source: DecisionSource) -> Counter {
    Counter(.decision, bucket.index * DecisionSource.count + source.index)
  }
  package static func unknown(_ reason: UnknownReason) -> Counter { Counter(.unknown, reason.index) }
  package static func answer(_ answer: Answer) -> Counter { Counter(.answer, answer.index) }
  package static func sharing(_ sharing: Sharing) -> Counter { Counter(.sharing, Int(sharing.rawValue)) }
  package static var staleEdge: Counter { Counter(.staleEdge, 0) }
  /// What the policy in force said, and what the shadow policy would have said.
  package static func shadow(_ live: RegionBucket, _ shadow: RegionBucket) -> Counter {
    Counter(.shadow, live.index * RegionBucket.count + shadow.index)
  }
  /// Which of the configured secrets a request carried.
  package static func originSecret(isFirst: Bool) -> Counter { Counter(.originSecret, isFirst ? 0 : 1) }
  package static var accepted: Counter { Counter(.accepted, 0) }
  package static var closed: Counter { Counter(.closed, 0) }
  package static func refused(_ reason: Refusal) -> Counter { Counter(.refused, reason.rawValue) }
  package static func timedOut(_ kind: Timeout) -> Counter { Counter(.timedOut, kind.rawValue) }
  /// Answers that took no longer than the bound of that index, and longer than the one before.
  package static func latency(_ bound: Int) -> Counter { Counter(.latency, bound) }
  package static var latencyNanoseconds: Counter { Counter(.latencyNanoseconds, 0) }

  /// The histogram's upper bounds in microseconds; one more counter follows for everything above.
  package static let latencyBoundsMicroseconds: [Int] = [5, 10, 20, 50, 100, 200, 500, 1000, 10_000]

  /// How many counters there are.
  package static let count = Group.latencyNanoseconds.end

  private enum Group: Int, CaseIterable {
    case decision, unknown, answer, sharing, staleEdge, shadow, originSecret
    case accepted, closed, refused, timedOut, latency, latencyNanoseconds

    var count: Int {
      switch self {
      case .decision: RegionBucket.count * DecisionSource.count
      case .unknown: UnknownReason.count
      case .answer: Answer.count
      case .sharing: Sharing.allCases.count
      case .shadow: RegionBucket.count * RegionBucket.count
      case .originSecret: 2
      case .refused: Refusal.allCases.count
      case .timedOut: Timeout.allCases.count
      case .latency: latencyBoundsMicroseconds.count + 1
      case .staleEdge, .accepted, .closed, .latencyNanoseconds: 1
      }
    }

    /// Where the group begins: behind the one before it. The compiler makes a number of it.
    @inline(__always)
    var start: Int {
      switch self {
      case .decision: 0
      case .unknown: Group.decision.end
      case .answer: Group.unknown.end
      case .sharing: Group.answer.end
      case .staleEdge: Group.sharing.end
      case .shadow: Group.staleEdge.end
      case .originSecret: Group.shadow.end
      case .accepted: Group.originSecret.end
      case .closed: Group.accepted.end
      case .refused: Group.closed.end
      case .timedOut: Group.refused.end
      case .latency: Group.timedOut.end
      case .latencyNanoseconds: Group.latency.end
      }
    }

    var end: Int { start + count }
  }
}

// How many cases there are, as numbers that the compiler knows: `allCases` of another module is asked at run time.

extension RegionBucket {
  package static var count: Int { 3 }
}

extension DecisionSource {
  package static var count: Int { 4 }
}

extension UnknownReason {
  package static var count: Int { 10 }
}

/// One loop's counters. The loop alone writes; any thread may read.
package final class LoopCounters: @unchecked Sendable {
  private let values: UnsafeMutablePointer<Atomic<UInt64>>

  package init() {
    values = .allocate(capacity: Counter.count)
    for index in 0..<Counter.count { (values + index).initialize(to: Atomic(0)) }
  }

  deinit {
    values.deinitialize(count: Counter.count)
    values.deallocate()
  }

  /// Adds; on the loop's own thread only, which is why no locked instruction is needed.
  @inline(__always)
  package func add(_ counter: Counter, _ amount: UInt64 = 1) {
    let value = values + counter.index
    value.pointee.store(value.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// The value now, from any thread.
  package func value(_ counter: Counter) -> UInt64 {
    (values + counter.index).pointee.load(ordering: .relaxed)
  }
}
