import ClientSignal
import HTTPWire

/// `trustedPeers`, `proxyProtocolPeers`, `originSecret`: who may vouch for headers.
package struct TrustConfig: Sendable {
  /// Who may.
  package var proxyTrust: ProxyTrust
  /// The peers of `trustedPeers`, which are also what a list of proxies skips.
  package var trustedPeers: CIDRSet
  /// Peers whose PROXY protocol preface is believed.
  package var proxyProtocolPeers: CIDRSet

  init(reading reader: ConfigReader, listening: ListeningConfig) {
    let trusted = AddressBlocks(reading: reader, .trustedPeers)
    trustedPeers = CIDRSet(trusted.blocks)
    let proxies = AddressBlocks(reading: reader, .proxyProtocolPeers)
    proxyProtocolPeers = CIDRSet(proxies.blocks)
    let secret = OriginSecretReading(reader: reader).read()
    proxyTrust = ProxyTrust(trustedPeers: trustedPeers, secret: secret)
    check(reader, trusted, proxies, listening)
  }

  private func check(
    _ reader: ConfigReader, _ trusted: AddressBlocks, _ proxies: AddressBlocks, _ listening: ListeningConfig
  ) {
    if !OriginSecretReading(reader: reader).isNamed {
      if trustedPeers.coversPublicSpace {
        reader.doubt(
          [.trustedPeers, .originSecretFromEnvironment, .originSecretFromFiles],
          "a public block is trusted without a secret: a CDN's addresses are those of all its customers",
          hint: "have the CDN send a secret, and set `originSecret`")
      }
      if trusted.hasPrivateWord {
        reader.doubt(
          [.trustedPeers, .originSecretFromEnvironment, .originSecretFromFiles],
          "`private` trusts each proxy of the network: one that passes a client's headers on is fooled",
          hint: "list the proxies that remove them, or set `originSecret`")
      }
    }
    let proxyListeners = listening.listeners.filter(\.hasProxyProtocol)
    if proxyListeners.contains(where: { $0.tcp != nil }), proxies.blocks.isEmpty {
      reader.contradiction(
        [.proxyProtocolPeers, .listeners],
        "a listener has `proxyProtocol`, and nobody's preface would be believed",
        hint: "list the balancers")
    }
    if proxyListeners.isEmpty, !proxies.blocks.isEmpty {
      reader.doubt([.proxyProtocolPeers, .listeners], "no listener has `proxyProtocol`")
    }
  }
}

/// Reads `originSecret` and the secrets that it points to. Nothing that was written there is ever repeated.
struct OriginSecretReading {
  var reader: ConfigReader

  /// A shorter secret can be guessed; 16 characters of base64 are 96 bits.
  private static let bytesMin = 16
  private static let keys: [ConfigKey] = [.originSecretFromEnvironment, .originSecretFromFiles]

  /// The secret; nil when none is configured, when nobody asks for it, or when an error was reported.
  func read() -> OriginSecret? {
    let values = reader.readsSecrets ? fromEnvironment() + fromFiles() : []
    let onMissing: OriginSecret.OnMissing = reader.choice(.originSecretOnMissing)
    guard let name = reader.fieldName(.originSecretHeader) else { return nil }
    guard !values.isEmpty else {
      guard !isNamed else { return nil }
      for key: ConfigKey in [.originSecretHeader, .originSecretOnMissing] where reader.isSet(key) {
        reader.contradiction(
          [key] + Self.keys, "no secret is named, so that none would be asked for",
          hint: OriginSecretAdvice.hint)
      }
      return nil
    }
    do {
      let secret = try OriginSecret(name: name, values: values, onMissing: onMissing)
      if values.contains(where: { $0.count < Self.bytesMin }) {
        reader.doubt(
          Self.keysInUse(reader), "a secret has fewer than \(Self.bytesMin) bytes: it can be guessed")
      }
      return secret
    } catch {
      reader.contradiction(Self.keysInUse(reader), "\(error)")
      return nil
    }
  }

  /// Whether the configuration says where a secret is.
  var isNamed: Bool { !Self.keysInUse(reader).isEmpty }

  private static func keysInUse(_ reader: ConfigReader) -> [ConfigKey] {
    keys.filter { !(reader.texts($0) ?? []).isEmpty }
  }

  private func fromEnvironment() -> [[UInt8]] {
    let key = ConfigKey.originSecretFromEnvironment
    return (reader.texts(key) ?? []).enumerated().compactMap { index, variable in
      guard let value = reader.environment[variable], !value.isEmpty else {
        reader.error(
          key, at: "[\(index)]", "there is no environment variable of that name, or it is empty",
          hint: "the name stands here, never the secret: set that variable to what the CDN sends "
            + "(`openssl rand -hex 24` makes one)")
        return nil
      }
      return Array(value.utf8)
    }
  }

  private func fromFiles() -> [[UInt8]] {
    let key = ConfigKey.originSecretFromFiles
    var values: [[UInt8]] = []
    for (index, path) in (reader.texts(key) ?? []).enumerated() {
      do {
        values.append(Self.withoutLineEnd(try reader.read(reader.resolved(path, of: key))))
      } catch {
        reader.error(
          key, at: "[\(index)]", "the file cannot be read: \(error.text)",
          hint: "a path stands here, never the secret")
      }
    }
    return values
  }

  /// Editors and `echo` end a file with a line feed, which is no part of the secret.
  private static func withoutLineEnd(_ content: [UInt8]) -> [UInt8] {
    var content = content
    if content.last == 0x0A { content.removeLast() }
    if content.last == 0x0D { content.removeLast() }
    return content
  }
}
