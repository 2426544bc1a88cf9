import ClientSignal
import GeoLookup
import Glibc
import RegionService
import ServiceConfig

/// `region-bucket check`: like `nginx -t`.
struct CheckCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    let options = ConfigArguments(arguments, flags: ["--quiet"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "check") }
    let loaded = ConfigLoader.load(file: options.file, arguments: options.flags, environment: environment)
    Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
    guard let config = loaded.config else { return options.refusal }
    if !options.has("--quiet") { Terminal.write(ConfigReport.text(of: config), to: STDOUT_FILENO) }
    let status = checkDatabase(config, isQuiet: options.has("--quiet"))
    if status == .success, !options.has("--quiet") { Terminal.say("the configuration can be used") }
    return status
  }

  private func checkDatabase(_ config: ServiceConfig, isQuiet: Bool) -> ExitStatus {
    guard config.signals.sources.contains(.database), let path = config.database.path else { return .success }
    do throws(DatabaseError) {
      let metadata = try MaxMindDatabase(path: path).metadata
      let days = DatabaseState.ageDays(
        buildEpochSeconds: metadata.buildEpochSeconds, unixSeconds: Int64(time(nil)))
      if !isQuiet {
        Terminal.say("database: \(metadata.type), \(metadata.nodeCount) nodes, \(days) days old")
      }
      if let limit = config.database.unknownAfterDays, days > limit {
        Terminal.complain(
          "warning: database.path: the database is \(days) days old, and answers unknown after \(limit)")
      } else if let limit = config.database.maxAgeDays, days > limit {
        Terminal.complain(
          "warning: database.path: the database is \(days) days old; database.maxAgeDays is \(limit)")
      }
      return .success
    } catch {
      let severity = config.database.isRequired ? "error" : "warning"
      Terminal.complain("\(severity): database.path: \(path): \(error.text)")
      return config.database.isRequired ? .noInput : .success
    }
  }
}
