import Testing

@testable import ServiceConfig

/// What is wrong with a configuration as a whole, word for word.
@Suite struct DiagnosticTests {
  @Test(
    arguments: [
      // The file itself.
      ("{", ["error: FILE:1: not JSON5: the text ends inside an object: `}` is missing (column 2)"]),
      (
        "{\n a: KR }", ["error: FILE:2: not JSON5: \"KR\" is no value; text stands between quotes (column 5)"]
      ),
      ("[]", ["error: FILE: expected an object, found a list; the whole stands in { }"]),
      (
        "{}",
        [
          "error: sources: nothing is asked; list what to ask, in order: `edge`, `cdn`, `database`",
          "warning: policy.regional: no place is regional: no answer is ever `regionalMarket`",
        ]
      ),

      // Unknown keys, with the nearest known one.
      (
        """
        { \(sound),
         clientAdress: { header: 'X' },
         limits: { bodyBytes: 1 },
         log: { lvl: 1, zzz: 2 } }
        """,
        [
          "error: FILE:2: clientAdress: there is no such key; did you mean `clientAddress`?",
          "error: FILE:3: limits.bodyBytes: there is no such key; did you mean `limits.bodyBytesMax`?",
          "error: FILE:4: log.lvl: there is no such key; did you mean `log.level`?",
          "error: FILE:4: log.zzz: there is no such key",
        ]
      ),
      // A key in the wrong section, or with a dotted name.
      (
        "{ \(sound), onMissing: 'refuse', connectionsMax: 5, 'log.level': 'debug' }",
        [
          "error: FILE:1: connectionsMax: there is no such key; did you mean `limits.connectionsMax`?",
          "error: FILE:1: log.level: a path is not a key; write an object for each word before the last",
          "error: FILE:1: onMissing: there is no such key; did you mean `originSecret.onMissing`?",
        ]
      ),
      // Of a section that is misspelt, nothing more is missed.
      (
        "{ sources: ['database'], databse: { path: 'x' }, trustedPeers: [], policy: { regional: ['KR'] } }",
        ["error: FILE:1: databse: there is no such key; did you mean `database`?"]
      ),
      ("{ \(sound), database: 'x.mmdb' }", ["error: FILE:1: database: expected an object"]),
      ("{ \(sound),\n loops: 1,\n loops: 2 }", ["error: FILE:3: loops: the key is there already, on line 2"]),

      // Kinds and bounds.
      (
        "{ \(sound), loops: 1.5, drainSeconds: -1, log: { access: 'yes', level: 'warn', format: 3 } }",
        [
          "error: FILE:1: drainSeconds: expected seconds from 0 to 3600, found -1",
          "error: FILE:1: log.access: expected `true` or `false`, found \"yes\"",
          "error: FILE:1: log.format: expected one of `auto`, `json`, `text`, found 3",
          "error: FILE:1: log.level: expected one of `debug`, `info`, `warning`, `error`, found \"warn\"; "
            + "did you mean `warning`?",
          "error: FILE:1: loops: expected a whole number from 0 to 256, found 1.5",
        ]
      ),
      (
        """
        { \(sound), loops: '4', log: { access: 'true' }, drainSeconds: NaN, limits: { bodyBytesMax: 1e300 } }
        """,
        [
          "error: FILE:1: drainSeconds: expected seconds from 0 to 3600, found NaN",
          "error: FILE:1: limits.bodyBytesMax: expected a whole number from 0 to 16777216, found 1e+300",
          "error: FILE:1: log.access: expected `true` or `false`, found \"true\"; write it without quotes",
          "error: FILE:1: loops: expected a whole number from 0 to 256, found \"4\"; write it without "
            + "quotes",
        ]
      ),
      (
        "{ \(sound), trustedPeers: [1], edge: { bucketHeader: {} }, cors: { origins: true } }",
        [
          "error: FILE:1: cors.origins: expected a list of origins, found true",
          "error: FILE:1: edge.bucketHeader: expected a field name, found an object",
          "error: FILE:1: trustedPeers: expected a list of address blocks, found a list",
        ]
      ),
    ] as [(String, [String])]) func theFileIsJudged(text: String, lines: [String])
  {
    #expect(Loading().diagnostics(text) == lines)
    #expect(Loading().load(text).config == nil)
  }

  @Test func theFileMustBeThereAndUTF8() {
    let missing = ConfigLoader.load(file: "no", arguments: [], environment: [:]) {
      _ throws(ConfigFileError) in throw .errorNumber(2)
    }
    #expect(
      missing.diagnostics.map(\.text) == ["error: no: the file cannot be read: No such file or directory"])
    let latin = ConfigLoader.load(
      file: "f", arguments: ["--loops=x"], environment: ["REGION_BUCKET_SECRET": "s"]
    ) {
      _ throws(ConfigFileError) in [0x7B, 0x22, 0xE9, 0x22, 0x7D]
    }
    #expect(
      latin.diagnostics.map(\.text) == [
        "error: f: the file is not UTF-8",
        "error: --loops: loops: expected a whole number from 0 to 256, found \"x\"",
      ])
  }

  @Test func theEnvironmentMayNameTheFile() {
    func load(_ file: String?, _ variable: String) -> [String] {
      let environment = ["REGION_BUCKET_CONFIG": variable]
      return ConfigLoader.load(file: file, arguments: [], environment: environment) {
        path throws(ConfigFileError) in Array("{ \(sound), loops: '\(path)' }".utf8)
      }.diagnostics.map(\.text)
    }
    let problem = "expected a whole number from 0 to 256, found"
    #expect(load(nil, "e") == ["error: e:1: loops: \(problem) \"e\""])
    #expect(load("f", "e") == ["error: f:1: loops: \(problem) \"f\""])
    #expect(
      load(nil, "").last
        == "warning: policy.regional: no place is regional: no answer is ever `regionalMarket`")
  }

  @Test func withoutAFileTheEnvironmentIsEnough() throws {
    let load = Loading(
      environment: [
        "REGION_BUCKET_SOURCES": "cdn", "REGION_BUCKET_CDN_PRESET": "cloudflare",
        "REGION_BUCKET_POLICY_REGIONAL": "KR, JP",
      ]
    ).load(nil)
    #expect(load.diagnostics == [])
    #expect(load.config?.policy.active.regional.map(\.canonicalText) == ["JP", "KR"])
  }

  @Test(arguments: [
    ("REGION_BUCKET_LOOP", "1", "there is no such key; did you mean `REGION_BUCKET_LOOPS`?"),
    ("REGION_BUCKET_CONFG", "f", "there is no such key; did you mean `REGION_BUCKET_CONFIG`?"),
    ("REGION_BUCKET_ZZZZZZZZZ", "1", "there is no such key"),
    ("REGION_BUCKET_PORT", "80", "there is no such key; set `PORT`, or `REGION_BUCKET_LISTENERS`"),
    ("REGION_BUCKET_ORIGIN_SECRET", "s3cret", "there is no such key; \(OriginSecretAdvice.hint)"),
    ("REGION_BUCKET_ORIGIN_SECRET_VALUE", "s3cret", "there is no such key; \(OriginSecretAdvice.hint)"),
    (
      "REGION_BUCKET_ORIGIN_SECRET_FROM_FILE", "x",
      "there is no such key; did you mean `REGION_BUCKET_ORIGIN_SECRET_FROM_FILES`?"
    ),
    ("REGION_BUCKET_LOOPS", "many", "loops: expected a whole number from 0 to 256, found \"many\""),
    ("REGION_BUCKET_LOOPS", "0x10", "loops: expected a whole number from 0 to 256, found \"0x10\""),
    ("REGION_BUCKET_LOOPS", "257", "loops: expected a whole number from 0 to 256, found 257"),
    ("REGION_BUCKET_LOG_ACCESS", "yes", "log.access: expected `true` or `false`, found \"yes\""),
  ]) func variablesAreJudged(variable: String, text: String, problem: String) {
    let lines = Loading(environment: [variable: text]).diagnostics("{ \(sound) }")
    #expect(lines == ["error: \(variable): \(problem)"])
  }

  @Test(arguments: [
    "SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_8080_TCP", "PORT_8080_TCP_PROTO",
    "PORT_8080_TCP_PORT", "PORT_8080_TCP_ADDR", "PORT_53_UDP",
  ]) func whatKubernetesSetsIsLeftAlone(name: String) {
    #expect(
      Loading(environment: ["REGION_BUCKET_\(name)": "tcp://10.0.0.1:8080"]).diagnostics("{ \(sound) }") == []
    )
  }

  @Test(
    arguments: [
      (["--loop", "1"], ["--loop: there is no such flag; did you mean `--loops`?"]),
      (
        ["--loop", "1", "2"],
        ["--loop: there is no such flag; did you mean `--loops`?", "command line: an argument is no flag"]
      ),
      (["--port", "9000"], ["--port: there is no such flag; `--listeners 9000`, or the variable PORT"]),
      (["--port=9000"], ["--port: there is no such flag; `--listeners 9000`, or the variable PORT"]),
      (["--port", "s3cret"], ["--port: there is no such flag; `--listeners 8080`, or the variable PORT"]),
      (["--zzzzzzzzzzz=s3cret"], ["--zzzzzzzzzzz: there is no such flag"]),
      (["--origin-secret=s3cret"], ["--origin-secret: there is no such flag; \(OriginSecretAdvice.hint)"]),
      (["--loops"], ["--loops: loops: the flag has no value"]),
      (["--loops", "--log-access"], ["--loops: loops: the flag has no value"]),
      (["--loops="], ["--loops: loops: the flag has no value"]),
      (["--log-access=no"], ["--log-access: log.access: expected `true` or `false`, found \"no\""]),
      (["--"], ["command line: an argument is no flag"]),
      (
        ["--log-level", "inf"],
        [
          "--log-level: log.level: expected one of `debug`, `info`, `warning`, `error`, found \"inf\"; "
            + "did you mean `info`?"
        ]
      ),
    ] as [([String], [String])]) func flagsAreJudged(arguments: [String], problems: [String])
  {
    #expect(Loading(arguments: arguments).diagnostics("{ \(sound) }") == problems.map { "error: \($0)" })
  }

  @Test func theyComeInReadingOrder() {
    let loading = Loading(environment: ["REGION_BUCKET_LOOPS": "x"], arguments: ["--drain-seconds=y"])
    let text =
      "{ sources: ['cdn'], cdn: { preset: 'fastly' },\n log: 1,\n policy: { regional: ['UK', 'ZZ'] } }"
    #expect(
      loading.diagnostics(text) == [
        "error: FILE:2: log: expected an object",
        "error: FILE:3: policy.regional[0]: \"UK\" is not a country of ISO 3166-1; did you mean `GB`?",
        "error: FILE:3: policy.regional[1]: \"ZZ\" is not a country of ISO 3166-1",
        "error: REGION_BUCKET_LOOPS: loops: expected a whole number from 0 to 256, found \"x\"",
        "error: --drain-seconds: drainSeconds: expected seconds from 0 to 3600, found \"y\"",
        "warning: FILE:1: cdn.preset: `fastly` passes a client's own `X-Geo-Country` on unless a rule of "
          + "yours writes it; let the rule write it on every request, also when there is nothing to say",
      ])
  }

  @Test func linesThatTheLevelLeavesOutAreDoubted() {
    let problem = "no request gets a line: theirs are `info`, and `log.level` begins above it"
    for (level, isLeftOut) in [("debug", false), ("info", false), ("warning", true), ("error", true)] {
      let lines = Loading().diagnostics("{ \(sound), log: { access: true, level: '\(level)' } }")
      #expect(lines == (isLeftOut ? ["warning: FILE:1: log.access: \(problem)"] : []))
    }
  }

  @Test func controlCharactersForgeNoLine() {
    let lines = Loading().diagnostics("{ \(sound), log: { level: 'a\\nb\\u001b[2J\"' } }")
    #expect(
      lines == [
        "error: FILE:1: log.level: expected one of `debug`, `info`, `warning`, `error`, found "
          + "\"a\\u000ab\\u001b[2J\\\"\""
      ])
  }
}
