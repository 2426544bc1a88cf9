/// Every key of the configuration, by its path in the file.
///
/// A key is set in the file, by an environment variable or by a flag; both names are made from the path.
/// `ConfigSchema` has the rest that there is to know of a key.
package enum ConfigKey: String, CaseIterable, Sendable {
  case listeners
  case adminListener = "admin.listener"
  case loops

  case trustedPeers
  case proxyProtocolPeers
  case originSecretHeader = "originSecret.header"
  case originSecretFromEnvironment = "originSecret.fromEnvironment"
  case originSecretFromFiles = "originSecret.fromFiles"
  case originSecretOnMissing = "originSecret.onMissing"
  case clientAddressHeader = "clientAddress.header"
  case clientAddressForm = "clientAddress.form"
  case clientAddressSkip = "clientAddress.skip"
  case clientAddressHops = "clientAddress.hops"

  case sources
  case cdnPreset = "cdn.preset"
  case cdnCountryHeader = "cdn.country.header"
  case cdnCountryElement = "cdn.country.element"
  case cdnSubdivisionHeader = "cdn.subdivision.header"
  case cdnSubdivisionElement = "cdn.subdivision.element"
  case cdnSubdivisionForm = "cdn.subdivision.form"
  case cdnCityHeader = "cdn.city.header"
  case cdnCityElement = "cdn.city.element"
  case cdnCityEncoding = "cdn.city.encoding"
  case cdnNoDataMarkers = "cdn.noDataMarkers"
  case cdnNotACountryMarkers = "cdn.notACountryMarkers"
  case edgeBucketHeader = "edge.bucketHeader"
  case edgePolicyHeader = "edge.policyHeader"

  case databasePath = "database.path"
  case databaseFieldsCountry = "database.fields.country"
  case databaseFieldsSubdivision = "database.fields.subdivision"
  case databaseFieldsCity = "database.fields.city"
  case databaseFallbackToRegistered = "database.fallbackToRegistered"
  case databaseRequired = "database.required"
  case databaseMaxAgeDays = "database.maxAgeDays"
  case databaseUnknownAfterDays = "database.unknownAfterDays"
  case databaseSettleSeconds = "database.settleSeconds"

  case policyRegional = "policy.regional"
  case policyUnclassified = "policy.unclassified"
  case policyShadowRegional = "policy.shadow.regional"
  case policyShadowUnclassified = "policy.shadow.unclassified"

  case cachePolicy = "cache.policy"
  case cacheSharedMaxAgeSeconds = "cache.sharedMaxAgeSeconds"
  case cacheTargetedField = "cache.targetedField"
  case cacheTagField = "cache.tagField"
  case cacheKeyConfigured = "cache.keyConfigured"
  case cacheViewerFieldRewritten = "cache.viewerFieldRewritten"
  case corsOrigins = "cors.origins"
  case corsMaxAgeSeconds = "cors.maxAgeSeconds"

  case limitsRequestLineBytesMax = "limits.requestLineBytesMax"
  case limitsHeaderSectionBytesMax = "limits.headerSectionBytesMax"
  case limitsFieldCountMax = "limits.fieldCountMax"
  case limitsBodyBytesMax = "limits.bodyBytesMax"
  case limitsConnectionsMax = "limits.connectionsMax"
  case timeoutsHeadSeconds = "timeouts.headSeconds"
  case timeoutsBodySeconds = "timeouts.bodySeconds"
  case timeoutsIdleSeconds = "timeouts.idleSeconds"
  case timeoutsWriteStallSeconds = "timeouts.writeStallSeconds"
  case timeoutsLingerSeconds = "timeouts.lingerSeconds"
  case drainSeconds
  case drainDelaySeconds

  case logLevel = "log.level"
  case logFormat = "log.format"
  case logAccess = "log.access"

  /// The path in the file, `clientAddress.header`.
  package var path: String { rawValue }

  /// The environment variable that sets the key, `REGION_BUCKET_CLIENT_ADDRESS_HEADER`.
  package var environmentVariable: String {
    ConfigName.environmentPrefix + words.map { $0.uppercased() }.joined(separator: "_")
  }

  /// The flag that sets the key, `--client-address-header`.
  package var flag: String { "--" + words.joined(separator: "-") }

  /// The path's words in lower case: `client`, `address`, `header`.
  private var words: [String] {
    var words = [""]
    for character in path {
      if character == "." {
        words.append("")
      } else if character.isUppercase {
        words.append(character.lowercased())
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}

/// Names that are not made from a key's path.
enum ConfigName {
  /// What the name of every environment variable of this program begins with.
  static let environmentPrefix = "REGION_BUCKET_"
  /// The environment variable that names the configuration file.
  static let fileVariable = "REGION_BUCKET_CONFIG"
  /// The variable by which many platforms say which port to listen on. It moves the default listener, and is
  /// not looked at when listeners are configured.
  static let portVariable = "PORT"
}
