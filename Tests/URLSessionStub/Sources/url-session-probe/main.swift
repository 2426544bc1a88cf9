import RegionClient

// Usage: url-session-probe http://127.0.0.1:port/path
// Prints the bucket, and why it was refused if it was.
let endpoint = try RegionEndpoint(
  CommandLine.arguments[1], allowedHosts: ["127.0.0.1"], allowsPlainLoopback: true)
let resolver = RegionResolver(endpoint: endpoint)
let bucket = await resolver.resolve()
if let refusal = await resolver.refusal { print(bucket, refusal) } else { print(bucket) }
