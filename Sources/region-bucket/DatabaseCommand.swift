import DatabaseBuild
import Glibc
import RegionService

/// `region-bucket database build` and `database info`.
struct DatabaseCommand {
  let arguments: [String]

  func run() -> ExitStatus {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "build": return build(rest)
    case "info": return DatabaseInfoCommand(arguments: rest).run()
    case .some(let other): return usageError("there is no 'database \(other)'; there is 'build' and 'info'")
    case nil: return usageError("'database' needs 'build' or 'info'")
    }
  }

  private func usageError(_ problem: String) -> ExitStatus {
    CommandLineTool.usageError(problem, command: "database")
  }

  private func build(_ arguments: [String]) -> ExitStatus {
    let parsed = BuildArguments(arguments)
    if let problem = parsed.problem { return usageError(problem) }
    guard let output = parsed.output else { return usageError("--output is missing") }
    guard !parsed.inputs.isEmpty else { return usageError("there is no input file") }
    let builder = parsed.builder(now: UInt64(time(nil)))
    let progress = ProgressLine(isShown: !parsed.isQuiet && Terminal.isTerminal(STDERR_FILENO))
    do throws(BuildError) {
      let report = try builder.build(to: output) { progress.show($0) }
      progress.end()
      Self.complain(of: report.input)
      if !parsed.isQuiet {
        let codes = report.input.leftOutCodes.map { "\($0.code.isEmpty ? "(none)" : $0.code) \($0.lines)" }
        if !codes.isEmpty { Terminal.say("left out, being no countries: \(codes.joined(separator: ", "))") }
        Terminal.say(
          "\(output): \(report.recordCount) records, \(report.nodeCount) nodes of "
            + "\(report.recordSize.rawValue)-bit records, \(report.bytes) bytes")
        Terminal.say(report.metadata.description)
      }
      return .success
    } catch {
      progress.end()
      return Self.explain(error)
    }
  }

  private static func complain(of report: InputReport) {
    for diagnostic in report.diagnostics where diagnostic.problem.severity > .note {
      Terminal.complain(report.text(of: diagnostic))
    }
    // Notices, such as gaps, stand at thousands of lines of good files: their number is enough.
    for (problem, finding) in report.findings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let shown = problem.severity > .note ? finding.first.count : 0
      guard finding.count > shown else { continue }
      let lines = finding.count - shown == 1 ? "line" : "lines"
      Terminal.complain("\(finding.count - shown) \(shown > 0 ? "more " : "")\(lines): \(problem.rawValue)")
    }
  }

  private static func explain(_ error: BuildError) -> ExitStatus {
    Terminal.complain("error: \(error)")
    switch error {
    case .tooManyInputs: return .usage
    case .cannotRead: return .noInput
    case .unknownFormat, .endlessLine, .cannotEncode: return .badData
    case .noNetworks(let report), .wrongLines(let report):
      complain(of: report)
      return .badData
    case .cannotWrite: return .cannotCreate
    }
  }
}

/// The arguments of `database build`.
private struct BuildArguments {
  private(set) var output: String?
  private(set) var inputs: [String] = []
  private(set) var isQuiet = false
  private(set) var problem: String?

  private var isStrict = false
  private var format: InputFormat?
  private var recordSize: RecordSize?
  private var ipVersion = IPVersion.v6
  private var sourceDate: CalendarDate?
  private var texts: [String: String] = [:]

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst(), problem == nil {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      switch parts[0] {
      case "--quiet": isQuiet = true
      case "--strict": isStrict = true
      case "--output", "--format", "--record-size", "--ip-version", "--source-date", "--type", "--licence",
        "--attribution":
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
          problem = "\(parts[0]) needs a value"
          return
        }
        set(parts[0], value)
      case "--":
        inputs += rest
        return
      default:
        if argument.hasPrefix("--") {
          problem = "there is no option \(parts[0])"
        } else {
          inputs.append(argument)
        }
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) {
    switch option {
    case "--output": output = value
    case "--format":
      format = InputFormat(rawValue: value)
      if format == nil {
        problem = "--format is one of \(InputFormat.allCases.map(\.rawValue).joined(separator: ", "))"
      }
    case "--record-size":
      recordSize = Int(value).flatMap { RecordSize(rawValue: $0) }
      if recordSize == nil { problem = "--record-size is 24, 28 or 32" }
    case "--ip-version":
      if let version = UInt16(value).flatMap({ IPVersion(rawValue: $0) }) {
        ipVersion = version
      } else {
        problem = "--ip-version is 4 or 6"
      }
    case "--source-date":
      sourceDate = CalendarDate(value[...])
      if sourceDate == nil { problem = "--source-date is a day such as 2026-01-31" }
    default: texts[option] = value
    }
  }

  func builder(now: UInt64) -> DatabaseBuilder {
    var builder = DatabaseBuilder(inputs: inputs.map { .init(path: $0, format: format) }, now: now)
    builder.recordSize = recordSize
    builder.ipVersion = ipVersion
    builder.sourceEpoch = sourceDate?.epoch
    builder.isStrict = isStrict
    builder.databaseType = texts["--type"]
    builder.license = texts["--licence"]
    builder.attribution = texts["--attribution"]
    return builder
  }
}

/// One line on a terminal that says how far a build is.
private final class ProgressLine {
  private let isShown: Bool
  private var last = ""

  init(isShown: Bool) { self.isShown = isShown }

  func show(_ progress: BuildProgress) {
    let text = "\(progress.phase.rawValue) \(Int(progress.fraction * 100)) %"
    guard isShown, text != last else { return }
    last = text
    Terminal.write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
  }

  func end() {
    if isShown, !last.isEmpty { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
  }
}
