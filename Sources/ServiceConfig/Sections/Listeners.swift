import ClientSignal

/// One place where connections are taken.
package struct ListenerConfig: Equatable, Sendable {
  package enum Endpoint: Equatable, Sendable {
    case tcp(TCPEndpoint)
    /// A Unix-domain socket, made with these permission bits.
    case unix(path: String, mode: UInt32)
    /// Sockets that systemd has opened: those of this `FileDescriptorName=`, or, without a name, all that no
    /// other listener names.
    case systemd(name: String?)
  }

  package var endpoint: Endpoint
  /// Whether a connection begins with a PROXY protocol preface.
  package var hasProxyProtocol: Bool
  /// The endpoint as the operator wrote it, for the log: `0.0.0.0:8080`, `unix:/run/region-bucket.sock`.
  package var text: String
}

/// Where a TCP listener is bound.
package struct TCPEndpoint: Equatable, Sendable {
  /// The address; the unspecified one takes connections to any.
  package var address: IPAddress
  /// 0 lets the kernel choose.
  package var port: UInt16
  /// Whether an IPv6 socket takes IPv4 connections too (`IPV6_V6ONLY` off).
  package var isDualStack: Bool
}

/// `listeners`, `admin.listener`, `loops`: where requests come in.
package struct ListeningConfig: Equatable, Sendable {
  /// At least one.
  package var listeners: [ListenerConfig]
  /// Nil when there is none.
  package var adminListener: ListenerConfig?
  /// How many event loops; 0 is one per core.
  package var loopCount: Int

  init(reading reader: ConfigReader) {
    loopCount = reader.integer(.loops)
    let values: [JSONValue] =
      if case .list(let elements) = reader.value(.listeners) { elements } else { [reader.value(.listeners)] }
    if values.isEmpty { reader.error(.listeners, "there has to be a listener") }
    listeners = values.enumerated().compactMap { index, value in
      ListenerReading(reader: reader, key: .listeners, element: "[\(index)]", barePortHost: "*").read(value)
    }
    listeners = Self.separatingFamilies(listeners)
    let adminValue = reader.value(.adminListener)
    if adminValue != .null {
      adminListener = ListenerReading(
        reader: reader, key: .adminListener, element: "", barePortHost: "127.0.0.1"
      )
      .read(adminValue)
    }
    checkTogether(reader)
  }

  /// `[::]` takes IPv4 too, as on Linux by default, unless `0.0.0.0` is listed with the same port.
  private static func separatingFamilies(_ listeners: [ListenerConfig]) -> [ListenerConfig] {
    var separated: [ListenerConfig] = []
    for listener in listeners {
      let isShared = listeners.contains { $0.tcp?.isAnyIPv4 == true && $0.tcp?.port == listener.tcp?.port }
      separated.append(isShared ? listener.withoutIPv4 : listener)
    }
    return separated
  }

  private func checkTogether(_ reader: ConfigReader) {
    for (index, listener) in listeners.enumerated() {
      guard let earlier = listeners[..<index].first(where: { $0.overlaps(listener) }) else { continue }
      reader.error(
        .listeners, at: "[\(index)]", "\(listener.text) is taken already, by \(earlier.text)")
    }
    if let adminListener {
      if adminListener.hasProxyProtocol {
        reader.error(.adminListener, "an admin listener speaks no PROXY protocol")
      }
      // SO_REUSEPORT would let both bind, and spread connections over them.
      if let clash = listeners.first(where: { $0.sharesPort(with: adminListener) }) {
        reader.error(.adminListener, "\(adminListener.text) is the place of a listener, \(clash.text)")
      }
    }
    checkPort(reader)
  }

  /// A platform that sets `PORT` sends its traffic there.
  private func checkPort(_ reader: ConfigReader) {
    guard let text = reader.environment[ConfigName.portVariable], !text.isEmpty,
      reader.settings[.listeners]!.origin != .environment(variable: ConfigName.portVariable),
      !listeners.contains(where: { $0.tcp.map { String($0.port) == text } ?? false })
    else { return }
    reader.doubt(
      [.listeners], "PORT is \(JSONValue.text(text).brief), and no listener has that port",
      hint: "unset `listeners` to let PORT move the default listener")
  }
}

extension ListenerConfig {
  /// The same for IPv6 alone, if it was written as an IPv6 address.
  fileprivate var withoutIPv4: ListenerConfig {
    guard let tcp, tcp.isDualStack, text.hasPrefix("[") else { return self }
    let endpoint = TCPEndpoint(address: tcp.address, port: tcp.port, isDualStack: false)
    return ListenerConfig(endpoint: .tcp(endpoint), hasProxyProtocol: hasProxyProtocol, text: text)
  }

  /// The endpoint, when it is TCP.
  // Never inlined: Swift 6.3's optimiser crashes (CopyPropagation) on callers that it is inlined into.
  @inline(never)
  var tcp: TCPEndpoint? { if case .tcp(let endpoint) = endpoint { endpoint } else { nil } }

  /// Whether both would take the same connections.
  fileprivate func overlaps(_ other: ListenerConfig) -> Bool {
    guard let tcp, let otherTCP = other.tcp else { return endpoint.isSamePlace(as: other.endpoint) }
    guard tcp.port == otherTCP.port, tcp.port != 0 else { return false }
    return tcp.address == otherTCP.address || tcp.isDualStack && otherTCP.isAnyIPv4
      || otherTCP.isDualStack && tcp.isAnyIPv4
  }

  fileprivate func sharesPort(with other: ListenerConfig) -> Bool {
    guard let tcp, let otherTCP = other.tcp else { return endpoint.isSamePlace(as: other.endpoint) }
    return tcp.port == otherTCP.port && tcp.port != 0
  }
}

extension ListenerConfig.Endpoint {
  fileprivate func isSamePlace(as other: Self) -> Bool {
    switch (self, other) {
    case (.unix(let path, _), .unix(let otherPath, _)): path == otherPath
    case (.systemd(let name), .systemd(let otherName)): name == otherName
    default: false
    }
  }
}

extension TCPEndpoint {
  fileprivate var isAnyIPv4: Bool { address == IPAddress(ipv4: 0) }
}
