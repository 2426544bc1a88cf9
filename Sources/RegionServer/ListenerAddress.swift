import Glibc

/// Where to listen.
package enum ListenerAddress: Equatable, Sendable {
  /// A numeric IPv4 address and a port; port 0 lets the kernel choose.
  case ipv4(bits: UInt32, port: UInt16)
  /// A numeric IPv6 address in two halves and a port. `::` takes IPv4 too, unless `isIPv6Only`.
  case ipv6(high: UInt64, low: UInt64, port: UInt16, isIPv6Only: Bool)
  /// A Unix-domain socket's path and its permission bits.
  case unix(path: String, mode: UInt32)
}

extension ListenerAddress {
  /// Lends the address as bind(2) takes it.
  ///
  /// - Throws: `SystemError` ENAMETOOLONG for a path of more than 107 bytes.
  func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var storage = sockaddr_storage()
    let length: Int
    switch self {
    case .ipv4(let bits, let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = bits.bigEndian
      length = MemoryLayout<sockaddr_in>.size
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
    case .ipv6(let high, let low, let port, _):
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin6_addr) {
        $0.storeBytes(of: high.bigEndian, as: UInt64.self)
        $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      length = MemoryLayout<sockaddr_in6>.size
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
    case .unix(let path, _):
      let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
      let room = MemoryLayout<sockaddr_un>.size - pathOffset
      let bytes = Array(path.utf8)
      guard bytes.count < room, !bytes.isEmpty else { throw SystemError("bind", errno: ENAMETOOLONG) }
      storage.ss_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &storage) {
        UnsafeMutableRawBufferPointer(rebasing: $0[pathOffset...]).copyBytes(from: bytes)
      }
      length = pathOffset + bytes.count + 1
    }
    let result: Swift.Result<Result, SystemError> = withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        do throws(SystemError) { return .success(try body(address, socklen_t(length))) } catch {
          return .failure(error)
        }
      }
    }
    return try result.get()
  }

  /// The same with another port.
  func withPort(_ port: UInt16) -> ListenerAddress {
    switch self {
    case .ipv4(let bits, _): .ipv4(bits: bits, port: port)
    case .ipv6(let high, let low, _, let isIPv6Only):
      .ipv6(high: high, low: low, port: port, isIPv6Only: isIPv6Only)
    case .unix: self
    }
  }

  var family: Int32 {
    switch self {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .unix: AF_UNIX
    }
  }
}
