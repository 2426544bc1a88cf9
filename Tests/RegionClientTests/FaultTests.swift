import ClientTestSupport
import Foundation
import RegionClient
import RegionModel
import Testing

/// The client against a server that misbehaves, over the network stack.
@Suite(.serialized) struct FaultTests {
  struct Row: Codable {
    let name: String
    let port: String
    let path: String
    let bucket: RegionBucket
    let connections: Int
    let requests: Int
    let bytesSentMax: Int
  }

  static let timeout = Duration.milliseconds(1000)
  /// How long after the time-out an answer may come; the machine may be busy.
  static let grace = Duration.milliseconds(1000)
  /// Tighter than what the rows allow to clients without a say in socket buffers.
  static let bytesSentMax = 65536

  /// One for all: it ends with the process, which closes its standard input.
  private static let shared = Result { try MisbehavingServer() }

  private let server: MisbehavingServer

  init() throws { server = try Self.shared.get() }

  private func rows() throws -> [Row] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "servers/faults.json"))
    return try JSONDecoder().decode(VectorRows<Row>.self, from: data).rows
  }

  private func resolver(_ port: Int, _ path: String) throws -> RegionResolver {
    let endpoint = try RegionEndpoint("https://127.0.0.1:\(port)/\(path)", allowedHosts: ["127.0.0.1"])
    return RegionResolver(
      endpoint: endpoint, limits: RegionLimits(timeout: Self.timeout),
      transport: .libcurl(authoritiesFile: server.ready.ca))
  }

  @Test func everyFault() async throws {
    let rows = try rows()
    #expect(Set(rows.filter { $0.port == "https" }.map(\.path)) == Set(server.ready.faults))
    for (index, row) in rows.enumerated() {
      let key = "swift-\(index)"
      let before = try server.tally(key).accepted[row.port] ?? 0
      let resolver = try resolver(server.ready.port(row.port), "\(row.path)/\(key)")
      let start = ContinuousClock.now
      let bucket = await resolver.resolve()
      #expect(ContinuousClock.now - start < Self.timeout + Self.grace, "\(row.name)")
      #expect(bucket == row.bucket, "\(row.name)")
      // Asked again it answers from what it has.
      #expect(await resolver.resolve() == row.bucket, "\(row.name)")
      let tally = try server.tally(key)
      #expect(tally.requests == row.requests, "\(row.name)")
      #expect((tally.accepted[row.port] ?? 0) - before == row.connections, "\(row.name)")
      #expect(tally.bytesSent <= min(row.bytesSentMax, Self.bytesSentMax), "\(row.name)")
      #expect(try server.tally("\(key)-target").requests == 0, "\(row.name)")
    }
  }

  @Test(arguments: [
    ("https", "redirect-elsewhere", RegionRefusal.status),
    ("https", "slow-first-byte", .transport(.timedOut)),
    ("https", "slow-drip", .transport(.timedOut)),
    ("https", "body-never-ends", .transport(.timedOut)),
    ("https", "endless-body", .transport(.tooLarge)),
    ("https", "ten-megabytes", .transport(.tooLarge)),
    ("https", "large-length-then-nothing", .transport(.tooLarge)),
    ("https", "gzip-bomb", .transport(.tooLarge)),
    ("https", "gzip-bomb-within-the-limit", .body),
    ("https", "endless-head", .transport(.tooLarge)),
    ("https", "endless-interim", .transport(.tooLarge)),
    ("https", "half-body-then-reset", .transport(.connectionFailed)),
    ("https", "short-of-its-length", .transport(.connectionFailed)),
    ("https", "not-http", .transport(.connectionFailed)),
    ("https", "no-content", .status),
    ("https", "other-case", .body),
    ("https", "two-content-types", .contentType),
    ("https", "content-type-in-trailer", .contentType),
    ("wrongName", "regional", .transport(.secureConnectionFailed)),
    ("expired", "regional", .transport(.secureConnectionFailed)),
    ("untrusted", "regional", .transport(.secureConnectionFailed)),
    ("plain", "regional", .transport(.secureConnectionFailed)),
    ("silent", "regional", .transport(.timedOut)),
    ("closed", "regional", .transport(.connectionFailed)),
  ])
  func refusalNamesTheFault(port: String, path: String, refusal: RegionRefusal) async throws {
    let resolver = try resolver(server.ready.port(port), "\(path)/refusal-\(port)")
    #expect(await resolver.resolve() == .unknown)
    #expect(await resolver.refusal == refusal)
  }

  @Test func whatIsSent() async throws {
    let resolver = try resolver(server.ready.https, "cookie-and-cache/sent")
    #expect(await resolver.resolve() == .regionalMarket)
    await resolver.reset()
    #expect(await resolver.resolve() == .regionalMarket)
    let head = """
      GET /cookie-and-cache/sent HTTP/1.1\r
      Host: 127.0.0.1:\(server.ready.https)\r
      Accept: application/json
      """
    // The second without the first's cookie, and asked of the server though the first might have been cached.
    #expect(try server.tally("sent").heads == [head, head])
  }

  @Test func plainLoopback() async throws {
    let endpoint = try RegionEndpoint(
      "http://127.0.0.1:\(server.ready.plain)/other/key", allowedHosts: ["127.0.0.1"],
      allowsPlainLoopback: true)
    #expect(await RegionResolver(endpoint: endpoint).resolve() == .otherMarket)
  }

  @Test func systemAuthoritiesDoNotKnowTheTestsOne() async throws {
    let endpoint = try RegionEndpoint(
      "https://127.0.0.1:\(server.ready.https)/regional/system", allowedHosts: ["127.0.0.1"])
    let resolver = RegionResolver(endpoint: endpoint)
    #expect(await resolver.resolve() == .unknown)
    #expect(await resolver.refusal == .transport(.secureConnectionFailed))
    #expect(try server.tally("system").requests == 0)
  }

  /// Without the resolver, which has a clock of its own.
  @Test func transportKeepsTime() async throws {
    let endpoint = try RegionEndpoint(
      "https://127.0.0.1:\(server.ready.https)/slow-drip/time", allowedHosts: ["127.0.0.1"])
    let request = RegionRequest(endpoint: endpoint, timeout: .milliseconds(700), bodyBytesMax: 1024)
    let exchange = RegionTransport.libcurl(authoritiesFile: server.ready.ca).exchange
    let start = ContinuousClock.now
    await #expect(throws: RegionTransportError.timedOut) { try await exchange(request) }
    #expect(ContinuousClock.now - start < .milliseconds(700) + Self.grace)
  }

  @Test func cancellationEndsTheExchange() async throws {
    let endpoint = try RegionEndpoint(
      "https://127.0.0.1:\(server.ready.https)/slow-first-byte/cancel", allowedHosts: ["127.0.0.1"])
    let request = RegionRequest(endpoint: endpoint, timeout: .seconds(15), bodyBytesMax: 1024)
    let exchange = RegionTransport.libcurl(authoritiesFile: server.ready.ca).exchange
    let task = Task { () -> RegionTransportError? in
      do throws(RegionTransportError) { _ = try await exchange(request) } catch { return error }
      return nil
    }
    while try server.tally("cancel").requests == 0 { try await Task.sleep(for: .milliseconds(20)) }
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(3))
  }
}
