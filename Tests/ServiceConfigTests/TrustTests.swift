import ClientSignal
import Testing

@testable import ServiceConfig

@Suite struct TrustTests {
  private func peer(_ text: String) -> Peer { .address(IPAddress(text, form: .bare)!) }

  @Test func blocksWordsAndFilesAreTrusted() throws {
    let files = [
      "/etc/region-bucket/cdn.txt": "# a comment\n2001:db8::/32\r\n\n  198.51.100.0/24  # another\n",
      "/abs": "192.0.2.7",
    ]
    let text = "{ \(sound), trustedPeers: ['loopback', '10.1.0.0/16', 'file:cdn.txt', 'file:/abs'] }"
    let load = Loading(files: files).load(text)
    #expect(load.diagnostics == [])
    let trust = try #require(load.config).trust.proxyTrust
    for address in ["127.0.0.1", "::1", "10.1.255.255", "2001:db8::1", "198.51.100.9", "192.0.2.7"] {
      #expect(trust.trusts(peer(address)))
    }
    for address in ["10.2.0.0", "192.0.2.8", "2001:db9::"] { #expect(!trust.trusts(peer(address))) }
    #expect(trust.trusts(.unixSocket))
  }

  @Test func nobodyIsTrustedWhenTheListIsEmpty() throws {
    let load = Loading(environment: ["REGION_BUCKET_TRUSTED_PEERS": "none"]).load("{ \(sound) }")
    #expect(try #require(load.config).trust.proxyTrust.trusts(peer("127.0.0.1")) == false)
  }

  @Test(arguments: [
    ("'10.0.0.1/8'", "\"10.0.0.1/8\": \(CIDRBlockError.hostBits)"),
    ("'10.0.0.0/33'", "\"10.0.0.0/33\": \(CIDRBlockError.badPrefix(max: 32))"),
    ("'privat'", "\"privat\": \(CIDRBlockError.notAnAddress); did you mean `private`?"),
    ("'example.com'", "\"example.com\": \(CIDRBlockError.notAnAddress)"),
    ("'file:no'", "\"file:no\" cannot be read: No such file or directory"),
    ("'file:bad'", "\"file:bad\", line 2: \"x\": \(CIDRBlockError.notAnAddress)"),
  ]) func badBlocksAreReported(block: String, problem: String) {
    let files = ["/etc/region-bucket/bad": "10.0.0.0/8\nx\n"]
    for key in ["trustedPeers", "proxyProtocolPeers"] {
      #expect(
        Loading(files: files).diagnostics("{ \(sound), \(key): [\n'loopback',\n\(block)] }").filter {
          $0.hasPrefix("error")
        } == ["error: FILE:3: \(key)[1]: \(problem)"])
    }
    #expect(
      Loading(files: files).diagnostics(
        "{ \(sound), clientAddress: { skip: [\(block)], header: 'Forwarded' } }"
      )
      .filter { $0.hasPrefix("error") } == ["error: FILE:1: clientAddress.skip[0]: \(problem)"])
  }

  @Test func aFileOfRubbishIsCutShort() {
    let files = ["/etc/region-bucket/bad": String(repeating: "x\n", count: 9)]
    let lines = Loading(files: files).diagnostics("{ \(sound), trustedPeers: ['file:bad'] }")
    #expect(lines.count == 6)
    #expect(lines.last == "error: FILE:1: trustedPeers[0]: \"file:bad\": 4 more bad lines")
  }

  @Test(
    arguments: [
      ("trustedPeers: ['203.0.113.0/24']", []),
      (
        "trustedPeers: ['8.8.8.0/24']",
        [
          "warning: FILE:1: trustedPeers: a public block is trusted without a secret: a CDN's addresses "
            + "are those "
            + "of all its customers; have the CDN send a secret, and set `originSecret`"
        ]
      ),
      (
        "trustedPeers: ['private']",
        [
          "warning: FILE:1: trustedPeers: `private` trusts each proxy of the network: one that passes a "
            + "client's "
            + "headers on is fooled; list the proxies that remove them, or set `originSecret`"
        ]
      ),
      ("trustedPeers: ['private', '::/0'], originSecret: { fromEnvironment: ['SECRET'] }", []),
      ("listeners: ['unix:/s proxyProtocol']", []),
      (
        "listeners: ['80 proxyProtocol']",
        [
          "error: proxyProtocolPeers: a listener has `proxyProtocol`, and nobody's preface would be "
            + "believed; "
            + "list the balancers"
        ]
      ),
      (
        "proxyProtocolPeers: ['private']",
        ["warning: FILE:1: proxyProtocolPeers: no listener has `proxyProtocol`"]
      ),
    ] as [(String, [String])]) func doubtsAreTold(keys: String, lines: [String])
  {
    let loading = Loading(environment: ["SECRET": "0123456789abcdef"])
    #expect(loading.diagnostics("{ \(sound), \(keys) }") == lines)
  }
}
