import DatabaseBuild
import Glibc

/// `region-bucket database info FILE`.
struct DatabaseInfoCommand {
  let arguments: [String]

  func run() -> ExitStatus {
    guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("--") else {
      return CommandLineTool.usageError("'database info' takes one file", command: "database")
    }
    do throws(DatabaseInfoError) {
      Terminal.write(try DatabaseInfo(path: path).text(now: UInt64(time(nil))), to: STDOUT_FILENO)
      return .success
    } catch {
      Terminal.complain("error: \(error)")
      if case .cannotRead = error { return .noInput }
      return .badData
    }
  }
}
