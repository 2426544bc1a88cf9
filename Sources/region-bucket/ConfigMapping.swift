import ClientSignal
import Glibc
import HTTPWire
import RegionServer
import RegionService
import ServiceConfig

// From the configuration's words to the sockets': neither target knows the other.

extension ListeningConfig {
  /// A listener to open, and how the operator wrote it.
  struct Entry {
    var request: ListenerRequest
    var text: String
  }

  /// Everything to listen on. A listener of systemd's stands for all the sockets that belong to it, maybe none.
  func entries(_ systemd: SystemdSockets) -> [Entry] {
    let named = Set(
      (listeners + [adminListener].compactMap(\.self)).compactMap { listener in
        if case .systemd(.some(let name)) = listener.endpoint { name } else { nil }
      })
    func entries(_ listener: ListenerConfig, _ role: ListenerRole) -> [Entry] {
      listener.places(systemd, named: named).map { place in
        let request = ListenerRequest(place, role: role, hasProxyProtocol: listener.hasProxyProtocol)
        return Entry(request: request, text: listener.text)
      }
    }
    return listeners.flatMap { entries($0, .service) } + (adminListener.map { entries($0, .admin) } ?? [])
  }

  /// The first address of the service that somebody on this machine can ask.
  var firstOwnAddress: ListenerAddress? {
    for listener in listeners where !listener.hasProxyProtocol {
      if case .address(let address)? = listener.places(SystemdSockets(environment: [:]), named: []).first {
        return address
      }
    }
    return nil
  }
}

extension ListenerConfig {
  /// Where to listen.
  fileprivate func places(_ systemd: SystemdSockets, named: Set<String>) -> [ListenerRequest.Place] {
    switch endpoint {
    case .tcp(let tcp): [.address(tcp.listenerAddress)]
    case .unix(let path, let mode): [.address(.unix(path: path, mode: mode))]
    case .systemd(let name?): systemd.named(name).map { .adopted($0) }
    case .systemd(nil): systemd.others(than: named).map { .adopted($0) }
    }
  }
}

extension TCPEndpoint {
  fileprivate var listenerAddress: ListenerAddress {
    address.isIPv4
      ? .ipv4(bits: UInt32(truncatingIfNeeded: address.low), port: port)
      : .ipv6(high: address.high, low: address.low, port: port, isIPv6Only: !isDualStack)
  }
}

extension ServerOptions {
  init(_ config: ServiceConfig) {
    self.init()
    headMillisecondsMax = config.timeouts.head.wholeMilliseconds
    bodyMillisecondsMax = config.timeouts.body.wholeMilliseconds
    idleMillisecondsMax = config.timeouts.idle.wholeMilliseconds
    writeStallMillisecondsMax = config.timeouts.writeStall.wholeMilliseconds
    lingerMillisecondsMax = config.timeouts.linger.wholeMilliseconds
    connectionsMax = config.limits.connectionsMax
    loopCount =
      config.listening.loopCount > 0
      ? config.listening.loopCount : max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    drainMillisecondsMax = config.drain.limit.wholeMilliseconds
    drainDelayMilliseconds = config.drain.delay.wholeMilliseconds
  }
}

extension WireLimits {
  init(_ config: LimitsConfig) {
    self.init(
      requestLineBytesMax: config.requestLineBytesMax, headerSectionBytesMax: config.headerSectionBytesMax,
      fieldCountMax: config.fieldCountMax, bodyBytesMax: config.bodyBytesMax)
  }
}

extension LoggingConfig {
  /// JSON for collectors, text for a terminal, unless the operator chose.
  var lineFormat: LineFormat {
    switch format {
    case .json: .json
    case .text: .text
    case .auto: Terminal.isTerminal(STDOUT_FILENO) ? .text : .json
    }
  }
}
