import ClientSignal
import RegionModel

/// A response field that tags an answer in a cache, so that it can be purged by its tag.
package enum CacheTagField: String, CaseIterable, Sendable {
  /// Fastly: tags between spaces.
  case surrogateKey = "Surrogate-Key"
  /// Varnish's xkey: tags between spaces.
  case xkey
  /// Cloudflare, Akamai, Google: tags between commas.
  case cacheTag = "Cache-Tag"
  /// Netlify: tags between commas.
  case netlifyCacheTag = "Netlify-Cache-Tag"
}

/// `cache`: what the CDN in front may share.
package struct CacheConfig: Equatable, Sendable {
  /// How an answer is handed to a shared cache.
  package struct Sharing: Equatable, Sendable {
    /// The field that grants the lifetime.
    package var field: TargetedCacheField
    /// How long the cache may keep an answer.
    package var maxAgeSeconds: Int
    /// The field that tags it; nil when it has no tags.
    package var tagField: CacheTagField?
  }

  /// Nil when nothing is ever shared. Otherwise only answers whose bucket came from the CDN's edge code are.
  package var sharing: Sharing?

  /// The fields that may be chosen. Not `Cache-Control`, which every cache reads: CloudFront's preset has it,
  /// with the conditions that belong to it.
  static let targetedFields = TargetedCacheField.allCases.filter { $0 != .cacheControl }

  init(reading reader: ConfigReader, preset: CDNPreset, sources: [DecisionSource], cors: CORSConfig) {
    guard reader.text(.cachePolicy) == "bucket" else {
      Self.warnOfIdleKeys(reader)
      return
    }
    if let (field, keying) = Self.cache(reader, preset) {
      sharing = Sharing(
        field: field, maxAgeSeconds: reader.integer(.cacheSharedMaxAgeSeconds),
        tagField: reader.optionalChoice(.cacheTagField))
      Self.checkWord(reader, field, keying)
    }
    if !sources.contains(.edge) {
      reader.contradiction(
        [.cachePolicy, .sources], "only answers by edge code are shared, and `sources` has no `edge`",
        hint: "list `edge`, and export its code by `region-bucket export`")
    }
    if case .listed = cors.origins {
      reader.contradiction(
        [.cachePolicy, .corsOrigins],
        "with a list of origins `Vary: Origin` would split and mix what is shared",
        hint: "allow any origin by `cors: { origins: \"*\" }`")
    }
  }

  /// The cache in front, and how it keeps the buckets apart; nil when it does not, which has been reported.
  private static func cache(_ reader: ConfigReader, _ preset: CDNPreset) -> (TargetedCacheField, CacheKeying)?
  {
    let isNamed = preset.name != CDNPreset.noneName
    if isNamed, case .refused(let reason) = preset.sharedCache {
      reader.contradiction(
        [.cachePolicy, .cdnPreset], "`\(preset.name)`: \(reason)",
        hint: "`region-bucket export` writes the code")
      return nil
    }
    let chosen: TargetedCacheField? = reader.optionalChoice(.cacheTargetedField)
    if case .supported(let field, let keying) = preset.sharedCache, chosen ?? field == field {
      return (field, keying)
    }
    switch chosen {
    // A cache of the operator's own; no CDN that is supported obeys the field of another.
    case .surrogateControl: return parts(of: .varnish)
    case .xAccelExpires: return parts(of: .nginx)
    case .netlifyCDNCacheControl, .cloudflareCDNCacheControl, .cacheControl:
      reader.contradiction(
        [.cacheTargetedField, .cdnPreset],
        "`\(preset.name)` does not consume `\(chosen!.rawValue)`: caches that nobody knows would obey it")
    case nil:
      reader.contradiction(
        [.cachePolicy, .cacheTargetedField], "no cache is named that could keep the buckets apart",
        hint: "name the CDN by `cdn.preset`, or your own cache by `cache.targetedField`: "
          + "`Surrogate-Control` for Varnish, `X-Accel-Expires` for nginx")
    }
    return nil
  }

  private static func parts(of cache: SharedCache) -> (TargetedCacheField, CacheKeying)? {
    if case .supported(let field, let keying) = cache { (field, keying) } else { nil }
  }

  /// Reports what the operator has to do, and say, before the cache may be trusted.
  private static func checkWord(_ reader: ConfigReader, _ field: TargetedCacheField, _ keying: CacheKeying) {
    let needsKey: Bool
    let needsRewriting: Bool
    switch keying {
    case .byVary, .byShippedFile: (needsKey, needsRewriting) = (false, false)
    case .whenKeyConfigured: (needsKey, needsRewriting) = (true, false)
    case .whenKeyConfiguredAndViewerFieldRewritten: (needsKey, needsRewriting) = (true, true)
    }
    if needsKey, !reader.boolean(.cacheKeyConfigured) {
      reader.contradiction(
        [.cachePolicy, .cacheKeyConfigured],
        "\(place(ofKeyFor: field)) does not hold the bucket header by itself",
        hint: "put `\(reader.text(.edgeBucketHeader)!)` into it, then set `cache.keyConfigured: true`")
    }
    if needsRewriting, !reader.boolean(.cacheViewerFieldRewritten) {
      reader.contradiction(
        [.cachePolicy, .cacheViewerFieldRewritten],
        "CloudFront would pass `s-maxage` on to caches that nobody knows",
        hint: "let the exported viewer-response function write `private, no-store`, then set "
          + "`cache.viewerFieldRewritten: true`")
    }
  }

  private static func place(ofKeyFor field: TargetedCacheField) -> String {
    switch field {
    case .xAccelExpires: "nginx's `proxy_cache_key`"
    case .cloudflareCDNCacheControl: "Cloudflare's cache key (a Worker's own, or a cache rule's)"
    case .cacheControl: "CloudFront's cache policy"
    case .surrogateControl, .netlifyCDNCacheControl: "the cache's key"
    }
  }

  private static func warnOfIdleKeys(_ reader: ConfigReader) {
    for key: ConfigKey in [.cacheSharedMaxAgeSeconds, .cacheTargetedField, .cacheTagField]
    where reader.value(key) != ConfigSchema.row[key]!.defaultValue {
      reader.doubt([key, .cachePolicy], "it says nothing while `cache.policy` is `none`")
    }
  }
}
