import CLinux
import Glibc

/// Sockets that systemd has opened for the service (sd_listen_fds(3)).
package struct SystemdSockets: Sendable {
  /// The descriptors in their order, each with its `FileDescriptorName=`.
  package let sockets: [(name: String, descriptor: Int32)]

  private static let firstDescriptor: Int32 = 3

  /// Those that the environment speaks of: none unless `LISTEN_PID` is this process.
  package init(environment: [String: String], processID: Int32 = getpid()) {
    guard environment["LISTEN_PID"] == String(processID), let text = environment["LISTEN_FDS"],
      let count = Int32(text), (1...1024).contains(count)
    else {
      sockets = []
      return
    }
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    sockets = (0..<count).map { number in
      let name = Int(number) < names.count ? String(names[Int(number)]) : "unknown"
      return (name, Self.firstDescriptor + number)
    }
  }

  /// The descriptors with a name.
  package func named(_ name: String) -> [Int32] { sockets.filter { $0.name == name }.map(\.descriptor) }

  /// The descriptors whose names are none of these.
  package func others(than names: Set<String>) -> [Int32] {
    sockets.filter { !names.contains($0.name) }.map(\.descriptor)
  }
}

/// What a service manager is told (sd_notify(3)).
package enum ServiceManager {
  /// Sends a state such as `READY=1`. Does nothing without `NOTIFY_SOCKET`; a manager that does not listen is no
  /// reason to stop serving, so failures are not reported.
  package static func notify(_ state: String, environment: [String: String]) {
    guard let name = environment["NOTIFY_SOCKET"], let first = name.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // `@` stands for the zero byte that begins an abstract name.
    if first == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + path.count
    clinux_notify(&address, socklen_t(length), state)
  }

  /// The state in which a manager of `Type=notify-reload` waits for the next `READY=1`.
  package static var reloading: String {
    "RELOADING=1\nMONOTONIC_USEC=\(clinux_monotonic_ns() / 1000)"
  }
}
