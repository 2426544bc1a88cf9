import RegionModel

/// All that `/metrics` shows: the loops' counters and what became of configuration and database. Any thread.
package final class Metrics: Sendable {
  private let loops: [LoopCounters]
  private let status: ServiceStatus
  private let log: Log

  package init(loops: [LoopCounters], status: ServiceStatus, log: Log) {
    self.loops = loops
    self.status = status
    self.log = log
  }

  /// A counter of all loops together.
  package func total(_ counter: Counter) -> UInt64 { loops.reduce(0) { $0 &+ $1.value(counter) } }

  /// The page in the text format of Prometheus (version 0.0.4).
  func page(_ snapshot: ServiceSnapshot, unixSeconds: Int64) -> String {
    var page = MetricsText()
    for family in MetricFamily.allCases {
      page.begin(family)
      for sample in samples(family, snapshot, unixSeconds) { page.add(family, sample) }
    }
    return page.text
  }

  private func samples(
    _ family: MetricFamily, _ snapshot: ServiceSnapshot, _ unixSeconds: Int64
  ) -> [MetricSample] {
    switch family {
    case .decisions:
      return RegionBucket.allCases.flatMap { bucket in
        DecisionSource.allCases.map { source in
          sample(.decision(bucket, source), [("bucket", "\(bucket.name)"), ("source", "\(source.name)")])
        }
      }
    case .unknown: return UnknownReason.allCases.map { sample(.unknown($0), [("reason", "\($0.name)")]) }
    case .answers:
      let statuses = Set(Answer.all.map(\.status)).sorted()
      return statuses.map { status in
        let count = Answer.all.filter { $0.status == status }.reduce(0) { $0 + total(.answer($1)) }
        return MetricSample(labels: [("status", String(status))], value: String(count))
      }
    case .sharing:
      return [
        sample(.sharing(.shareable), [("sharing", "shareable")]),
        sample(.sharing(.withheld), [("sharing", "withheld")]),
      ]
    case .staleEdge: return [sample(.staleEdge)]
    case .shadow:
      guard snapshot.shadow != nil else { return [] }
      return RegionBucket.allCases.flatMap { live in
        RegionBucket.allCases.map { shadow in
          sample(.shadow(live, shadow), [("live", "\(live.name)"), ("shadow", "\(shadow.name)")])
        }
      }
    case .originSecret:
      return [
        sample(.originSecret(isFirst: true), [("place", "first")]),
        sample(.originSecret(isFirst: false), [("place", "other")]),
      ]
    case .connectionsOpen:
      let open = Int(total(.accepted)) - Int(total(.closed))
      return [MetricSample(value: String(max(open, 0)))]
    case .connectionsAccepted: return [sample(.accepted)]
    case .connectionsRefused:
      return Counter.Refusal.allCases.map { sample(.refused($0), [("reason", "\($0)")]) }
    case .connectionsTimedOut:
      return Counter.Timeout.allCases.map { sample(.timedOut($0), [("kind", "\($0)")]) }
    case .reloads:
      return ServiceStatus.Reload.allCases.map {
        MetricSample(
          labels: [("what", $0.what), ("result", $0.result)], value: String(status.reloadCount($0)))
      }
    case .databaseBuild:
      return status.databaseBuildSeconds.map { [MetricSample(value: String($0))] } ?? []
    case .databaseAge:
      return status.databaseBuildSeconds.map {
        [MetricSample(value: String(max(unixSeconds - Int64(clamping: $0), 0)))]
      } ?? []
    case .policy:
      return [MetricSample(labels: [("fingerprint", snapshot.decider.policy.fingerprint)], value: "1")]
    case .shadowPolicy:
      return snapshot.shadow.map {
        [MetricSample(labels: [("fingerprint", $0.policy.fingerprint)], value: "1")]
      } ?? []
    case .duration: return durationSamples()
    case .logLinesDropped: return [MetricSample(value: String(log.droppedCount))]
    case .build: return [MetricSample(labels: [("version", BuildVersion.text)], value: "1")]
    }
  }

  private func sample(_ counter: Counter, _ labels: [(String, String)] = []) -> MetricSample {
    MetricSample(labels: labels, value: String(total(counter)))
  }

  private func durationSamples() -> [MetricSample] {
    var samples: [MetricSample] = []
    var count: UInt64 = 0
    for (index, bound) in Counter.latencyBoundsMicroseconds.enumerated() {
      count += total(.latency(index))
      samples.append(
        MetricSample(
          suffix: "_bucket", labels: [("le", MetricsText.seconds(nanoseconds: UInt64(bound) * 1000))],
          value: String(count)))
    }
    count += total(.latency(Counter.latencyBoundsMicroseconds.count))
    samples.append(MetricSample(suffix: "_bucket", labels: [("le", "+Inf")], value: String(count)))
    samples.append(
      MetricSample(suffix: "_sum", value: MetricsText.seconds(nanoseconds: total(.latencyNanoseconds))))
    samples.append(MetricSample(suffix: "_count", value: String(count)))
    return samples
  }
}
