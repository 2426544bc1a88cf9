import Dispatch
import Foundation
import RegionModel
import RegionService
import ServiceConfig
import Synchronization
import TestFixtures
import Testing

@Suite struct ServiceControllerTests {
  /// What could be seen of loads of the database at one moment.
  private struct Seen: Equatable, Sendable {
    var lines: Int
    var reloads: Int
  }

  /// Whoever has seen the line or the count is answered by the new database: neither may come before the loops have it.
  @Test func announcesADatabaseOnceTheLoopsHaveIt() throws {
    let directory = TemporaryDirectory()
    let database = DatabaseFixture([("1.0.0.0/8", DatabaseFixture.country("KR"))])
    let path = database.write(to: directory.file("region.mmdb"))
    let load: ServiceController.LoadConfig = {
      ConfigLoader.load(
        file: nil,
        arguments: [
          "--sources=database", "--policy-regional=KR", "--database-path=\(path)", "--trusted-peers=loopback",
          "--client-address-header=X-Forwarded-For",
        ], environment: [:])
    }
    let config = try #require(load().config)
    let sink = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.write("", to: "log")))
    let log = Log(descriptor: sink.fileDescriptor, format: .json, level: .info)
    let controller = try ServiceController(config: config, log: log, loadConfig: load)
    let status = controller.status
    let seen: @Sendable () -> Seen = {
      log.flush(millisecondsMax: 10_000)
      let text = String(decoding: TemporaryDirectory.bytes(of: directory.file("log")) ?? [], as: UTF8.self)
      return Seen(
        lines: text.components(separatedBy: "\"database-loaded\"").count - 1,
        reloads: status.reloadCount(.databaseLoaded))
    }
    _ = controller.firstSnapshot()
    #expect(seen() == Seen(lines: 1, reloads: 0))
    let atHandOver = Mutex<[Seen]>([])
    controller.start(metrics: Metrics(loops: [], status: status, log: log)) { _ in
      let now = seen()
      atHandOver.withLock { $0.append(now) }
    }
    for number in 1...3 {
      let done = DispatchSemaphore(value: 0)
      controller.reload { done.signal() }
      try #require(done.wait(timeout: .now() + 10) == .success)
      #expect(atHandOver.withLock { $0.last } == Seen(lines: number, reloads: number - 1))
      #expect(seen() == Seen(lines: number + 1, reloads: number))
    }
  }
}
