import ClientSignal
import Glibc
import HTTPWire
import RegionServer
import RegionService
import ServiceConfig

// From the configuration's words to the sockets': neither target knows the other.

extension ListeningConfig {
  /// An address to listen on.
  struct Entry {
    var address: ListenerAddress
    var role: ListenerRole
    var text: String
  }

  /// Everything to listen on.
  var addresses: [Entry] {
    let service = listeners.compactMap { listener in
      listener.address.map { Entry(address: $0, role: .service, text: listener.text) }
    }
    let admin = adminListener.flatMap { listener in
      listener.address.map { Entry(address: $0, role: .admin, text: listener.text) }
    }
    return service + (admin.map { [$0] } ?? [])
  }
}

extension ListenerConfig {
  /// Where to bind; nil for sockets that somebody else has opened.
  fileprivate var address: ListenerAddress? {
    switch endpoint {
    case .tcp(let tcp): tcp.listenerAddress
    case .unix(let path, let mode): .unix(path: path, mode: mode)
    case .systemd: nil
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
