import RegionService

/// `region-bucket version`.
struct VersionCommand {
  func run() -> ExitStatus {
    Terminal.say("region-bucket \(BuildVersion.text)")
    return .success
  }
}
