import HTTPWire
import RegionModel

/// What an answer tells caches. Fields of an answer cannot choose the key of the request that fetched it, so that
/// any cache may see only a prohibition; a lifetime goes to the one CDN in front, in a field that it consumes.
package struct CachePolicy: Sendable {
  /// A lifetime for the CDN in front, on answers whose bucket its own edge code computed.
  package struct Grant: Equatable, Sendable {
    /// The targeted field, such as `Surrogate-Control`, and its whole value.
    package var field: String
    package var value: String
    /// What any other cache sees beside it.
    package var cacheControl: String
    /// The field that names the purge tags, if any.
    package var tagField: String?

    package init(field: String, value: String, cacheControl: String, tagField: String?) {
      self.field = field
      self.value = value
      self.cacheControl = cacheControl
      self.tagField = tagField
    }
  }

  /// What everybody is told of an answer that nobody may keep.
  package static let withheld = "private, no-store"

  /// Nil: nothing is ever granted.
  package var grant: Grant?
  /// The one value of `Vary` for every answer of the configuration; nil when nothing of a request is consulted.
  package var vary: String?

  /// A policy; `fields` are all edge, CDN and (with a list of origins) `Origin` fields that the configuration reads.
  package init(grant: Grant?, varyFields fields: [FieldName]) {
    self.grant = grant
    vary = fields.isEmpty ? nil : fields.map(\.text).joined(separator: ", ")
  }

  /// The caching fields of an answer, in the order in which they must be written.
  package func fields(_ sharing: Sharing, bucket: RegionBucket?) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    switch (sharing, grant) {
    case (.shareable, .some(let grant)):
      // In front of Cache-Control: nginx takes the lifetime from whichever of the two comes first.
      fields.append((grant.field, grant.value))
      if grant.field != "Cache-Control" { fields.append(("Cache-Control", grant.cacheControl)) }
      if let tagField = grant.tagField, let bucket {
        // Cloudflare and Netlify separate tags by commas, Fastly and Varnish by spaces.
        let separator = tagField.lowercased().hasSuffix("cache-tag") ? "," : " "
        fields.append((tagField, "region-bucket\(separator)region-bucket-\(bucket.rawValue)"))
      }
    case (.withheld, _), (.shareable, .none):
      fields.append(("Cache-Control", Self.withheld))
    }
    if let vary { fields.append(("Vary", vary)) }
    return fields
  }
}
