import RegionModel

/// The counts of the last minute as one line.
struct MinuteSummary {
  private let metrics: Metrics
  private var nextAt: Int64?
  private var before: [UInt64]

  private static let intervalMilliseconds: Int64 = 60_000
  private static let decisions: [(key: StaticString, counters: [Counter])] = RegionBucket.allCases.map {
    bucket in
    (bucket.name, DecisionSource.allCases.map { .decision(bucket, $0) })
  }
  private static let columns: [(key: StaticString, counters: [Counter])] =
    [("answers", Answer.all.map { .answer($0) })] + decisions + [
      ("problems", Answer.all.filter { $0.status >= 400 }.map { .answer($0) }),
      ("connections", [.accepted]),
      ("refused", Counter.Refusal.allCases.map { .refused($0) }),
      ("timedOut", Counter.Timeout.allCases.map { .timedOut($0) }),
    ]

  init(metrics: Metrics) {
    self.metrics = metrics
    before = [UInt64](repeating: 0, count: Self.columns.count)
  }

  /// The line, when a minute is over.
  mutating func event(now: Int64) -> LogEvent? {
    let due = nextAt ?? now + Self.intervalMilliseconds
    guard now >= due else {
      nextAt = due
      return nil
    }
    nextAt = now + Self.intervalMilliseconds
    let totals = Self.columns.map { $0.counters.reduce(0) { $0 &+ metrics.total($1) } }
    let values = zip(Self.columns, zip(totals, before)).map { column, counts in
      (key: column.key, value: LogValue.integer(Int(clamping: counts.0 &- counts.1)))
    }
    before = totals
    return LogEvent(.info, "minute", values)
  }
}
