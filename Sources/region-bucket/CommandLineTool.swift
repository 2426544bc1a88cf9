import Glibc
import ServiceConfig

/// The command line: finds the command and runs it.
struct CommandLineTool {
  let arguments: [String]

  func run() -> ExitStatus {
    guard let name = arguments.first else {
      Terminal.write(Command.overview, to: STDERR_FILENO)
      return .usage
    }
    let rest = Array(arguments.dropFirst())
    if ["-h", "--help"].contains(name) { return Self.help([]) }
    if name == "--version" { return VersionCommand().run() }
    guard let command = Command(rawValue: name) else {
      let nearest = Command.allCases.first { $0.rawValue.hasPrefix(name.prefix(3)) }
      return Self.usageError(
        "there is no command '\(name)'", hint: nearest.map { "did you mean '\($0.rawValue)'?" })
    }
    if rest.contains(where: { $0 == "-h" || $0 == "--help" }) { return Self.help([name]) }
    let environment = Self.environment
    switch command {
    case .serve: return ServeCommand(arguments: rest, environment: environment).run()
    case .check: return CheckCommand(arguments: rest, environment: environment).run()
    case .explain: return ExplainCommand(arguments: rest, environment: environment).run()
    case .export: return ExportCommand(arguments: rest, environment: environment).run()
    case .healthcheck: return HealthcheckCommand(arguments: rest, environment: environment).run()
    case .database: return DatabaseCommand(arguments: rest).run()
    case .version: return VersionCommand().run()
    case .completion: return CompletionCommand(arguments: rest).run()
    case .help: return Self.help(rest)
    }
  }

  /// Says what is wrong with the command line, and where to read more.
  static func usageError(_ problem: String, hint: String? = nil, command: String? = nil) -> ExitStatus {
    Terminal.complain("error: \(problem)" + (hint.map { "; \($0)" } ?? ""))
    Terminal.complain("  'region-bucket help\(command.map { " \($0)" } ?? "")' says how it is used")
    return .usage
  }

  private static func help(_ names: [String]) -> ExitStatus {
    guard let name = names.first else {
      Terminal.write(Command.overview, to: STDOUT_FILENO)
      return .success
    }
    if name == "keys" {
      Terminal.write(ConfigReport.reference, to: STDOUT_FILENO)
      return .success
    }
    guard let command = Command(rawValue: name) else { return usageError("there is no command '\(name)'") }
    Terminal.write(command.help, to: STDOUT_FILENO)
    return .success
  }

  /// The process's environment; of a name that is there twice, the first, as getenv(3) has it.
  private static var environment: [String: String] {
    var values: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = values[String(parts[0])] ?? String(parts[1]) }
      entry += 1
    }
    return values
  }
}
