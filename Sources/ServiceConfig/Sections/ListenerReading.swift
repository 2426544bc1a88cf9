import ClientSignal

/// The keys of a listener that is written as an object.
enum ListenerKey: String, CaseIterable, Sendable {
  case tcp, unix, mode, systemd, proxyProtocol

  /// One line for people.
  var help: String {
    switch self {
    case .tcp:
      "`8080` or `*:8080` (every address, IPv6 and IPv4), `0.0.0.0:8080`, `[::1]:8080`; port 0: any free one."
    case .unix: "A path: a Unix-domain socket, whose peers are trusted."
    case .mode: "The permission bits of a Unix-domain socket, as text in octal digits; unless set, `0660`."
    case .systemd:
      "Sockets from systemd: those of a `FileDescriptorName=`, or `true` for all that nothing else names."
    case .proxyProtocol:
      "Whether connections begin with a PROXY protocol preface, v1 or v2; unless set, `false`."
    }
  }
}

/// Reads one listener, an object or a text such as `8080 proxyProtocol` or `unix:/run/socket mode=0666`.
struct ListenerReading {
  var reader: ConfigReader
  var key: ConfigKey
  /// The listener's place in its list: `[0]`.
  var element: String
  /// The host that a port alone stands with.
  var barePortHost: String

  static let modeUnlessSet: UInt32 = 0o660
  /// `sockaddr_un.sun_path` less its NUL.
  static let unixPathBytesMax = 107

  /// The listener; nil when an error was reported.
  func read(_ value: JSONValue) -> ListenerConfig? {
    switch value {
    case .number(let port): tcp(JSONValue.text(of: port), at: "").map { finish($0, hasProxyProtocol: false) }
    case .text(let text): read(text: text)
    case .object(let members): read(object: members)
    default: preconditionFailure("\(key.path) is no listener")
    }
  }

  private func read(text: String) -> ListenerConfig? {
    let words = text.split(separator: " ").map(String.init)
    guard let place = words.first else { return fail("", "a listener has no place to listen on") }
    var mode: UInt32?
    var hasProxyProtocol = false
    for word in words.dropFirst() {
      if word == "proxyProtocol" {
        hasProxyProtocol = true
      } else if word.hasPrefix("mode=") {
        guard let bits = self.mode(String(word.dropFirst(5)), at: "") else { return nil }
        mode = bits
      } else {
        return fail(
          "", "\(JSONValue.text(word).brief) is no option of a listener",
          hint: "there are `proxyProtocol` and `mode=0660`")
      }
    }
    let endpoint: (ListenerConfig.Endpoint, String)? =
      if place.hasPrefix("unix:") {
        unix(String(place.dropFirst(5)), mode: mode, at: "")
      } else if place == "systemd" {
        (.systemd(name: nil), place)
      } else if place.hasPrefix("systemd:") {
        systemd(.text(String(place.dropFirst(8))), at: "")
      } else {
        tcp(place, at: "")
      }
    guard let endpoint else { return nil }
    if mode != nil, !place.hasPrefix("unix:") { return fail("", "only a Unix-domain socket has a mode") }
    return finish(endpoint, hasProxyProtocol: hasProxyProtocol)
  }

  private func read(object members: [String: JSONValue]) -> ListenerConfig? {
    let unknown = members.keys.filter { ListenerKey(rawValue: $0) == nil }.sorted()
    for name in unknown {
      let hint = NearestName.hint(for: name, among: ListenerKey.allCases.map(\.rawValue))
      reader.error(key, at: "\(element).\(name)", "there is no such key", hint: hint)
    }
    let places = [ListenerKey.tcp, .unix, .systemd].filter { members[$0.rawValue] != nil }
    guard unknown.isEmpty else { return nil }
    guard places.count == 1 else {
      return fail("", "a listener has one of `tcp`, `unix` and `systemd`, this has \(places.count)")
    }
    var hasProxyProtocol = false
    if let value = members[ListenerKey.proxyProtocol.rawValue] {
      guard case .boolean(let boolean) = value else {
        return fail(".proxyProtocol", "expected `true` or `false`, found \(value.brief)")
      }
      hasProxyProtocol = boolean
    }
    return endpoint(places[0], of: members).map { finish($0, hasProxyProtocol: hasProxyProtocol) }
  }

  private func endpoint(
    _ kind: ListenerKey, of members: [String: JSONValue]
  ) -> (ListenerConfig.Endpoint, String)? {
    let value = members[kind.rawValue]!
    let path = ".\(kind.rawValue)"
    var mode: UInt32?
    if let modeValue = members[ListenerKey.mode.rawValue] {
      guard kind == .unix else { return fail(".mode", "only a Unix-domain socket has a mode") }
      guard case .text(let text) = modeValue else {
        return fail(
          ".mode", "expected octal digits as text, found \(modeValue.brief)", hint: "write `\"0660\"`")
      }
      guard let bits = self.mode(text, at: ".mode") else { return nil }
      mode = bits
    }
    switch (kind, value) {
    case (.systemd, _): return systemd(value, at: path)
    case (.tcp, .number(let port)): return tcp(JSONValue.text(of: port), at: path)
    case (.tcp, .text(let text)): return tcp(text, at: path)
    case (.unix, .text(let text)): return unix(text, mode: mode, at: path)
    default: return fail(path, "expected text, found \(value.brief)")
    }
  }

  private func finish(
    _ endpoint: (ListenerConfig.Endpoint, String), hasProxyProtocol: Bool
  ) -> ListenerConfig {
    ListenerConfig(endpoint: endpoint.0, hasProxyProtocol: hasProxyProtocol, text: endpoint.1)
  }

  private func tcp(_ text: String, at path: String) -> (ListenerConfig.Endpoint, String)? {
    let colon = text.lastIndex(of: ":")
    let host = colon.map { String(text[..<$0]) } ?? barePortHost
    let portText = colon.map { String(text[text.index(after: $0)...]) } ?? text
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText) else {
      return fail(
        path, "\(JSONValue.text(text).brief) does not end in a port from 0 to 65535",
        hint: "write `8080`, `0.0.0.0:8080` or `[::]:8080`")
    }
    if host == "*" {
      let address = IPAddress(ipv6High: 0, low: 0)
      return (.tcp(TCPEndpoint(address: address, port: port, isDualStack: true)), "*:\(port)")
    }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
    let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
    guard isBracketed == bare.contains(":"), let address = IPAddress(bare, form: .bare) else {
      let hint = bare.contains(":") ? "an IPv6 address stands in brackets: `[::1]:8080`" : nil
      return fail(
        path, "\(JSONValue.text(host).brief) is no address",
        hint: host == "localhost" ? "write `127.0.0.1` or `[::1]`" : hint)
    }
    let isAnyIPv6 = address == IPAddress(ipv6High: 0, low: 0)
    return (.tcp(TCPEndpoint(address: address, port: port, isDualStack: isAnyIPv6)), "\(host):\(port)")
  }

  private func unix(
    _ written: String, mode: UInt32?, at path: String
  ) -> (ListenerConfig.Endpoint, String)? {
    let file = reader.resolved(written, of: key)
    guard !written.isEmpty, file.utf8.count <= Self.unixPathBytesMax else {
      return fail(
        path, "a socket's path has from 1 to \(Self.unixPathBytesMax) bytes, this has \(file.utf8.count)")
    }
    return (.unix(path: file, mode: mode ?? Self.modeUnlessSet), "unix:\(file)")
  }

  private func systemd(_ value: JSONValue, at path: String) -> (ListenerConfig.Endpoint, String)? {
    switch value {
    case .boolean(true): return (.systemd(name: nil), "systemd")
    case .text(let name) where isDescriptorName(name): return (.systemd(name: name), "systemd:\(name)")
    default: return fail(path, "expected `true` or a name of 1 to 255 characters, found \(value.brief)")
    }
  }

  /// `fdname_is_valid` of systemd: printable ASCII but no colon, at most 255.
  private func isDescriptorName(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x3A }
  }

  private func mode(_ text: String, at path: String) -> UInt32? {
    guard (3...4).contains(text.utf8.count), let bits = UInt32(text, radix: 8), bits <= 0o777 else {
      return fail(path, "\(JSONValue.text(text).brief) is no mode from 000 to 0777")
    }
    return bits
  }

  private func fail<Result>(_ path: String, _ problem: String, hint: String? = nil) -> Result? {
    reader.error(key, at: element + path, problem, hint: hint)
    return nil
  }
}
