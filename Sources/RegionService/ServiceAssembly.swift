import ClientSignal
import GeoLookup
import HTTPWire
import RegionModel
import ServiceConfig

/// Makes snapshots of a configuration and what is known of the database.
package enum ServiceAssembly {
  /// What answers are made by from now on.
  package static func snapshot(
    config: ServiceConfig, database: Decider.Database, generation: UInt32, always: RegionBucket? = nil
  ) -> ServiceSnapshot {
    ServiceSnapshot(
      generation: generation, limits: limits(config.limits),
      proxyProtocolPeers: config.trust.proxyProtocolPeers,
      decider: decider(config, policy: config.policy.active, database: database, always: always),
      shadow: config.policy.shadow.map { decider(config, policy: $0, database: database) },
      cache: cachePolicy(config), origins: origins(config.cors),
      preflightSecondsMax: config.cors.maxAgeSeconds, unreadiness: unreadiness(config, database),
      logsAccess: config.logging.isAccessLogged)
  }

  /// A decider for one of the configuration's policies.
  package static func decider(
    _ config: ServiceConfig, policy: BucketPolicy, database: Decider.Database, always: RegionBucket? = nil
  ) -> Decider {
    let signals = config.signals
    return Decider(
      trust: config.trust.proxyTrust, sources: signals.sources, edge: signals.edge,
      cdn: signals.locationHeaders, clientAddress: signals.clientAddress, database: database, policy: policy,
      consulted: signals.consultedFields, always: always)
  }

  /// Where the configuration says that records hold what.
  package static func fields(_ config: DatabaseConfig) -> DatabaseFields {
    // The configuration has checked the paths.
    DatabaseFields(
      country: FieldPath(config.countryField)!,
      fallbackCountry: config.fallsBackToRegistered ? FieldPath("registered_country.iso_code") : nil,
      subdivision: FieldPath(config.subdivisionField)!, city: FieldPath(config.cityField)!)
  }

  /// A database that is too old still counts as there: taking every instance out of service would not renew it.
  private static func unreadiness(_ config: ServiceConfig, _ database: Decider.Database) -> Unreadiness? {
    guard config.signals.sources.contains(.database), config.database.isRequired else { return nil }
    if case .missing = database { return .noDatabase }
    return nil
  }

  private static func limits(_ config: LimitsConfig) -> WireLimits {
    WireLimits(
      requestLineBytesMax: config.requestLineBytesMax, headerSectionBytesMax: config.headerSectionBytesMax,
      fieldCountMax: config.fieldCountMax, bodyBytesMax: config.bodyBytesMax)
  }

  /// Which origins may read the answers of a configuration.
  package static func origins(_ config: CORSConfig) -> OriginPolicy {
    switch config.origins {
    case .any: .any
    case .listed(let list): .list(list)
    }
  }

  /// What the answers of a configuration tell caches.
  package static func cachePolicy(_ config: ServiceConfig) -> CachePolicy {
    var varyFields = config.signals.consultedFields.vary
    if case .listed = config.cors.origins { varyFields.append(FieldName("Origin") as FieldName) }
    return CachePolicy(grant: config.cache.sharing.map { grant($0) }, varyFields: varyFields)
  }

  private static func grant(_ sharing: CacheConfig.Sharing) -> CachePolicy.Grant {
    let seconds = sharing.maxAgeSeconds
    let value =
      switch sharing.field {
      case .surrogateControl, .netlifyCDNCacheControl, .cloudflareCDNCacheControl: "max-age=\(seconds)"
      case .xAccelExpires: "\(seconds)"
      case .cacheControl: "s-maxage=\(seconds)"
      }
    // Fastly lets `private` veto its own field; `no-store` alone keeps every other cache away.
    return CachePolicy.Grant(
      field: sharing.field.rawValue, value: value, cacheControl: "no-store",
      tagField: sharing.tagField?.rawValue)
  }
}
