// Asks a service for the region, and walks the providers that follow from it.
import AdPlan
import RegionClient
import RegionModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let usage = """
  usage: resolve-region URL HOST [--authorities FILE] [--failing PROVIDER]…

  Asks URL, whose host must be HOST, and prints the bucket; then asks the providers of the plan, of which those
  named fail, and prints what was asked and shown.
    --authorities FILE   trust the certificate authorities of this PEM file instead of the system's; on Linux only
    --failing PROVIDER   regional or global
  """

struct NoFill: Error {}

/// What the command line asks for; nil if it cannot be read.
struct Options {
  var url = ""
  var host = ""
  var authorities: String?
  var failing: Set<AdProvider> = []

  init?(_ arguments: [String]) {
    guard arguments.count >= 2 else { return nil }
    url = arguments[0]
    host = arguments[1]
    var rest = arguments[2...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      #if os(Linux)
        case "--authorities": authorities = value
      #endif
      case "--failing":
        guard let provider = AdProvider(rawValue: value), provider != .inHouse else { return nil }
        failing.insert(provider)
      default: return nil
      }
    }
  }
}

/// The system's transport; on Linux, whose is libcurl's, with other authorities if they are named.
func transport(_ options: Options) -> RegionTransport {
  #if os(Linux)
    .libcurl(authoritiesFile: options.authorities)
  #else
    .system
  #endif
}

func run(_ options: Options) async throws {
  let endpoint = try RegionEndpoint(options.url, allowedHosts: [options.host])
  let resolver = RegionResolver(endpoint: endpoint, transport: transport(options))
  let startup = await AdStartup { await resolver.resolve() }
  let plan = try await startup.enter(.adsAllowed)
  let refusal = await resolver.refusal.map { " (\($0))" } ?? ""
  print("bucket: \(await resolver.resolve().rawValue)\(refusal)")
  print("plan:   \(plan.providers.map(\.rawValue).joined(separator: ", "))")

  let sources = Dictionary(
    uniqueKeysWithValues: [AdProvider.regional, .global].map { provider in
      (provider, AdSource { if options.failing.contains(provider) { throw NoFill() } })
    })
  let loader = AdLoader<Void>(
    providers: plan.providers, sources: sources, inHouse: {},
    observe: { if case .asked(let provider) = $0 { print("asked:  \(provider.rawValue)") } })
  print("shown:  \(try await loader.load()?.provider.rawValue ?? "nothing")")
}

/// Says what is wrong on standard error, and ends.
func refuse(_ text: String) -> Never {
  let line = Array("\(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(2)
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else { refuse(usage) }
do {
  try await run(options)
} catch let error as RegionEndpointError {
  refuse("resolve-region: this address may not be asked: \(error)")
}
