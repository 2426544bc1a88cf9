import ClientSignal
import HTTPWire
import RegionModel
import Testing

@testable import ServiceConfig

@Suite struct SignalsTests {
  private let policy = "policy: { regional: ['KR'] }"

  @Test func sourcesKeepTheirOrder() throws {
    let text =
      "{ sources: ['edge', 'database', 'cdn'], cdn: { preset: 'cloudflare' }, database: { path: '/d' }, "
    let config = try #require(Loading().load(text + policy + " }").config)
    #expect(config.signals.sources == [.edge, .database, .cdn])
    #expect(
      config.signals.consultedFields.all.map(\.text) == [
        "X-Region-Bucket", "X-Region-Policy", "CF-IPCountry", "CF-Connecting-IP",
      ])
    #expect(
      config.signals.consultedFields.vary.map(\.text) == [
        "X-Region-Bucket", "X-Region-Policy", "CF-IPCountry",
      ])
  }

  /// Every key that names a field, so that a new one is not forgotten.
  private static let fieldKeys = ConfigSchema.rows.filter {
    if case .text("a field name") = $0.kind { true } else { false }
  }.map(\.key)

  @Test(
    arguments: fieldKeys,
    [
      "Host", "content-length", "Transfer-Encoding", "Connection", "TE", "Upgrade", "Proxy-Connection",
      "expect",
    ])
  func fieldsOfTheMessageSayNothingOfTheClient(key: ConfigKey, name: String) {
    let text =
      "{ sources: ['edge', 'cdn', 'database'], cdn: { preset: 'cloudfront' }, database: { path: '/d' }, "
    let loaded = Loading(arguments: [key.flag, name]).load(text + policy + " }")
    #expect(loaded.config == nil)
    #expect(
      loaded.diagnostics.map(\.text).contains {
        $0.contains(
          "\(key.path): `\(name)` is about the message or the connection, and says nothing of the client; "
            + "name the field that the CDN or proxy in front writes")
      })
  }

  @Test func fieldKeysAreMany() { #expect(Self.fieldKeys.count >= 7) }

  @Test func whatNoSourceAsksForIsNotRead() throws {
    let text = "{ sources: ['cdn'], cdn: { preset: 'cloudflare' }, \(policy) }"
    let config = try #require(Loading().load(text).config)
    #expect(config.signals.edge == nil)
    #expect(config.signals.clientAddress == nil)
    #expect(config.signals.consultedFields.all.map(\.text) == ["CF-IPCountry"])
  }

  @Test(
    arguments: [
      ("sources: []", ["sources: nothing is asked; list what to ask, in order: `edge`, `cdn`, `database`"]),
      ("sources: ['cdn', 'cdn'], cdn: { preset: 'vercel' }", ["sources[1]: `cdn` is there already"]),
      ("sources: ['databse']", ["sources[0]: \"databse\" is no source; did you mean `database`?"]),
      (
        "sources: ['none']",
        ["sources[0]: \"none\" is no source; there are `edge`, `cdn`, `database`"]
      ),
      (
        "sources: ['cdn']",
        [
          "sources: `cdn` is asked, and `none` has no field that holds the country; "
            + "set `cdn.preset`, or `cdn.country.header`"
        ]
      ),
      (
        "sources: ['cdn'], cdn: { preset: 'fly' }",
        [
          "sources: `cdn` is asked, and `fly` has no field that holds the country; "
            + "set `cdn.preset`, or `cdn.country.header`"
        ]
      ),
      (
        "sources: ['cdn'], cdn: { preset: 'cloudfrnt' }",
        ["cdn.preset: \"cloudfrnt\" is no preset; did you mean `cloudfront`?"]
      ),
      (
        "sources: ['cdn'], cdn: { preset: 'x' }",
        [
          "cdn.preset: \"x\" is no preset; there are "
            + presetNames.map { "`\($0)`" }.joined(separator: ", ")
        ]
      ),
      (
        "sources: ['cdn'], cdn: { country: { header: 'X Y' } }",
        ["cdn.country.header: \"X Y\" is not a field name; RFC 9110 §5.6.2 allows letters, digits and `-`"]
      ),
      (
        "sources: ['cdn'], cdn: { country: { header: 'X' }, city: { element: 1 } }",
        ["cdn.city.element: there is no field that it could be an element of"]
      ),
      (
        "sources: ['edge'], edge: { bucketHeader: 'X A' }",
        ["edge.bucketHeader: \"X A\" is not a field name; RFC 9110 §5.6.2 allows letters, digits and `-`"]
      ),
      (
        "sources: ['edge'], edge: { bucketHeader: 'X-A', policyHeader: 'x-a' }",
        ["edge.policyHeader: bucket and policy stand in the same field"]
      ),
    ] as [(String, [String])]) func mistakesAreReported(keys: String, problems: [String])
  {
    #expect(Loading().diagnostics("{ \(policy), \(keys) }") == problems.map { "error: FILE:1: \($0)" })
  }

  @Test func aCDNOfOnesOwnIsDescribed() throws {
    let cdn = """
      country: { header: 'X-Geo', element: 0 }, city: { header: 'X-Geo', element: 2, encoding: 'percent' },
      subdivision: { header: 'X-Sub', form: 'prefixed' },
      noDataMarkers: ['-'], notACountryMarkers: ['T1', 'A1']
      """
    let load = Loading().load(
      "{ sources: ['cdn'], policy: { regional: ['US-CA', 'KR/Seoul'] }, cdn: { \(cdn) } }")
    #expect(load.diagnostics == [])
    let preset = try #require(load.config).signals.preset
    #expect(preset.country?.name.text == "X-Geo")
    #expect(preset.country.map { "\($0.form)" } == "commaElement(0)")
    #expect(preset.city.map { "\($0.form)" } == "commaElement(2)")
    #expect(preset.cityEncoding == .percent)
    #expect(preset.subdivision.map { "\($0.form)" } == "whole")
    #expect(preset.subdivisionForm == .prefixed)
    #expect(preset.noDataMarkers == ["-"])
    #expect(preset.notACountryMarkers == ["T1", "A1"])
    #expect(
      load.config?.signals.consultedFields.all.map(\.text).sorted() == ["X-Geo", "X-Sub"])
  }

  @Test func aPresetKeepsWhatIsNotSaidOtherwise() throws {
    let text =
      "{ sources: ['cdn'], \(policy), cdn: { preset: 'cloudflare', country: { header: 'cf-ipcountry' } } }"
    let load = Loading().load(text)
    // The CDN's own field by another case is still the CDN's.
    #expect(load.diagnostics == [])
    let preset = try #require(load.config).signals.preset
    #expect(preset.city?.name.text == "cf-ipcity")
    #expect(preset.noDataMarkers == ["XX"])
    #expect(preset.notACountryMarkers == ["T1"])
  }

  @Test(
    arguments: [
      ("cdn: { preset: 'fastly' }", ["cdn.preset: `fastly` passes a client's own `X-Geo-Country` on"]),
      (
        "cdn: { preset: 'cloudfront', country: { header: 'X-C' } }",
        ["cdn.country.header: `cloudfront` passes a client's own `X-C` on"]
      ),
      // A city's field matters with a city's rule only.
      ("cdn: { preset: 'cloudfront', city: { header: 'X-City' } }", []),
      (
        "cdn: { preset: 'cloudfront', city: { header: 'X-City' } }, policy: { regional: ['KR/Seoul'] }",
        ["cdn.city.header: `cloudfront` passes a client's own `X-City` on"]
      ),
      // Without a named CDN nobody knows who writes the field.
      ("cdn: { country: { header: 'X-C' } }", []),
    ] as [(String, [String])]) func fieldsThatClientsCanWriteAreDoubted(keys: String, lines: [String])
  {
    let policy = keys.contains("policy") ? "" : ", \(policy)"
    let found = Loading().diagnostics("{ sources: ['cdn'], \(keys)\(policy) }")
    let advice =
      " unless a rule of yours writes it; let the rule write it on every request, also when there is "
      + "nothing to say"
    #expect(found == lines.map { "warning: FILE:1: \($0)\(advice)" })
  }

  @Test(arguments: [
    ("cdn: { preset: 'keycdn' }", "US-CA", "subdivision", "keycdn"),
    ("cdn: { preset: 'bunny' }", "KR/Seoul", "city", "bunny"),
  ]) func rulesThatNoSourceSettlesAreDoubted(cdn: String, rule: String, part: String, preset: String) {
    let rules = "policy: { regional: ['\(rule)'] }"
    #expect(
      Loading().diagnostics("{ sources: ['cdn'], \(cdn), \(rules) }") == [
        "warning: FILE:1: policy.regional: a place needs a \(part), and `\(preset)` has no field that "
          + "holds it: "
          + "that country is `unknown`"
      ])
    // The database is not asked for the rest of a place whose country the CDN has named.
    let database = "database: { path: '/d' }, \(cdn), \(rules)"
    #expect(
      Loading().diagnostics("{ sources: ['cdn', 'database'], \(database) }") == [
        "warning: FILE:1: policy.regional: a place needs a \(part), and `\(preset)` has no field that "
          + "holds it: that country is `unknown`, since `database` is asked only where `cdn` names no "
          + "country; if the database knows it, list `database` in front of `cdn`"
      ])
    // Behind others it only stands in.
    for sources in ["['database', 'cdn']", "['edge', 'cdn', 'database']"] {
      #expect(Loading().diagnostics("{ sources: \(sources), \(database) }") == [])
    }
  }
}

@Suite struct ClientAddressTests {
  private func diagnostics(_ keys: String, sources: String = "['database']") -> [String] {
    let text = "sources: \(sources), database: { path: '/d' }, policy: { regional: ['KR'] }"
    return Loading().diagnostics("{ \(text), \(keys) }")
  }

  /// What a rule makes of a header's value, as the address that it finds.
  private func client(_ keys: String, _ name: String, _ value: String) throws -> ClientAddress? {
    let text = "{ sources: ['database'], database: { path: '/d' }, policy: { regional: ['KR'] }, \(keys) }"
    let config = try #require(Loading().load(text).config, "\(Loading().diagnostics(text))")
    guard let rule = config.signals.clientAddress else { return nil }
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(name): \(value)\r\n\r\n".utf8)
    return bytes.withUnsafeBytes { buffer in
      let head = RequestHead(fieldCountMax: 2)
      var parser = RequestParser()
      #expect(parser.parse(buffer, limits: WireLimits(), into: head) == .complete(consumed: buffer.count))
      return rule.client(in: head)
    }
  }

  private func address(_ text: String) -> ClientAddress { .address(IPAddress(text, form: .bare)!) }

  @Test func theFieldIsThePresetsUnlessSet() throws {
    #expect(
      try client("cdn: { preset: 'cloudflare' }", "CF-Connecting-IP", "8.8.8.8") == address("8.8.8.8"))
    #expect(
      try client("cdn: { preset: 'cloudfront' }", "CloudFront-Viewer-Address", "2001:4860::8:443")
        == address("2001:4860::8"))
    let own = "cdn: { preset: 'cloudflare' }, clientAddress: { header: 'X-Forwarded-For' }"
    #expect(try client(own, "X-Forwarded-For", "9.9.9.9, 8.8.8.8") == address("8.8.8.8"))
    #expect(try client(own, "CF-Connecting-IP", "8.8.8.8") == ClientAddress.none(.noSignal))
  }

  @Test(
    arguments: [
      // Skipped are the trusted peers, unless set.
      ("header: 'X-Forwarded-For'", "8.8.8.8, 10.0.0.1, 127.0.0.1", ClientAddress.none(.addressNotGlobal)),
      ("header: 'X-Forwarded-For', skip: ['private', 'loopback']", "8.8.8.8, 10.0.0.1, 127.0.0.1", nil),
      ("header: 'X-Forwarded-For', hops: 2", "8.8.8.8, 127.0.0.1", nil),
      ("header: 'X-Forwarded-For', hops: 1", "8.8.8.8, 127.0.0.1", ClientAddress.none(.addressNotGlobal)),
      ("header: 'X-Forwarded-For', form: 'single'", "8.8.8.8, 8.8.8.8", ClientAddress.none(.invalid)),
    ] as [(String, String, ClientAddress?)]) func theWalkIsAsSet(
      keys: String, value: String, client: ClientAddress?
    ) throws
  {
    let expected = client ?? address("8.8.8.8")
    #expect(try self.client("clientAddress: { \(keys) }", "X-Forwarded-For", value) == expected)
  }

  @Test func aPresetMayCountHops() throws {
    let preset = "cdn: { preset: 'google-cloud' }"
    #expect(try client(preset, "X-Forwarded-For", "8.8.8.8, 9.9.9.9") == address("8.8.8.8"))
    let skipping = preset + ", clientAddress: { skip: ['9.9.9.9'] }"
    #expect(try client(skipping, "X-Forwarded-For", "1.1.1.1, 8.8.8.8, 9.9.9.9") == address("8.8.8.8"))
  }

  @Test(arguments: [
    (
      "clientAddress: { header: 'X-Forwarded-For', hops: 1, skip: ['private'] }",
      "error: FILE:1: clientAddress.hops: `hops` counts entries and `skip` passes over them: set one"
    ),
    (
      "clientAddress: { header: 'X-Real-IP', hops: 1 }",
      "error: FILE:1: clientAddress.hops: `X-Real-IP` holds one address: there is nothing to skip or to "
        + "count; "
        + "if it is a list, set `clientAddress.form`"
    ),
    (
      "clientAddress: { header: 'X-Real-IP', skip: ['private'] }",
      "error: FILE:1: clientAddress.skip: `X-Real-IP` holds one address: there is nothing to skip or to "
        + "count; "
        + "if it is a list, set `clientAddress.form`"
    ),
    (
      "clientAddress: { header: 'X-Real-IP', hops: 65 }",
      "error: FILE:1: clientAddress.hops: expected a whole number from 1 to 64, found 65"
    ),
    (
      "clientAddress: { hops: 1 }, trustedPeers: []",
      "error: FILE:1: clientAddress.hops: no field is named that it could be about"
    ),
    (
      "clientAddress: { header: 'a b' }, trustedPeers: []",
      "error: FILE:1: clientAddress.header: \"a b\" is not a field name; "
        + "RFC 9110 §5.6.2 allows letters, digits and `-`"
    ),
    (
      "log: {}",
      "warning: clientAddress.header: the database is asked, and no field says who the client of a "
        + "trusted peer "
        + "is; set `clientAddress.header`, or trust nobody by `trustedPeers: []`"
    ),
    (
      "cdn: { preset: 'fastly' }",
      "warning: FILE:1: cdn.preset: `fastly` passes a client's own `Fastly-Client-IP` on unless a rule "
        + "of yours "
        + "writes it; let the rule write it on every request, also when there is nothing to say"
    ),
    (
      "cdn: { preset: 'cloudfront' }, clientAddress: { header: 'X-Real-IP' }",
      "warning: FILE:1: clientAddress.header: `cloudfront` passes a client's own `X-Real-IP` on unless a "
        + "rule of "
        + "yours writes it; let the rule write it on every request, also when there is nothing to say"
    ),
  ]) func mistakesAreReported(keys: String, line: String) {
    #expect(diagnostics(keys) == [line])
  }

  @Test func itIsIdleWithoutADatabase() {
    #expect(
      Loading().diagnostics("{ \(sound), clientAddress: { header: 'X-Real-IP' } }") == [
        "warning: FILE:1: clientAddress.header: it is never read: `sources` has no `database`"
      ])
  }
}
