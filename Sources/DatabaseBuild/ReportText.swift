extension InputReport {
  /// The most codes that `text` names.
  private static let codesNamedMax = 20

  /// What `database build` prints of its inputs: files, codes left out, problems; no line feed behind the last.
  package var text: String {
    var lines = files.map { file in
      "\(file.path): \(file.format?.rawValue ?? "nothing"), \(file.lines) lines, \(file.networks) networks"
    }
    let codes = leftOutCodes
    if !codes.isEmpty {
      let named = codes.prefix(Self.codesNamedMax).map { code in
        "\(code.code.isEmpty ? "(none)" : code.code) \(code.lines)"
      }
      let rest = codes.count > named.count ? ", and \(codes.count - named.count) other codes" : ""
      lines.append("no country, left out (lines): \(named.joined(separator: ", "))\(rest)")
    }
    for problem in InputProblem.allCases.sorted(by: { $0.severity > $1.severity }) {
      guard let finding = findings[problem] else { continue }
      lines += text(of: problem, finding)
    }
    return lines.joined(separator: "\n")
  }

  private func text(of problem: InputProblem, _ finding: Finding) -> [String] {
    // Of what is no loss one line is enough.
    let shown = finding.first.prefix(problem.severity == .note ? 1 : diagnosticsMax)
    var lines = shown.map { "\(problem.severity): \(text(of: $0))" }
    let rest = finding.count - shown.count
    if rest > 0 { lines.append("\(problem.severity): \(rest) more: \(problem.rawValue)") }
    return lines
  }
}

extension BuildReport {
  /// What `database build` prints when it is done; no line feed behind the last line.
  package var text: String {
    """
    \(input.text)
    \(metadata.databaseType), data of \(CalendarDate(epoch: metadata.buildEpoch)): \
    \(nodeCount) nodes of \(recordSize.rawValue)-bit records, \(recordCount) distinct places, \(bytes) bytes
    """
  }
}
