/// What was found in the inputs of a build. Bounded, whatever the inputs hold.
package struct InputReport: Equatable, Sendable {
  /// What was found in one file.
  package struct File: Equatable, Sendable {
    /// Its path, as the caller gave it.
    package let path: String
    /// How it was read; nil when no line told.
    package internal(set) var format: InputFormat?
    /// Its size as it was read.
    package internal(set) var bytes = 0
    /// Its lines, comments and blank ones included.
    package internal(set) var lines = 0
    /// Its lines that speak of a network, but for those that are wrong.
    package internal(set) var networks = 0
    /// What its comments say of its source.
    package internal(set) var header = SourceHeader()
  }

  /// A code that stands where a country should.
  package struct LeftOutCode: Equatable, Sendable {
    /// The code as written; empty when there was none.
    package let code: String
    /// The lines with it.
    package let lines: Int
  }

  /// How many lines have a problem, and the first of them.
  package struct Finding: Equatable, Sendable {
    /// How many lines have it.
    package internal(set) var count = 0
    /// The first ones, by file and line.
    package internal(set) var first: [InputDiagnostic] = []
  }

  /// The files in their order.
  package internal(set) var files: [File]
  /// By problem; a problem that no line has is not there.
  package internal(set) var findings: [InputProblem: Finding] = [:]
  /// The most lines that are kept of each problem.
  package let diagnosticsMax: Int

  private var leftOutLines: [String: Int] = [:]

  /// The most different codes that are told apart.
  static let leftOutCodesMax = 1000
  /// Stands for all codes over `leftOutCodesMax`.
  package static let otherCodes = "(others)"

  init(paths: [String], diagnosticsMax: Int) {
    files = paths.map { File(path: $0) }
    self.diagnosticsMax = diagnosticsMax
  }

  /// Codes that are no country, those with most lines first, equal ones in alphabetical order.
  package var leftOutCodes: [LeftOutCode] {
    leftOutLines.map { LeftOutCode(code: $0.key, lines: $0.value) }
      .sorted { ($1.lines, $0.code) < ($0.lines, $1.code) }
  }

  /// How many lines have problems of this gravity.
  package func count(_ severity: InputProblem.Severity) -> Int {
    findings.reduce(0) { $0 + ($1.key.severity == severity ? $1.value.count : 0) }
  }

  /// The kept lines of all problems: the gravest first, then by file and line.
  package var diagnostics: [InputDiagnostic] {
    findings.values.flatMap(\.first).sorted {
      $0.problem.severity != $1.problem.severity
        ? $0.problem.severity > $1.problem.severity
        : $0.place != $1.place ? $0.place < $1.place : $0.problem.rawValue < $1.problem.rawValue
    }
  }

  /// `path:line: what is wrong`.
  package func text(of diagnostic: InputDiagnostic) -> String {
    let text = "\(text(of: diagnostic.place)): \(diagnostic.problem.rawValue)"
    return diagnostic.holder.map { "\(text) (\(self.text(of: $0)))" } ?? text
  }

  private func text(of place: InputPlace) -> String { "\(files[place.file].path):\(place.line)" }

  mutating func add(_ problem: InputProblem, at place: InputPlace, holder: InputPlace? = nil) {
    var finding = findings.removeValue(forKey: problem) ?? Finding()
    finding.count += 1
    if finding.first.count < diagnosticsMax || finding.first.last.map({ place < $0.place }) ?? false {
      let index = finding.first.firstIndex { place < $0.place } ?? finding.first.count
      finding.first.insert(InputDiagnostic(place: place, problem: problem, holder: holder), at: index)
      if finding.first.count > diagnosticsMax { finding.first.removeLast() }
    }
    findings[problem] = finding
  }

  mutating func leaveOut(_ code: String) {
    let isTold = leftOutLines.count < Self.leftOutCodesMax || leftOutLines[code] != nil
    leftOutLines[isTold ? code : Self.otherCodes, default: 0] += 1
  }
}
