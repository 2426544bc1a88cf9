import CLinux
import Glibc

/// What is served on a listener.
package enum ListenerRole: UInt8, Sendable {
  /// `/v1/region` and health.
  case service
  /// Metrics, and readiness with its reason.
  case admin
}

/// A listener that is wanted.
package struct ListenerRequest: Sendable {
  /// Where it is, or will be.
  package enum Place: Sendable {
    case address(ListenerAddress)
    /// A listening socket that somebody else has opened, such as systemd.
    case adopted(Int32)
  }

  package var place: Place
  package var role: ListenerRole
  package var hasProxyProtocol: Bool

  package init(_ place: Place, role: ListenerRole, hasProxyProtocol: Bool = false) {
    self.place = place
    self.role = role
    self.hasProxyProtocol = hasProxyProtocol
  }

  fileprivate init(_ listener: Listener) {
    self.init(.adopted(listener.descriptor), role: listener.role, hasProxyProtocol: listener.hasProxyProtocol)
  }
}

/// An open listening socket. Its owner closes it.
package struct Listener: Sendable {
  /// The listening descriptor, non-blocking.
  package let descriptor: Int32
  package let role: ListenerRole
  /// Connections begin with a PROXY protocol preface.
  package let hasProxyProtocol: Bool
  /// Every loop has a descriptor of the one socket, instead of a socket of its own.
  package let isShared: Bool
  /// The port that the kernel gave, for TCP.
  package let port: UInt16?
  /// The path to remove when it closes, for a Unix-domain socket of our own.
  package let unixPath: String?

  /// Connections that wait for accept4(2): as many as the kernel lets.
  private static let backlog: Int32 = 65_535

  /// Opens one listener for each of `count` loops: socket(2), bind(2), listen(2).
  ///
  /// TCP ones share their port by SO_REUSEPORT, and the kernel spreads connections among them; a Unix-domain
  /// socket, and one that somebody else has opened, is one that every loop watches.
  ///
  /// - Throws: `SystemError`; nothing is left open. A file at the path is removed only if it is a socket that
  ///   nobody listens on.
  package static func open(_ request: ListenerRequest, count: Int) throws(SystemError) -> [Listener] {
    switch request.place {
    case .adopted(let descriptor):
      guard clinux_adopt_listener(descriptor) >= 0 else { throw SystemError("listen", errno: ENOTSOCK) }
      let port = try? boundPort(descriptor)
      return try shared(
        Listener(request, descriptor: descriptor, isShared: true, port: port, unixPath: nil), count: count)
    case .address(.unix(let path, let mode)):
      let address = ListenerAddress.unix(path: path, mode: mode)
      let descriptor = try openSocket(address, sharesPort: false)
      guard chmod(path, mode) == 0 else {
        let error = SystemError("chmod")
        close(descriptor)
        throw error
      }
      return try shared(
        Listener(request, descriptor: descriptor, isShared: true, port: nil, unixPath: path), count: count)
    case .address(let address):
      // SO_REUSEPORT would let a second server of the same user bind silently: a first socket without it finds out. It
      // does not listen: who connected to it would be cut off.
      let probe = try boundSocket(address, sharesPort: false)
      let port = try? boundPort(probe)
      close(probe)
      let fixed = address.withPort(port ?? 0)
      var listeners: [Listener] = []
      do throws(SystemError) {
        for _ in 0..<count {
          let descriptor = try openSocket(fixed, sharesPort: true)
          listeners.append(
            Listener(request, descriptor: descriptor, isShared: false, port: port, unixPath: nil))
        }
        return listeners
      } catch {
        for listener in listeners { listener.shut() }
        throw error
      }
    }
  }

  private init(
    _ request: ListenerRequest, descriptor: Int32, isShared: Bool, port: UInt16?, unixPath: String?
  ) {
    self.descriptor = descriptor
    role = request.role
    hasProxyProtocol = request.hasProxyProtocol
    self.isShared = isShared
    self.port = port
    self.unixPath = unixPath
  }

  /// The listener, and a descriptor of its own for each further loop, so that each closes its own.
  private static func shared(_ listener: Listener, count: Int) throws(SystemError) -> [Listener] {
    var listeners = [listener]
    while listeners.count < count {
      let copy = fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else {
        let error = SystemError("fcntl")
        for listener in listeners { listener.shut() }
        throw error
      }
      listeners.append(
        Listener(
          ListenerRequest(listener), descriptor: copy, isShared: true, port: listener.port, unixPath: nil))
    }
    return listeners
  }

  private static func openSocket(_ address: ListenerAddress, sharesPort: Bool) throws(SystemError) -> Int32 {
    let descriptor = try boundSocket(address, sharesPort: sharesPort)
    guard listen(descriptor, backlog) == 0 else {
      let error = SystemError("listen")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func boundSocket(_ address: ListenerAddress, sharesPort: Bool) throws(SystemError) -> Int32 {
    let descriptor = clinux_stream_socket(address.family, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    do throws(SystemError) {
      try configure(descriptor, address, sharesPort: sharesPort)
      if case .unix(let path, _) = address { try removeStaleSocket(path, address) }
      try address.withSocketAddress { (pointer, length) throws(SystemError) in
        guard bind(descriptor, pointer, length) == 0 else { throw SystemError("bind") }
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Closes the socket; of a Unix-domain one its path too.
  package func shut() {
    close(descriptor)
    if let unixPath { unlink(unixPath) }
  }

  private static func configure(
    _ descriptor: Int32, _ address: ListenerAddress, sharesPort: Bool
  ) throws(SystemError) {
    switch address {
    case .unix: return
    case .ipv4: break
    case .ipv6(_, _, _, let isIPv6Only):
      try set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isIPv6Only ? 1 : 0)
    }
    try set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    try set(descriptor, SOL_SOCKET, SO_REUSEPORT, sharesPort ? 1 : 0)
    // Accepted sockets inherit it: an answer is one segment, and must not wait for the last one's ACK.
    try set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  private static func set(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
  ) throws(SystemError) {
    var value = value
    guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw SystemError("setsockopt")
    }
  }

  private static func boundPort(_ descriptor: Int32) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { throw SystemError("getsockname") }
    // The port stands at the same place in sockaddr_in and sockaddr_in6.
    return withUnsafeBytes(of: storage) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// A socket file that a killed process left would make bind(2) fail for ever.
  private static func removeStaleSocket(_ path: String, _ address: ListenerAddress) throws(SystemError) {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = clinux_stream_socket(AF_UNIX, 1)
    guard probe >= 0 else { throw SystemError("socket") }
    defer { close(probe) }
    let isLive = try address.withSocketAddress { connect(probe, $0, $1) == 0 }
    guard !isLive else { throw SystemError("bind", errno: EADDRINUSE) }
    unlink(path)
  }
}
