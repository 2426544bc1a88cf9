import ClientSignal
import Testing

@testable import ServiceConfig

@Suite struct ListenerTests {
  private static let anyIPv6 = IPAddress(ipv6High: 0, low: 0)
  private static let anyIPv4 = IPAddress(ipv4: 0)
  private static let loopback = IPAddress(ipv4: 0x7F00_0001)

  private static func tcp(
    _ address: IPAddress, _ port: UInt16, _ text: String, isDualStack: Bool = false, proxy: Bool = false
  ) -> ListenerConfig {
    ListenerConfig(
      endpoint: .tcp(TCPEndpoint(address: address, port: port, isDualStack: isDualStack)),
      hasProxyProtocol: proxy, text: text)
  }

  private static func unix(
    _ path: String, _ mode: UInt32 = 0o660, proxy: Bool = false
  ) -> ListenerConfig {
    ListenerConfig(
      endpoint: .unix(path: path, mode: mode), hasProxyProtocol: proxy, text: "unix:\(path)")
  }

  private static func systemd(_ name: String?) -> ListenerConfig {
    ListenerConfig(
      endpoint: .systemd(name: name), hasProxyProtocol: false,
      text: name.map { "systemd:\($0)" } ?? "systemd")
  }

  private func load(_ listeners: String) -> ConfigLoad {
    Loading().load("{ \(sound), proxyProtocolPeers: ['10.0.0.0/8'], listeners: \(listeners) }")
  }

  @Test(
    arguments: [
      ("8080", [tcp(anyIPv6, 8080, "*:8080", isDualStack: true)]),
      ("'8080'", [tcp(anyIPv6, 8080, "*:8080", isDualStack: true)]),
      ("{ tcp: 8080 }", [tcp(anyIPv6, 8080, "*:8080", isDualStack: true)]),
      ("[{ tcp: '*:0' }]", [tcp(anyIPv6, 0, "*:0", isDualStack: true)]),
      ("['[::]:80']", [tcp(anyIPv6, 80, "[::]:80", isDualStack: true)]),
      ("['[::]:80', '0.0.0.0:80']", [tcp(anyIPv6, 80, "[::]:80"), tcp(anyIPv4, 80, "0.0.0.0:80")]),
      (
        "['[::]:80', '0.0.0.0:81']",
        [tcp(anyIPv6, 80, "[::]:80", isDualStack: true), tcp(anyIPv4, 81, "0.0.0.0:81")]
      ),
      ("['127.0.0.1:65535']", [tcp(loopback, 65535, "127.0.0.1:65535")]),
      ("[{ tcp: '[::1]:80' }]", [tcp(IPAddress(ipv6High: 0, low: 1), 80, "[::1]:80")]),
      ("['127.0.0.1:0', '127.0.0.1:0']", [tcp(loopback, 0, "127.0.0.1:0"), tcp(loopback, 0, "127.0.0.1:0")]),
      ("['127.0.0.1:80 proxyProtocol']", [tcp(loopback, 80, "127.0.0.1:80", proxy: true)]),
      ("[{ tcp: '127.0.0.1:80', proxyProtocol: true }]", [tcp(loopback, 80, "127.0.0.1:80", proxy: true)]),
      ("['unix:/run/s']", [unix("/run/s")]),
      ("['unix:s']", [unix("/etc/region-bucket/s")]),
      ("['unix:/s mode=0600 proxyProtocol']", [unix("/s", 0o600, proxy: true)]),
      ("[{ unix: '/s', mode: '777', proxyProtocol: false }]", [unix("/s", 0o777)]),
      ("['systemd', 'systemd:web']", [systemd(nil), systemd("web")]),
      ("[{ systemd: true }, { systemd: 'web' }]", [systemd(nil), systemd("web")]),
    ] as [(String, [ListenerConfig])]) func listenersAreRead(text: String, listeners: [ListenerConfig]) throws
  {
    let config = try #require(load(text).config, "\(load(text).diagnostics.map(\.text))")
    #expect(config.listening.listeners == listeners)
  }

  @Test(arguments: [
    ("[]", "listeners: there has to be a listener"),
    ("['']", "listeners[0]: a listener has no place to listen on"),
    ("[true]", "listeners: expected a list of listeners, found a list"),
    (
      "['80', 'x']",
      "listeners[1]: \"x\" does not end in a port from 0 to 65535; write `8080`, `0.0.0.0:8080` or "
        + "`[::]:8080`"
    ),
    (
      "[65536]",
      "listeners[0]: \"65536\" does not end in a port from 0 to 65535; write `8080`, "
        + "`0.0.0.0:8080` or `[::]:8080`"
    ),
    ("['localhost:80']", "listeners[0]: \"localhost\" is no address; write `127.0.0.1` or `[::1]`"),
    ("['::1:80']", "listeners[0]: \"::1\" is no address; an IPv6 address stands in brackets: `[::1]:8080`"),
    ("['[127.0.0.1]:80']", "listeners[0]: \"[127.0.0.1]\" is no address"),
    ("[':80']", "listeners[0]: \"\" is no address"),
    ("['010.0.0.1:80']", "listeners[0]: \"010.0.0.1\" is no address"),
    (
      "['80 ssl']",
      "listeners[0]: \"ssl\" is no option of a listener; there are `proxyProtocol` and `mode=0660`"
    ),
    ("['80 mode=0600']", "listeners[0]: only a Unix-domain socket has a mode"),
    ("[{ tcp: 80, mode: '0600' }]", "listeners[0].mode: only a Unix-domain socket has a mode"),
    ("['unix:/s mode=8']", "listeners[0]: \"8\" is no mode from 000 to 0777"),
    ("['unix:/s mode=1777']", "listeners[0]: \"1777\" is no mode from 000 to 0777"),
    (
      "[{ unix: '/s', mode: 660 }]",
      "listeners[0].mode: expected octal digits as text, found 660; write `\"0660\"`"
    ),
    ("['unix:']", "listeners[0]: a socket's path has from 1 to 107 bytes, this has 19"),
    (
      "['unix:/\(String(repeating: "a", count: 107))']",
      "listeners[0]: a socket's path has from 1 to 107 bytes, this has 108"
    ),
    ("[{}]", "listeners[0]: a listener has one of `tcp`, `unix` and `systemd`, this has 0"),
    (
      "[{ tcp: 80, unix: '/s' }]",
      "listeners[0]: a listener has one of `tcp`, `unix` and `systemd`, this has 2"
    ),
    ("[{ tpc: 80 }]", "listeners[0].tpc: there is no such key; did you mean `tcp`?"),
    ("[{ tcp: true }]", "listeners[0].tcp: expected text, found true"),
    (
      "[{ systemd: false }]",
      "listeners[0].systemd: expected `true` or a name of 1 to 255 characters, found false"
    ),
    ("['systemd:a:b']", "listeners[0]: expected `true` or a name of 1 to 255 characters, found \"a:b\""),
    ("[{ tcp: 80, proxyProtocol: 1 }]", "listeners[0].proxyProtocol: expected `true` or `false`, found 1"),
    ("[80, '*:80']", "listeners[1]: *:80 is taken already, by *:80"),
    ("[80, '0.0.0.0:80']", "listeners[1]: 0.0.0.0:80 is taken already, by *:80"),
    ("['unix:/s', 'unix:/s mode=0600']", "listeners[1]: unix:/s is taken already, by unix:/s"),
    ("['systemd', { systemd: true }]", "listeners[1]: systemd is taken already, by systemd"),
  ]) func badListenersAreReported(text: String, problem: String) {
    let diagnostics = load(text).diagnostics.filter { $0.severity == .error }
    #expect(diagnostics.map { $0.text.replacing("error: \(Loading.fileName):1: ", with: "") } == [problem])
  }

  @Test(arguments: [
    ("9090", tcp(loopback, 9090, "127.0.0.1:9090")),
    ("'*:9090'", tcp(anyIPv6, 9090, "*:9090", isDualStack: true)),
    ("{ tcp: '0.0.0.0:9090' }", tcp(anyIPv4, 9090, "0.0.0.0:9090")),
    ("'unix:/admin mode=0600'", unix("/admin", 0o600)),
  ]) func theAdminListenerIsOnLoopbackUnlessSaid(text: String, listener: ListenerConfig) {
    let load = Loading().load("{ \(sound), admin: { listener: \(text) } }")
    #expect(load.diagnostics == [])
    #expect(load.config?.listening.adminListener == listener)
  }

  @Test(arguments: [
    ("8080", "127.0.0.1:8080 is the place of a listener, *:8080"),
    ("'9090 proxyProtocol'", "an admin listener speaks no PROXY protocol"),
    ("'x'", "\"x\" does not end in a port from 0 to 65535; write `8080`, `0.0.0.0:8080` or `[::]:8080`"),
    ("[9090]", "expected a listener, found a list"),
  ]) func badAdminListenersAreReported(text: String, problem: String) {
    #expect(
      Loading().diagnostics("{ \(sound), admin: { listener: \(text) } }") == [
        "error: FILE:1: admin.listener: \(problem)"
      ])
  }

  @Test func thePlaceInAListHasItsOwnLine() {
    #expect(
      Loading().diagnostics("{ \(sound), listeners: [\n 80,\n 'x:y:z',\n { tcp: 81,\n mode: '0600' } ] }").map
      {
        String($0.prefix(30))
      } == ["error: FILE:3: listeners[1]: \"", "error: FILE:5: listeners[2].mo"])
  }
}
