import Testing

@testable import ServiceConfig

@Suite struct ReportTests {
  @Test func diagnosticsAreCounted() {
    #expect(ConfigReport.text(of: []) == "")
    let loading = Loading(environment: ["REGION_BUCKET_LOOPS": "x"])
    #expect(
      ConfigReport.text(of: loading.load("{ \(sound), trustedPeers: ['private'],\nlog: 1 }").diagnostics)
        == """
        error: /etc/region-bucket/test.json5:2: log: expected an object
        error: REGION_BUCKET_LOOPS: loops: expected a whole number from 0 to 256, found "x"
        warning: /etc/region-bucket/test.json5:1: trustedPeers: `private` trusts each proxy of the network: \
        one that passes a client's headers on is fooled; list the proxies that remove \
        them, or set `originSecret`
        2 errors, 1 warning

        """)
  }

  @Test func theEffectiveConfigurationSaysWhereItCameFrom() throws {
    let loading = Loading(
      environment: ["REGION_BUCKET_LOOPS": "2", "PORT": "9000"], arguments: ["--log-access"])
    let config = try #require(loading.load("{ \(sound),\n timeouts: { idleSeconds: 1.5 } }").config)
    let lines = ConfigReport.text(of: config).split(separator: "\n").map(String.init)
    #expect(lines.count == ConfigKey.allCases.count + 1)
    // The columns are filled up with spaces.
    func line(_ key: ConfigKey) throws -> String {
      let line = try #require(lines.first { $0.hasPrefix("\(key.path): ") })
      return line.split(separator: " ").joined(separator: " ")
    }
    #expect(try line(.listeners) == "listeners: [\"9000\"] // PORT")
    #expect(try line(.loops) == "loops: 2 // REGION_BUCKET_LOOPS")
    #expect(try line(.sources) == "sources: [\"cdn\"] // /etc/region-bucket/test.json5:1")
    #expect(try line(.timeoutsIdleSeconds) == "timeouts.idleSeconds: 1.5 // /etc/region-bucket/test.json5:2")
    #expect(try line(.logAccess) == "log.access: true // --log-access")
    // What nobody set is the preset's.
    let address = "clientAddress.header: \"CloudFront-Viewer-Address\" // cdn.preset cloudfront"
    #expect(try line(.clientAddressHeader) == address)
    #expect(lines.last == "policy fingerprint: \(config.policy.active.fingerprint)")
  }

  @Test(
    arguments: [
      ("cloudflare", ["CF-IPCountry", "cf-region-code", "cf-ipcity", "CF-Connecting-IP"]),
      ("bunny", ["CDN-RequestCountryCode", "CDN-RequestStateCode", nil, "X-Real-IP"]),
      ("fly", [nil, nil, nil, "Fly-Client-IP"]), ("none", [nil, nil, nil, nil]),
    ] as [(String, [String?])]) func theFieldsOfThePresetAreShown(preset: String, fields: [String?]) throws
  {
    let text = "{ sources: ['edge'], cdn: { preset: '\(preset)' }, policy: { regional: ['KR'] } }"
    let report = ConfigReport.text(of: try #require(Loading().load(text).config))
    let keys: [ConfigKey] = [.cdnCountryHeader, .cdnSubdivisionHeader, .cdnCityHeader, .clientAddressHeader]
    for (key, field) in zip(keys, fields) {
      let value = field.map { "\"\($0)\"" } ?? "null"
      let line = try #require(report.split(separator: "\n").first { $0.hasPrefix("\(key.path): ") })
      let origin = field == nil ? "default" : "cdn.preset \(preset)"
      #expect(line.split(separator: " ").joined(separator: " ") == "\(key.path): \(value) // \(origin)")
    }
  }

  @Test func aFieldOfOnesOwnIsShownAsSet() throws {
    let text =
      "{ sources: ['cdn'], cdn: { preset: 'cloudflare', country: { header: 'X-C' } }, policy: { regional: ['KR'] } }"
    let report = ConfigReport.text(of: try #require(Loading().load(text).config))
    #expect(report.contains("cdn.country.header: \"X-C\""))
    #expect(!report.contains("CF-IPCountry"))
  }

  @Test func theReferenceHasEveryKey() {
    let entries = ConfigReport.reference.replacing("\n\n", with: "\t").split(separator: "\t").map(String.init)
    #expect(entries.count == ConfigKey.allCases.count)
    #expect(
      entries[2] == """
        loops
          How many event loops serve; 0 is one per core.
          Takes a whole number from 0 to 256; default 0; a change takes effect at the next start.
          --loops, REGION_BUCKET_LOOPS
        """)
  }

  @Test func theShadowsFingerprintIsShown() throws {
    let text =
      "{ sources: ['cdn'], cdn: { preset: 'cloudfront' }, policy: { regional: ['KR'], shadow: { "
      + "regional: ['JP'] } } }"
    let config = try #require(Loading().load(text).config)
    let shadow = try #require(config.policy.shadow)
    #expect(ConfigReport.text(of: config).hasSuffix("\nshadow policy fingerprint: \(shadow.fingerprint)\n"))
    #expect(shadow.fingerprint != config.policy.active.fingerprint)
  }
}

@Suite struct ChangeTests {
  private func config(_ keys: String, _ environment: [String: String] = [:]) throws -> ServiceConfig {
    let loading = Loading(environment: environment)
    return try #require(loading.load("{ \(sound), \(keys) }").config, "\(loading.diagnostics(keys))")
  }

  @Test(
    arguments: [
      ("log: {}", "log: {}", [], []),
      ("loops: 1", "loops: 2", [ConfigKey.loops], [ConfigKey.loops]),
      ("log: { level: 'debug' }", "log: { level: 'error' }", [.logLevel], []),
      (
        "limits: { fieldCountMax: 50 }, cors: { maxAgeSeconds: 1 }", "log: { format: 'json' }",
        [.corsMaxAgeSeconds, .limitsFieldCountMax, .logFormat], [.logFormat]
      ),
      // One listener in several spellings is one listener.
      ("listeners: 8080", "listeners: [{ tcp: '*:8080' }]", [], []),
      ("listeners: 8080", "listeners: 8081", [.listeners], [.listeners]),
      ("listeners: ['unix:/s']", "listeners: ['unix:/s mode=0600']", [.listeners], [.listeners]),
      ("admin: { listener: 9090 }", "admin: { listener: '127.0.0.1:9090' }", [], []),
      ("admin: { listener: 9090 }", "admin: {}", [.adminListener], [.adminListener]),
    ] as [(String, String, [ConfigKey], [ConfigKey])]) func changesAreFound(
      old: String, new: String, changed: [ConfigKey], restart: [ConfigKey]
    ) throws
  {
    let running = try config(old)
    let fresh = try config(new)
    #expect(fresh.keysThatDiffer(from: running) == changed)
    #expect(fresh.keysThatNeedRestart(comparedWith: running) == restart)
    #expect(running.keysThatNeedRestart(comparedWith: fresh) == restart)
  }

  @Test func whoSetAValueIsNoChange() throws {
    #expect(
      try config("loops: 2").keysThatDiffer(from: config("log: {}", ["REGION_BUCKET_LOOPS": "2"])) == [])
  }
}

@Suite struct FileReaderTests {
  @Test func onlyPlainFilesAreRead() throws {
    #expect(throws: ConfigFileError.notAFile) { try ConfigFileReader.read("/") }
    #expect(throws: ConfigFileError.notAFile) { try ConfigFileReader.read("/dev/zero") }
    #expect(throws: ConfigFileError.errorNumber(2)) { try ConfigFileReader.read("/no/such/file") }
    #expect(throws: ConfigFileError.errorNumber(20)) { try ConfigFileReader.read("/etc/passwd/x") }
    let own = try ConfigFileReader.read(#filePath)
    #expect(own.starts(with: Array("import Testing".utf8)))
    #expect(own.count > 3000)
  }
}
