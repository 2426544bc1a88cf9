import Glibc
import ServiceConfig

/// `region-bucket check`: like `nginx -t`.
struct CheckCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    let options = ConfigArguments(arguments, flags: ["--quiet"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "check") }
    let isQuiet = options.has("--quiet")
    let loaded = ConfigLoader.load(file: options.file, arguments: options.flags, environment: environment)
    let database = loaded.config.flatMap { DatabaseCheck($0) }
    let diagnostics = (loaded.diagnostics + (database?.diagnostics ?? [])).inReadingOrder()
    Terminal.write(ConfigReport.text(of: diagnostics), to: STDERR_FILENO)
    guard let config = loaded.config else { return options.refusal }
    if !isQuiet {
      Terminal.write(ConfigReport.text(of: config), to: STDOUT_FILENO)
      if let facts = database?.facts { Terminal.say("database: \(facts)") }
    }
    guard !diagnostics.hasErrors else { return .noInput }
    if !isQuiet { Terminal.say("the configuration can be used") }
    return .success
  }
}
