import CLinux
import ClientSignal
import Glibc

/// A client for `/readyz`, for container health checks: an image need hold no curl.
package enum HealthProbe {
  package enum Result: Equatable, Sendable {
    case ready
    case notReady
    /// Nobody listens, or nothing came in time, with the reason for people.
    case noAnswer(String)
  }

  /// Asks once. Blocks for at most about twice `secondsMax`.
  package static func ask(_ address: ListenerAddress, secondsMax: Int) -> Result {
    let descriptor = clinux_stream_socket(address.family, 1)
    guard descriptor >= 0 else { return .noAnswer(SystemError("socket").text) }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: secondsMax, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    do throws(SystemError) {
      try address.withSocketAddress { (pointer, length) throws(SystemError) in
        guard connect(descriptor, pointer, length) == 0 else { throw SystemError("connect") }
      }
      return try exchange(descriptor)
    } catch {
      return .noAnswer(error.text)
    }
  }

  private static func exchange(_ descriptor: Int32) throws(SystemError) -> Result {
    let request = Array("GET /readyz HTTP/1.1\r\nHost: healthcheck\r\nConnection: close\r\n\r\n".utf8)
    let sent = request.withUnsafeBytes {
      clinux_send(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard sent == request.count else { throw SystemError("send") }
    let expected = Array("HTTP/1.1 200 ".utf8)
    var received: [UInt8] = []
    while received.count < expected.count {
      var chunk = [UInt8](repeating: 0, count: 512)
      let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count < 0 { throw SystemError("recv") }
      if count == 0 { return .noAnswer("the connection was closed without an answer") }
      received += chunk[..<count]
    }
    return received.starts(with: expected) ? .ready : .notReady
  }
}

extension ListenerAddress {
  /// An address in digits with a port: `127.0.0.1:8080`, `[::1]:8080`; nil for anything else.
  package init?(numeric text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      return nil
    }
    let address = Array(text[..<colon].utf8).withUnsafeBytes { IPAddress($0, form: .optionalPort) }
    guard let address else { return nil }
    self =
      address.isIPv4
      ? .ipv4(bits: UInt32(truncatingIfNeeded: address.low), port: port)
      : .ipv6(high: address.high, low: address.low, port: port, isIPv6Only: true)
  }

  /// The same for a client on this machine: an unspecified address is asked on loopback.
  package var reachable: ListenerAddress {
    switch self {
    case .ipv4(0, let port): .ipv4(bits: 0x7F00_0001, port: port)
    case .ipv6(0, 0, let port, let isIPv6Only):
      // Dual-stack sockets are asked over IPv4: containers often have no IPv6 at all.
      isIPv6Only
        ? .ipv6(high: 0, low: 1, port: port, isIPv6Only: true) : .ipv4(bits: 0x7F00_0001, port: port)
    default: self
    }
  }
}
