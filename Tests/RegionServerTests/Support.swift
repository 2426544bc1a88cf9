import ClientSignal
import GeoLookup
import HTTPWire
import RegionModel
import RegionService
import ServiceConfig

@testable import RegionServer

/// A connection in memory: the same pipeline and the same connection logic as behind a socket.
final class MemoryConnection {
  private let core: ConnectionCore
  private let output: OutputBuffer
  private var peer: PeerVerdict
  private let role: ListenerRole
  private var state = ConnectionState()
  private var kept: [UInt8] = []
  /// Everything that was answered.
  private(set) var answered: [UInt8] = []
  /// Whether the connection lingers as it closes; nil while it is open.
  private(set) var lingers: Bool?
  /// It was closed without an answer.
  private(set) var isAborted = false

  init(
    _ snapshot: ServiceSnapshot, peer: Peer, role: ListenerRole = .service, hasPreface: Bool = false,
    outputBytes: Int = 1 << 16
  ) {
    output = OutputBuffer(capacity: outputBytes)
    core = ConnectionCore(pipeline: Pipeline(snapshot, counters: LoopCounters()), output: output)
    // 2026-11-30 00:00:00 UTC
    core.unixSeconds = 1_795_996_800
    self.peer = core.pipeline.judge(peer)
    self.role = role
    if hasPreface { state.phase = .preface }
  }

  deinit { state.free() }

  /// Where the connection is.
  var phase: ConnectionState.Phase { state.phase }

  /// Gives bytes, as one read would.
  func feed(_ bytes: some Sequence<UInt8>) {
    guard lingers == nil else { return }
    kept += bytes
    while true {
      // A fresh allocation each time: nothing may point into the last one.
      let input = UnsafeMutableRawBufferPointer.allocate(byteCount: kept.count, alignment: 1)
      defer { input.deallocate() }
      input.copyBytes(from: kept)
      let result = core.consume(UnsafeRawBufferPointer(input), &state, peer: &peer, role: role)
      answered += output.bytes
      output.removeAll()
      kept = Array(kept[result.kept])
      switch result.next {
      case .read: return
      case .flush: continue
      case .abort:
        isAborted = true
        return
      case .close(let lingers):
        self.lingers = lingers
        return
      }
    }
  }

  func drain() { core.isDraining = true }
}

/// A snapshot by the configuration that flags describe.
func snapshot(_ flags: [String] = [], generation: UInt32 = 1) -> ServiceSnapshot {
  let base = [
    "--sources=cdn", "--cdn-preset=cloudfront", "--policy-regional=KR", "--trusted-peers=loopback",
    "--client-address-header=X-Forwarded-For",
  ]
  let loaded = ConfigLoader.load(file: nil, arguments: base + flags, environment: [:])
  guard let config = loaded.config else {
    fatalError(ConfigReport.text(of: loaded.diagnostics))
  }
  return ServiceAssembly.snapshot(config: config, database: .missing, generation: generation)
}

extension Peer {
  /// 127.0.0.1
  static let loopback = Peer.address(IPAddress(ipv4: 0x7F00_0001))
  /// 192.0.2.1
  static let stranger = Peer.address(IPAddress(ipv4: 0xC000_0201))
}
