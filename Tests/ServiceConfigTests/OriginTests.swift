import Testing

@testable import ServiceConfig

/// Each key can be set in the file, by its variable and by its flag, and the later goes before the earlier.
@Suite struct OriginTests {
  /// A key with two values, as text of a variable or flag and as text of the file.
  struct Sample: Sendable {
    var key: ConfigKey
    var texts: (String, String)
    var file: (String, String)

    /// A key whose texts are numbers or booleans, written alike everywhere.
    init(_ key: ConfigKey, plain first: String, _ second: String) {
      (self.key, texts, file) = (key, (first, second), (first, second))
    }

    init(_ key: ConfigKey, text first: String, _ second: String) {
      (self.key, texts, file) = (key, (first, second), ("'\(first)'", "'\(second)'"))
    }

    init(_ key: ConfigKey, list first: String, _ second: String) {
      func list(_ text: String) -> String {
        "[" + text.split(separator: ",").map { "'\($0)'" }.joined(separator: ", ") + "]"
      }
      (self.key, texts, file) = (key, (first, second), (list(first), list(second)))
    }
  }

  static let samples: [Sample] = [
    Sample(.listeners, list: "127.0.0.1:1,unix:/s mode=0600", "systemd"),
    Sample(.adminListener, text: "9090", "unix:/admin"), Sample(.loops, plain: "1", "256"),
    Sample(.trustedPeers, list: "loopback,private", "192.0.2.0/24"),
    Sample(.proxyProtocolPeers, list: "private", "2001:db8::/32"),
    Sample(.originSecretHeader, text: "X-A", "X-B"),
    Sample(.originSecretFromEnvironment, list: "A,B", "C"), Sample(.originSecretFromFiles, list: "/a", "b"),
    Sample(.originSecretOnMissing, text: "refuse", "distrust"),
    Sample(.clientAddressHeader, text: "X-A", "X-B"), Sample(.clientAddressForm, text: "list", "single"),
    Sample(.clientAddressSkip, list: "private,loopback", "file:x"),
    Sample(.clientAddressHops, plain: "1", "64"), Sample(.sources, list: "edge,cdn,database", "database"),
    Sample(.cdnPreset, text: "cloudfront", "fastly"), Sample(.cdnCountryHeader, text: "X-A", "X-B"),
    Sample(.cdnCountryElement, plain: "0", "63"), Sample(.cdnSubdivisionHeader, text: "X-A", "X-B"),
    Sample(.cdnSubdivisionElement, plain: "0", "63"), Sample(.cdnSubdivisionForm, text: "bare", "prefixed"),
    Sample(.cdnCityHeader, text: "X-A", "X-B"), Sample(.cdnCityElement, plain: "0", "63"),
    Sample(.cdnCityEncoding, text: "percent", "ascii"), Sample(.cdnNoDataMarkers, list: "XX,ZZ", "?"),
    Sample(.cdnNotACountryMarkers, list: "T1,A1", "O1"), Sample(.edgeBucketHeader, text: "X-A", "X-B"),
    Sample(.edgePolicyHeader, text: "X-A", "X-B"), Sample(.databasePath, text: "/a.mmdb", "b.mmdb"),
    Sample(.databaseFieldsCountry, text: "country", "country_code"),
    Sample(.databaseFieldsSubdivision, text: "region", "region_code"),
    Sample(.databaseFieldsCity, text: "city", "city.names.de"),
    Sample(.databaseFallbackToRegistered, plain: "true", "false"),
    Sample(.databaseRequired, plain: "true", "false"), Sample(.databaseMaxAgeDays, plain: "0", "36500"),
    Sample(.databaseUnknownAfterDays, plain: "1", "365"),
    Sample(.databaseSettleSeconds, plain: "0.25", "3600"),
    Sample(.policyRegional, list: "KR,US-CA,KR/Seoul,EEA", "JP"),
    Sample(.policyUnclassified, list: "CN,RU", "US"),
    Sample(.policyShadowRegional, list: "KR,JP", "EU"),
    Sample(.policyShadowUnclassified, list: "CN", "RU,BY"),
    Sample(.cachePolicy, text: "bucket", "none"), Sample(.cacheSharedMaxAgeSeconds, plain: "1", "31536000"),
    Sample(.cacheTargetedField, text: "Surrogate-Control", "X-Accel-Expires"),
    Sample(.cacheTagField, text: "xkey", "Cache-Tag"), Sample(.cacheKeyConfigured, plain: "true", "false"),
    Sample(.cacheViewerFieldRewritten, plain: "true", "false"),
    Sample(.corsOrigins, list: "https://a.example,http://localhost:3000", "*"),
    Sample(.corsMaxAgeSeconds, plain: "0", "86400"),
    Sample(.limitsRequestLineBytesMax, plain: "256", "65535"),
    Sample(.limitsHeaderSectionBytesMax, plain: "1024", "65535"),
    Sample(.limitsFieldCountMax, plain: "8", "1000"),
    Sample(.limitsBodyBytesMax, plain: "0", "16777216"), Sample(.limitsConnectionsMax, plain: "1", "1000000"),
    Sample(.timeoutsHeadSeconds, plain: "0.01", "3600"), Sample(.timeoutsBodySeconds, plain: "0.5", "3600"),
    Sample(.timeoutsIdleSeconds, plain: "0.05", "86400"),
    Sample(.timeoutsWriteStallSeconds, plain: "1.5", "2"),
    Sample(.timeoutsLingerSeconds, plain: "0", "60"), Sample(.drainSeconds, plain: "0", "0.1"),
    Sample(.drainDelaySeconds, plain: "5", "7.5"), Sample(.logLevel, text: "debug", "error"),
    Sample(.logFormat, text: "json", "text"), Sample(.logAccess, plain: "true", "false"),
  ]

  @Test func everyKeyHasASample() { #expect(Self.samples.map(\.key) == ConfigKey.allCases) }

  @Test(arguments: samples) func everyPlaceSetsTheKey(sample: Sample) throws {
    let key = sample.key
    let words = key.path.split(separator: ".")
    let file =
      "{ " + words.joined(separator: ": { ") + ": \(sample.file.0)" + words.map { _ in " }" }.joined()
    let value = try JSONValue.decode(json5: Array(sample.file.0.utf8))
    let other = try JSONValue.decode(json5: Array(sample.file.1.utf8))

    var collector = SettingCollector()
    func expect(_ value: JSONValue, _ origin: ConfigOrigin) {
      // A list of one and its only element are the same.
      let found = collector.effectiveSettings()[key]!
      #expect(found.value == value || found.value == .list([value]))
      #expect(found.origin == origin)
      #expect(collector.diagnostics == [])
    }
    expect(ConfigSchema.row[key]!.defaultValue, .builtIn)
    #expect(collector.addFile("f") { _ throws(ConfigFileError) in Array(file.utf8) })
    expect(value, .file(name: "f", line: 1))
    collector.addEnvironment([key.environmentVariable: sample.texts.1, "PATH": "/bin"])
    expect(other, .environment(variable: key.environmentVariable))
    collector.addFlags([key.flag, sample.texts.0])
    expect(value, .flag(key.flag))
    collector.addFlags(["\(key.flag)=\(sample.texts.1)"])
    expect(other, .flag(key.flag))
    for other in ConfigKey.allCases where other != key {
      #expect(collector.effectiveSettings()[other]!.origin == .builtIn)
    }
  }

  @Test func anEmptyVariableIsNotSet() {
    var collector = SettingCollector()
    collector.addEnvironment(["REGION_BUCKET_LOOPS": "", "REGION_BUCKET_SOURCES": "", "PORT": ""])
    #expect(collector.effectiveSettings()[.loops] == ConfigSetting(value: .number(0), origin: .builtIn))
    #expect(collector.diagnostics == [])
  }

  @Test(arguments: [
    // The empty list, whatever its default.
    (ConfigKey.trustedPeers, JSONValue.list([])), (.clientAddressSkip, .list([])), (.listeners, .list([])),
    // Nothing, for what may be nothing.
    (.clientAddressHeader, .null), (.clientAddressHops, .null), (.adminListener, .null),
    (.databaseRequired, .null),
    // A word like another.
    (.cdnPreset, .text("none")), (.cachePolicy, .text("none")),
  ]) func noneTakesBack(key: ConfigKey, value: JSONValue) {
    var collector = SettingCollector()
    collector.set(key, to: ConfigSchema.row[key]!.defaultValue, from: .file(name: "f", line: nil))
    collector.addEnvironment([key.environmentVariable: "none"])
    #expect(
      collector.effectiveSettings()[key]
        == ConfigSetting(value: value, origin: .environment(variable: key.environmentVariable)))
    #expect(collector.diagnostics == [])
  }

  @Test func nullInTheFileIsTheDefault() throws {
    let load = Loading().load("{ \(sound), loops: null, database: null, log: { level: null } }")
    #expect(load.diagnostics == [])
    let config = try #require(load.config)
    #expect(config.settings[.loops] == ConfigSetting(value: .number(0), origin: .builtIn))
    #expect(config.logging.level == .info)
  }

  @Test func flagsAreToldFromTheRest() {
    let arguments = [
      "serve", "--loops=2", "--config", "f", "--log-access", "--log-level", "debug", "x", "--", "--loops",
      "3",
    ]
    let (settings, rest) = ConfigFlags.split(arguments)
    #expect(settings == ["--loops=2", "--log-access=true", "--log-level=debug"])
    #expect(rest == ["serve", "--config", "f", "x", "--", "--loops", "3"])
    #expect(ConfigFlags.split(["--log-access", "0", "--log-access", "2"]).rest == ["2"])
    #expect(ConfigFlags.split(["--loops", "--log-level"]).settings == ["--loops", "--log-level"])
  }

  @Test(
    arguments: [
      ("8081", ["*:8081"], []),
      ("0", ["*:0"], []),
      ("", ["*:8080"], []),
      ("65536", nil, ["error: PORT: \"65536\" is no port from 0 to 65535"]),
      ("tcp://10.0.0.1:80", nil, ["error: PORT: \"tcp://10.0.0.1:80\" is no port from 0 to 65535"]),
      ("-1", nil, ["error: PORT: \"-1\" is no port from 0 to 65535"]),
    ] as [(String, [String]?, [String])]) func portMovesTheDefaultListener(
      port: String, listeners: [String]?, diagnostics: [String]
    )
  {
    let loading = Loading(environment: ["PORT": port])
    #expect(loading.load("{ \(sound) }").config?.listening.listeners.map(\.text) == listeners)
    #expect(loading.diagnostics("{ \(sound) }") == diagnostics)
  }

  @Test func portMovesNoOtherListener() throws {
    let text = "{ \(sound),\n listeners: ['127.0.0.1:80', 'unix:/s'] }"
    let load = Loading(environment: ["PORT": "8081"]).load(text)
    #expect(load.config?.listening.listeners.map(\.text) == ["127.0.0.1:80", "unix:/s"])
    #expect(
      Loading(environment: ["PORT": "8081"]).diagnostics(text) == [
        "warning: FILE:2: listeners: PORT is \"8081\", and no listener has that port; unset `listeners` to "
          + "let PORT move the default listener"
      ])
    #expect(Loading(environment: ["PORT": "80"]).diagnostics(text) == [])
  }
}
