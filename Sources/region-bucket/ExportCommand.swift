import ClientSignal
import EdgeExport
import Glibc
import RegionModel
import RegionService
import ServiceConfig

/// `region-bucket export`: the configured policy as code for the edge.
struct ExportCommand {
  let arguments: [String]
  let environment: [String: String]

  func run() -> ExitStatus {
    // Behind the flags; or, for those who think of it first, in front.
    guard let target = [arguments.last, arguments.first].compactMap({ $0 }).compactMap(EdgeTarget.init).first
    else {
      let names = EdgeTarget.allCases.map(\.rawValue).joined(separator: ", ")
      return CommandLineTool.usageError("'export' takes, at the end, one of \(names)", command: "export")
    }
    let isLast = EdgeTarget(rawValue: arguments.last!) != nil
    let rest = Array(isLast ? arguments.dropLast() : arguments.dropFirst())
    let options = ConfigArguments(rest, flags: ["--answer"])
    if let problem = options.problem { return CommandLineTool.usageError(problem, command: "export") }
    if options.has("--answer"), !target.canAnswer {
      return CommandLineTool.usageError("\(target.rawValue) cannot answer by itself", command: "export")
    }
    // The code holds no secret: whoever exports it need not know it.
    let loaded = ConfigLoader.load(
      file: options.file, arguments: options.flags, environment: environment, readsSecrets: false)
    guard let config = loaded.config else {
      Terminal.write(ConfigReport.text(of: loaded.diagnostics), to: STDERR_FILENO)
      return options.refusal
    }
    export(config, target, answers: options.has("--answer"))
    return .success
  }

  private func export(_ config: ServiceConfig, _ target: EdgeTarget, answers: Bool) {
    let names = EdgeNames(config, preset: Self.preset(target))
    let text = EdgeExport(policy: config.policy.active, names: names)
      .text(for: target, answer: answers ? EdgeAnswer(config) : nil)
    if let limit = EdgeExport.bytesMax(of: target), text.utf8.count > limit {
      Terminal.complain(
        "warning: \(target.rawValue) takes \(limit) bytes of code at most, and this is \(text.utf8.count)")
    }
    if !config.signals.sources.contains(.edge), !answers {
      Terminal.complain("warning: sources: the service asks no `edge`; list it in front of the others")
    }
    Terminal.write(text, to: STDOUT_FILENO)
  }

  /// Whose location headers the code goes by.
  private static func preset(_ target: EdgeTarget) -> CDNPreset {
    switch target {
    case .cloudfront: .cloudFront
    case .cloudflare: .cloudflare
    // nginx goes by variables; Varnish by the headers that are recommended for VCL.
    case .fastly, .varnish, .nginx: .fastly
    }
  }
}

extension EdgeNames {
  fileprivate init(_ config: ServiceConfig, preset: CDNPreset) {
    self.init(
      bucket: config.signals.edgeFields.bucket.text, policy: config.signals.edgeFields.policy.text,
      country: preset.country!.name.text, subdivision: preset.subdivision!.name.text,
      city: preset.city!.name.text)
  }
}

extension EdgeAnswer {
  /// The answers that the service gives by this configuration when it withholds them from caches.
  fileprivate init(_ config: ServiceConfig) {
    let cache = ServiceAssembly.cachePolicy(config)
    let origins = ServiceAssembly.origins(config.cors)
    let listed: [String]? = if case .list(let list) = origins { list } else { nil }
    self.init(
      path: "\(Route.regionPath)", origins: listed, body: { AnswerTable.body($0) },
      fields: {
        [("Content-Type", AnswerTable.mediaType)]
          + AnswerTable.fields($0, .withheld, cache: cache, origins: origins)
      })
  }
}
