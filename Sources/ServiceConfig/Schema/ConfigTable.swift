// The table of keys: one row each, in the order of the documentation.

import ClientSignal

extension ConfigSchema {
  static let listening: [ConfigRow] = [
    ConfigRow(
      key: .listeners, kind: .listeners, defaultValue: .list([.text("8080")]), change: .restart,
      help: "Where requests are taken."),
    ConfigRow(
      key: .adminListener, kind: .listener, defaultValue: .null, change: .restart,
      help: "Where `/metrics` and `/readyz` with its reason are served; a port alone means loopback."),
    ConfigRow(
      key: .loops, kind: .integer(0...256), defaultValue: .number(0), change: .restart,
      help: "How many event loops serve; 0 is one per core."),
  ]

  static let trusting: [ConfigRow] = [
    ConfigRow(
      key: .trustedPeers, kind: .list("address blocks"), defaultValue: .list([.text("loopback")]),
      change: .reload,
      help:
        "Peers that may vouch for headers: blocks such as `192.0.2.0/24`, `loopback`, `private`, `file:PATH`."
    ),
    ConfigRow(
      key: .proxyProtocolPeers, kind: .list("address blocks"), defaultValue: .list([]), change: .reload,
      help: "Peers whose PROXY protocol preface is believed, on listeners that have `proxyProtocol`."),
    ConfigRow(
      key: .originSecretHeader, kind: .text("a field name"), defaultValue: .text("X-Origin-Secret"),
      change: .reload, help: "The field in which the CDN proves itself by a secret."),
    ConfigRow(
      key: .originSecretFromEnvironment, kind: .list("names of environment variables"),
      defaultValue: .list([]), change: .reload,
      help: "Environment variables that hold the secret; two at once while it is being changed.",
      mayHoldSecret: true),
    ConfigRow(
      key: .originSecretFromFiles, kind: .list("paths"), defaultValue: .list([]), change: .reload,
      help: "Files that hold the secret; two at once while it is being changed.", mayHoldSecret: true),
    ConfigRow(
      key: .originSecretOnMissing, kind: .choice(OriginSecret.OnMissing.allCases.map(\.rawValue)),
      defaultValue: .text("refuse"),
      change: .reload, help: "A request without the secret: `403`, or served as an untrusted one."),
    ConfigRow(
      key: .clientAddressHeader, kind: .text("a field name"), defaultValue: .null, change: .reload,
      help: "The one field in which a trusted peer says who the client is; unless set, the preset's."),
    ConfigRow(
      key: .clientAddressForm, kind: .choice(ClientAddressField.Kind.allCases.map(\.rawValue)),
      defaultValue: .null, change: .reload, help: "How that field is written; unless set, as its name has it."
    ),
    ConfigRow(
      key: .clientAddressSkip, kind: .list("address blocks"), defaultValue: .null, change: .reload,
      help: "Entries of a list field that are proxies, not clients; unless set, `trustedPeers`."),
    ConfigRow(
      key: .clientAddressHops, kind: .integer(1...ClientAddressRule.hopsMax), defaultValue: .null,
      change: .reload,
      help: "Instead of `skip`: the client is the Nth entry from the right."),
  ]

  static let locating: [ConfigRow] = [
    ConfigRow(
      key: .sources, kind: .list("`edge`, `cdn`, `database`"), defaultValue: .null, change: .reload,
      help: "What is asked, in this order, until one has an answer. Required."),
    ConfigRow(
      key: .cdnPreset, kind: .text("the name of a CDN"), defaultValue: .text("none"), change: .reload,
      help: "The CDN in front: which location headers it sends, and how it caches."),
    ConfigRow(
      key: .cdnCountryHeader, kind: .text("a field name"), defaultValue: .null, change: .reload,
      help: "The field that holds the country; unless set, the preset's."),
    ConfigRow(
      key: .cdnCountryElement, kind: .integer(0...63), defaultValue: .null, change: .reload,
      help: "Where the field holds values between commas, the country's place, from 0."),
    ConfigRow(
      key: .cdnSubdivisionHeader, kind: .text("a field name"), defaultValue: .null, change: .reload,
      help: "The field that holds the subdivision (ISO 3166-2); unless set, the preset's."),
    ConfigRow(
      key: .cdnSubdivisionElement, kind: .integer(0...63), defaultValue: .null, change: .reload,
      help: "Where the field holds values between commas, the subdivision's place, from 0."),
    ConfigRow(
      key: .cdnSubdivisionForm, kind: .choice(["bare", "prefixed"]), defaultValue: .null, change: .reload,
      help: "`bare` is `CA` or `US-CA`, `prefixed` is `USCA`; unless set, the preset's."),
    ConfigRow(
      key: .cdnCityHeader, kind: .text("a field name"), defaultValue: .null, change: .reload,
      help: "The field that holds the city; unless set, the preset's."),
    ConfigRow(
      key: .cdnCityElement, kind: .integer(0...63), defaultValue: .null, change: .reload,
      help: "Where the field holds values between commas, the city's place, from 0."),
    ConfigRow(
      key: .cdnCityEncoding, kind: .choice(LocationGate.TextEncoding.allCases.map(\.rawValue)),
      defaultValue: .null, change: .reload, help: "How the city is written; unless set, the preset's way."),
    ConfigRow(
      key: .cdnNoDataMarkers, kind: .list("texts"), defaultValue: .null, change: .reload,
      help: "Values that mean no data, so that the next source is asked; unless set, the preset's."),
    ConfigRow(
      key: .cdnNotACountryMarkers, kind: .list("texts"), defaultValue: .null, change: .reload,
      help: "Values that stand where a country belongs and are none; unless set, the preset's."),
    ConfigRow(
      key: .edgeBucketHeader, kind: .text("a field name"), defaultValue: .text("X-Region-Bucket"),
      change: .reload, help: "The field in which edge code says the bucket."),
    ConfigRow(
      key: .edgePolicyHeader, kind: .text("a field name"), defaultValue: .text("X-Region-Policy"),
      change: .reload, help: "The field in which edge code says by which policy, by its fingerprint."),
    ConfigRow(
      key: .databasePath, kind: .text("a path"), defaultValue: .null, change: .reload,
      help: "The MaxMind-format database."),
    ConfigRow(
      key: .databaseFieldsCountry, kind: .text("a field path"), defaultValue: .text("country.iso_code"),
      change: .reload, help: "Where a record holds the country's code; IPinfo: `country_code`."),
    ConfigRow(
      key: .databaseFieldsSubdivision, kind: .text("a field path"),
      defaultValue: .text("subdivisions.0.iso_code"), change: .reload,
      help: "Where a record holds the subdivision's code; IPinfo: `region_code`."),
    ConfigRow(
      key: .databaseFieldsCity, kind: .text("a field path"), defaultValue: .text("city.names.en"),
      change: .reload, help: "Where a record holds the city's name; IPinfo: `city`."),
    ConfigRow(
      key: .databaseFallbackToRegistered, kind: .boolean, defaultValue: .boolean(false), change: .reload,
      help: "Whether the country in which a network is registered stands in for a missing country."),
    ConfigRow(
      key: .databaseRequired, kind: .boolean, defaultValue: .null, change: .reload,
      help: "Whether there is no service without it; unless set, when it is the only source."),
    ConfigRow(
      key: .databaseMaxAgeDays, kind: .integer(0...36_500), defaultValue: .number(180), change: .reload,
      help: "A database older than this is warned about; 0 is never."),
    ConfigRow(
      key: .databaseUnknownAfterDays, kind: .integer(0...36_500), defaultValue: .number(0), change: .reload,
      help: "A database older than this answers `unknown`; 0 is never."),
    ConfigRow(
      key: .databaseSettleSeconds, kind: .seconds(0...3600), defaultValue: .number(2), change: .reload,
      help: "How long a changed database file must lie still before it is read."),
  ]

  static let deciding: [ConfigRow] = [
    ConfigRow(
      key: .policyRegional, kind: .list("places"), defaultValue: .list([]), change: .reload,
      help: "What `regionalMarket` is: `KR`, `US-CA`, `KR/Seoul`, and the groups `EU` and `EEA`."),
    ConfigRow(
      key: .policyUnclassified, kind: .list("countries"), defaultValue: .list([]), change: .reload,
      help: "Countries that are `unknown` whatever else is known."),
    ConfigRow(
      key: .policyShadowRegional, kind: .list("places"), defaultValue: .null, change: .reload,
      help: "A second policy whose differences are only counted; what it leaves out is as above."),
    ConfigRow(
      key: .policyShadowUnclassified, kind: .list("countries"), defaultValue: .null, change: .reload,
      help: "The second policy's countries that are `unknown`."),
  ]

  static let answering: [ConfigRow] = [
    ConfigRow(
      key: .cachePolicy, kind: .choice(["none", "bucket"]), defaultValue: .text("none"), change: .reload,
      help: "Whether the CDN may share an answer among the requests whose edge bucket is the same."),
    ConfigRow(
      key: .cacheSharedMaxAgeSeconds, kind: .integer(1...31_536_000), defaultValue: .number(300),
      change: .reload, help: "How long it may."),
    ConfigRow(
      key: .cacheTargetedField, kind: .choice(CacheConfig.targetedFields.map(\.rawValue)),
      defaultValue: .null,
      change: .reload, help: "The field that tells the cache so; unless set, the preset's."),
    ConfigRow(
      key: .cacheTagField, kind: .choice(CacheTagField.allCases.map(\.rawValue)), defaultValue: .null,
      change: .reload, help: "The field that tags shared answers, to purge them by."),
    ConfigRow(
      key: .cacheKeyConfigured, kind: .boolean, defaultValue: .boolean(false), change: .reload,
      help: "Your word that the CDN's cache key holds the edge's bucket header."),
    ConfigRow(
      key: .cacheViewerFieldRewritten, kind: .boolean, defaultValue: .boolean(false), change: .reload,
      help: "Your word that the CDN sends viewers `Cache-Control: private, no-store` (CloudFront)."),
    ConfigRow(
      key: .corsOrigins, kind: .list("origins"), defaultValue: .text("*"), change: .reload,
      help: "Web origins that may read answers: `*`, or a list of exact ones."),
    ConfigRow(
      key: .corsMaxAgeSeconds, kind: .integer(0...86_400), defaultValue: .number(86_400), change: .reload,
      help: "How long a browser may remember a preflight."),
  ]

  static let limiting: [ConfigRow] = [
    ConfigRow(
      key: .limitsRequestLineBytesMax, kind: .integer(256...65_535), defaultValue: .number(8192),
      change: .reload, help: "The longest request line, in bytes."),
    ConfigRow(
      key: .limitsHeaderSectionBytesMax, kind: .integer(1024...65_535), defaultValue: .number(32_768),
      change: .reload, help: "The largest header section, in bytes."),
    ConfigRow(
      key: .limitsFieldCountMax, kind: .integer(8...1000), defaultValue: .number(100), change: .reload,
      help: "The most header lines."),
    ConfigRow(
      key: .limitsBodyBytesMax, kind: .integer(0...16_777_216), defaultValue: .number(65_536),
      change: .reload, help: "The largest request body that is read and dropped, in bytes."),
    ConfigRow(
      key: .limitsConnectionsMax, kind: .integer(1...1_000_000), defaultValue: .number(16_384),
      change: .restart, help: "The most connections at once."),
    ConfigRow(
      key: .timeoutsHeadSeconds, kind: .seconds(0.01...3600), defaultValue: .number(10), change: .restart,
      help: "From a head's first byte to its last."),
    ConfigRow(
      key: .timeoutsBodySeconds, kind: .seconds(0.01...3600), defaultValue: .number(10), change: .restart,
      help: "From a head's end to its body's last byte."),
    ConfigRow(
      key: .timeoutsIdleSeconds, kind: .seconds(0.01...86_400), defaultValue: .number(75), change: .restart,
      help: "Between two requests of a connection."),
    ConfigRow(
      key: .timeoutsWriteStallSeconds, kind: .seconds(0.01...3600), defaultValue: .number(10),
      change: .restart, help: "For a client that takes nothing of its answer."),
    ConfigRow(
      key: .timeoutsLingerSeconds, kind: .seconds(0...60), defaultValue: .number(2), change: .restart,
      help: "For input that still comes when a connection is being closed."),
    ConfigRow(
      key: .drainSeconds, kind: .seconds(0...3600), defaultValue: .number(20), change: .restart,
      help: "The longest that open connections are waited for at the end."),
    ConfigRow(
      key: .drainDelaySeconds, kind: .seconds(0...3600), defaultValue: .number(0), change: .restart,
      help: "How long new connections are still taken at the end, for balancers slow to notice."),
  ]

  static let reporting: [ConfigRow] = [
    ConfigRow(
      key: .logLevel, kind: .choice(LogLevel.allCases.map(\.rawValue)), defaultValue: .text("info"),
      change: .reload, help: "What is logged: lines of this level and above."),
    ConfigRow(
      key: .logFormat, kind: .choice(LogFormat.allCases.map(\.rawValue)), defaultValue: .text("auto"),
      change: .restart, help: "JSON lines or plain text; `auto` is text on a terminal."),
    ConfigRow(
      key: .logAccess, kind: .boolean, defaultValue: .boolean(false), change: .reload,
      help: "Whether each request gets a line: when, method, route, status, bucket, source, reason, duration."
    ),
  ]
}
