import CLinux
import ClientSignal
import Glibc

extension Peer {
  /// The peer that accept4(2) or getpeername(2) named.
  init(_ storage: sockaddr_storage) {
    self = withUnsafeBytes(of: storage) { bytes in
      switch Int32(storage.ss_family) {
      case AF_INET:
        let raw = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return .address(IPAddress(ipv4: UInt32(bigEndian: raw)))
      case AF_INET6:
        let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        return .address(IPAddress(ipv6High: high, low: low))
      case AF_UNIX: return .unixSocket
      default: return .unnamed
      }
    }
  }

  /// The peer of an open connection, asked of the kernel again: nobody has kept it.
  static func of(_ descriptor: Int32) -> Peer {
    var storage = sockaddr_storage()
    defer { clinux_wipe(&storage, MemoryLayout<sockaddr_storage>.size) }
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    return status == 0 ? Peer(storage) : .unnamed
  }
}
