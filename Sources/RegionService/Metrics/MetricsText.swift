/// One number of a family.
struct MetricSample {
  var suffix = ""
  var labels: [(String, String)] = []
  var value: String
}

/// The page as it grows.
struct MetricsText {
  private(set) var text = ""

  mutating func begin(_ family: MetricFamily) {
    let (name, type, help) = family.description
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  mutating func add(_ family: MetricFamily, _ sample: MetricSample) {
    text += family.description.name + sample.suffix
    if !sample.labels.isEmpty {
      // Label values are closed words, versions and hexadecimal digits: nothing to escape.
      text += "{" + sample.labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",") + "}"
    }
    text += " \(sample.value)\n"
  }

  /// A decimal fraction of seconds, exact.
  static func seconds(nanoseconds: UInt64) -> String {
    let whole = nanoseconds / 1_000_000_000
    var digits = String(nanoseconds % 1_000_000_000)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.last == "0", digits.count > 1 { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
