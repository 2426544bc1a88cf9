/// The field that grants a lifetime to the one shared cache in front, and to no other.
package enum TargetedCacheField: String, CaseIterable, Sendable {
  /// Fastly, Varnish by the shipped file: `max-age=N`, removed before the viewer.
  case surrogateControl = "Surrogate-Control"
  /// nginx: seconds, removed by nginx.
  case xAccelExpires = "X-Accel-Expires"
  /// Netlify (RFC 9213).
  case netlifyCDNCacheControl = "Netlify-CDN-Cache-Control"
  /// Cloudflare (RFC 9213).
  case cloudflareCDNCacheControl = "Cloudflare-CDN-Cache-Control"
  /// CloudFront has no field of its own: `s-maxage=N` in the field that every cache reads.
  case cacheControl = "Cache-Control"
}

/// What makes a cache keep one object per bucket.
package enum CacheKeying: Sendable {
  /// It obeys `Vary`.
  case byVary
  /// The shipped configuration file puts the bucket into the key.
  case byShippedFile
  /// Only the operator can: allowed when the configuration says that it is done.
  case whenKeyConfigured
  /// The same, and what viewers see has to be rewritten at the edge as well.
  case whenKeyConfiguredAndViewerFieldRewritten
}

/// Whether the shared cache of a CDN can be trusted with answers that differ by bucket.
package enum SharedCache: Sendable {
  case supported(TargetedCacheField, CacheKeying)
  /// Not, and why: a sentence for the operator.
  case refused(StaticString)

  /// Any cache of which nothing is known.
  package static let unknownField = SharedCache.refused(
    "no field is known that grants a lifetime to this cache alone: answer at the edge instead")
  /// Varnish, with the shipped VCL.
  package static let varnish = SharedCache.supported(.surrogateControl, .byShippedFile)
  /// nginx's `proxy_cache`, which compares `Vary` with the client's header and not with the one nginx sets.
  package static let nginx = SharedCache.supported(.xAccelExpires, .whenKeyConfigured)
}
