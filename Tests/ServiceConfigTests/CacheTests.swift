import ClientSignal
import Testing

@testable import ServiceConfig

/// Each line of the table of caches, what it needs, and every refusal with its words.
@Suite struct CacheTests {
  private func load(_ keys: String, preset: String, sources: String = "['edge', 'database']") -> ConfigLoad {
    Loading().load(
      """
      { sources: \(sources), trustedPeers: [], database: { path: '/d' }, policy: { regional: ['KR'] },
        cdn: { preset: '\(preset)', country: { header: 'X-C' } },
        clientAddress: { header: 'X-Forwarded-For' },
        \(keys) }
      """)
  }

  @Test(arguments: [
    ("fastly", "", TargetedCacheField.surrogateControl), ("netlify", "", .netlifyCDNCacheControl),
    ("cloudflare", ", keyConfigured: true", .cloudflareCDNCacheControl),
    ("cloudfront", ", keyConfigured: true, viewerFieldRewritten: true", .cacheControl),
    ("none", ", targetedField: 'Surrogate-Control'", .surrogateControl),
    ("none", ", targetedField: 'X-Accel-Expires', keyConfigured: true", .xAccelExpires),
    // A cache of one's own behind a CDN that leaves the field alone.
    ("cloudfront", ", targetedField: 'Surrogate-Control'", .surrogateControl),
    ("cloudflare", ", targetedField: 'X-Accel-Expires', keyConfigured: true", .xAccelExpires),
    ("fastly", ", targetedField: 'Surrogate-Control'", .surrogateControl),
    (
      "cloudflare", ", targetedField: 'Cloudflare-CDN-Cache-Control', keyConfigured: true",
      .cloudflareCDNCacheControl
    ),
  ]) func cachesThatKeepBucketsApartMayShare(preset: String, keys: String, field: TargetedCacheField) {
    let load = load("cache: { policy: 'bucket'\(keys) }", preset: preset)
    #expect(load.diagnostics == [])
    #expect(load.config?.cache.sharing == .init(field: field, maxAgeSeconds: 300, tagField: nil))
  }

  @Test func lifetimeAndTagAreAsSet() {
    let load = load(
      "cache: { policy: 'bucket', sharedMaxAgeSeconds: 60, tagField: 'Surrogate-Key' }", preset: "fastly")
    #expect(
      load.config?.cache.sharing
        == .init(field: .surrogateControl, maxAgeSeconds: 60, tagField: .surrogateKey))
  }

  @Test func nothingIsSharedUnlessSaid() {
    for preset in presetNames {
      let load = load("log: {}", preset: preset)
      #expect(load.diagnostics.filter { $0.severity == .error } == [])
      #expect(load.config.map { $0.cache.sharing == nil } == true, "\(preset)")
    }
  }

  /// Every preset either has a way to share, named here, or is refused.
  @Test(
    arguments: presetNames.filter { !["fastly", "netlify", "cloudflare", "cloudfront", "none"].contains($0) })
  func otherCDNsAreRefused(preset: String) throws {
    guard case .refused(let reason)? = CDNPreset.named(preset)?.sharedCache else {
      Issue.record("it may share: give it a line of its own")
      return
    }
    for field in ["", ", targetedField: 'Surrogate-Control'", ", targetedField: 'X-Accel-Expires'"] {
      let word = ", keyConfigured: true, viewerFieldRewritten: true"
      let errors = load("cache: { policy: 'bucket'\(word)\(field) }", preset: preset).diagnostics
        .filter { $0.severity == .error }
      #expect(errors.map(\.path) == ["cache.policy"])
      #expect(errors.map(\.problem) == ["`\(preset)`: \(reason)"])
      #expect(errors.map(\.hint) == ["`region-bucket export` writes the code"])
    }
  }

  @Test(
    arguments: [
      (
        "none", "cache: { policy: 'bucket' }",
        [
          "cache.policy: no cache is named that could keep the buckets apart; name the CDN by "
            + "`cdn.preset`, or your "
            + "own cache by `cache.targetedField`: `Surrogate-Control` for Varnish, `X-Accel-Expires` "
            + "for nginx"
        ]
      ),
      (
        "cloudflare", "cache: { policy: 'bucket' }, edge: { bucketHeader: 'X-B' }",
        [
          "cache.policy: Cloudflare's cache key (a Worker's own, or a cache rule's) does not hold the "
            + "bucket header by "
            + "itself; put `X-B` into it, then set `cache.keyConfigured: true`"
        ]
      ),
      (
        "none", "cache: { policy: 'bucket', targetedField: 'X-Accel-Expires' }",
        [
          "cache.policy: nginx's `proxy_cache_key` does not hold the bucket header by itself; put "
            + "`X-Region-Bucket` "
            + "into it, then set `cache.keyConfigured: true`"
        ]
      ),
      (
        "cloudfront", "cache: { policy: 'bucket' }",
        [
          "cache.policy: CloudFront's cache policy does not hold the bucket header by itself; put "
            + "`X-Region-Bucket` "
            + "into it, then set `cache.keyConfigured: true`",
          "cache.policy: CloudFront would pass `s-maxage` on to caches that nobody knows; let the exported "
            + "viewer-response function write `private, no-store`, then set `cache.viewerFieldRewritten: "
            + "true`",
        ]
      ),
      (
        "cloudfront", "cache: { policy: 'bucket', viewerFieldRewritten: true }",
        [
          "cache.policy: CloudFront's cache policy does not hold the bucket header by itself; put "
            + "`X-Region-Bucket` "
            + "into it, then set `cache.keyConfigured: true`"
        ]
      ),
      (
        "fastly", "cache: { policy: 'bucket', targetedField: 'Netlify-CDN-Cache-Control' }",
        [
          "cache.targetedField: `fastly` does not consume `Netlify-CDN-Cache-Control`: caches that "
            + "nobody knows would "
            + "obey it"
        ]
      ),
      (
        "none",
        "cache: { policy: 'bucket', targetedField: 'Cloudflare-CDN-Cache-Control', keyConfigured: true }",
        [
          "cache.targetedField: `none` does not consume `Cloudflare-CDN-Cache-Control`: caches that "
            + "nobody knows would "
            + "obey it"
        ]
      ),
      (
        "fastly", "cache: { policy: 'bucket', targetedField: 'Cache-Control' }",
        [
          "cache.targetedField: expected one of `Surrogate-Control`, `X-Accel-Expires`, "
            + "`Netlify-CDN-Cache-Control`, "
            + "`Cloudflare-CDN-Cache-Control`, found \"Cache-Control\""
        ]
      ),
      (
        "fastly", "cache: { policy: 'bucket' }, cors: { origins: ['https://a.example'] }",
        [
          "cache.policy: with a list of origins `Vary: Origin` would split and mix what is shared; allow "
            + "any origin by "
            + "`cors: { origins: \"*\" }`"
        ]
      ),
      (
        "fastly", "cache: { policy: 'bucket', tagField: 'Cache-Tags' }",
        [
          "cache.tagField: expected one of `Surrogate-Key`, `xkey`, `Cache-Tag`, `Netlify-Cache-Tag`, "
            + "found "
            + "\"Cache-Tags\"; did you mean `Cache-Tag`?"
        ]
      ),
    ] as [(String, String, [String])]) func refusalsSayWhy(preset: String, keys: String, problems: [String])
  {
    let errors = load(keys, preset: preset).diagnostics.filter { $0.severity == .error }
    #expect(errors.map { $0.text.replacing("error: \(Loading.fileName):4: ", with: "") } == problems)
  }

  @Test func onlyTheEdgesBucketsAreShared() {
    let errors = load("cache: { policy: 'bucket' }", preset: "fastly", sources: "['cdn', 'database']")
      .diagnostics
      .filter { $0.severity == .error }
    #expect(
      errors.map(\.text) == [
        "error: \(Loading.fileName):4: cache.policy: only answers by edge code are shared, and `sources` "
          + "has no "
          + "`edge`; list `edge`, and export its code by `region-bucket export`"
      ])
  }

  @Test(
    arguments: [
      ("sharedMaxAgeSeconds: 60", ["cache.sharedMaxAgeSeconds"]), ("sharedMaxAgeSeconds: 300", []),
      ("targetedField: 'Surrogate-Control', tagField: 'xkey'", ["cache.targetedField", "cache.tagField"]),
      ("keyConfigured: true", []),
    ] as [(String, [String])]) func whatSaysNothingIsDoubted(keys: String, paths: [String])
  {
    let diagnostics = load("cache: { \(keys) }", preset: "none").diagnostics
    #expect(diagnostics.map(\.path) == paths)
    #expect(diagnostics.allSatisfy { $0.problem == "it says nothing while `cache.policy` is `none`" })
  }
}
