import Testing

@testable import ServiceConfig

/// Damaged configurations are judged, never believed by half, and never stop the process.
@Suite struct DamageTests {
  /// SplitMix64: the same damage in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private static let text = """
    // Every kind of value.
    { listeners: [8080, { tcp: '[::1]:81', proxyProtocol: true }, 'unix:/s mode=0600'], loops: 0x2,
      admin: { listener: "9090" }, trustedPeers: ["10.0.0.0/8", 'private', 'file:blocks'],
      proxyProtocolPeers: ['::/0'], originSecret: { fromEnvironment: ['SECRET'], fromFiles: ['blocks'] },
      clientAddress: { header: 'X-Forwarded-For', hops: +2, }, sources: ['edge', "cdn", 'database'],
      cdn: { preset: 'cloudflare', city: { encoding: 'utf8', element: 1 } },
      database: { path: '/d\\u00e9\\x41',
      maxAgeDays: 30., settleSeconds: .25, required: null },
      policy: { regional: ['KR', 'US-CA', 'FR/Orl\u{E9}ans', 'EU'],
      unclassified: ['CN'], shadow: { regional: [] } }, /* both */
      cache: { policy: 'bucket', keyConfigured: true },
      cors: { origins: '*' }, limits: { bodyBytesMax: 1e3 }, log: { level: 'debug', access: false } }
    """
  private static let tokens: [String] = [
    "{", "}", "[", "]", ",", ":", "'", "\"", "\\", "//", "/*", "*/", "\n", "\r", "\u{0}", "é", "-", "+", ".",
    "0", "9", "e",
    "0x", "null", "true", "NaN", "Infinity", "1e999", "\\u", "\\x4", "loops", "log", "originSecret", " ",
    "\t", "\u{FEFF}",
  ]

  private func damaged(_ generator: inout Generator) -> [UInt8] {
    var bytes = Array(Self.text.utf8)
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(place + Int.random(in: 1...20, using: &generator), bytes.count)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.removeSubrange(place...)
      default: bytes.insert(contentsOf: Array(Self.tokens.randomElement(using: &generator)!.utf8), at: place)
      }
      if bytes.isEmpty { bytes = [0x7B] }
    }
    return bytes
  }

  private func load(_ bytes: [UInt8], secret: String = "S3CRET-S3CRET-S3CRET") -> ConfigLoad {
    ConfigLoader.load(file: "dir/f", arguments: [], environment: ["SECRET": secret]) {
      path throws(ConfigFileError) in
      switch path {
      case "dir/f": return bytes
      case "dir/blocks": return Array("192.0.2.0/24\n".utf8).dropLast()
      default: throw .errorNumber(2)
      }
    }
  }

  @Test func theUndamagedIsRead() throws {
    let load = load(Array(Self.text.utf8))
    #expect(load.diagnostics.filter { $0.severity == .error } == [])
    #expect(load.config?.database.path == "/dé" + "A")
  }

  @Test func damageIsJudged() throws {
    var generator = Generator(state: 1)
    var usableCount = 0
    for round in 0..<1000 {
      let bytes = damaged(&generator)
      let load = load(bytes)
      #expect((load.config == nil) == load.diagnostics.hasErrors, "round \(round)")
      if load.config != nil { usableCount += 1 }
      let text = load.diagnostics.map(\.text).joined(separator: "\n")
      #expect(!text.contains("S3CRET"), "round \(round)")
      // Nothing that stands in the file ends a line of print or moves a terminal's cursor.
      let isPrintable = load.diagnostics.allSatisfy { diagnostic in
        diagnostic.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
      }
      #expect(isPrintable, "round \(round)")
    }
    // Neither all nor none of it broke.
    #expect((30...700).contains(usableCount), "\(usableCount)")
  }

  /// What the outline accepts the decoder accepts: no message without its line.
  @Test func outlineAndDecoderAgree() {
    var generator = Generator(state: 2)
    var acceptedCount = 0
    for round in 0..<3000 {
      let bytes = damaged(&generator)
      guard String(validating: bytes, as: UTF8.self) != nil else { continue }
      guard (try? JSON5Outline(scanning: bytes)) != nil else { continue }
      acceptedCount += 1
      #expect(
        (try? JSONValue.decode(json5: bytes)) != nil,
        "round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(acceptedCount > 300, "\(acceptedCount)")
  }
}
