import HTTPWire

extension CDNPreset {
  /// Every row, in the order of the documentation. To add a CDN, add a row and its test vectors.
  package static let all: [CDNPreset] = [
    cloudFront, cloudflare, fastly, akamai, googleCloud, appEngine, azureFrontDoor, vercel, netlify, bunny,
    keyCDN, alibabaESA, fly, none,
  ]

  /// Region and city are absent for requests from AWS's own network.
  package static let cloudFront = CDNPreset(
    name: "cloudfront",
    country: LocationField(FieldName("CloudFront-Viewer-Country"), clientCopy: .replaced),
    subdivision: LocationField(FieldName("CloudFront-Viewer-Country-Region"), clientCopy: .replaced),
    city: LocationField(FieldName("CloudFront-Viewer-City"), clientCopy: .replaced),
    cityEncoding: .percent,
    clientAddress: ClientAddressField(
      FieldName("CloudFront-Viewer-Address"), kind: .addressAndPort, clientCopy: .replaced),
    sharedCache: .supported(.cacheControl, .whenKeyConfiguredAndViewerFieldRewritten))

  package static let cloudflare = CDNPreset(
    name: "cloudflare",
    country: LocationField(FieldName("CF-IPCountry"), clientCopy: .replaced),
    subdivision: LocationField(FieldName("cf-region-code"), clientCopy: .replaced),
    city: LocationField(FieldName("cf-ipcity"), clientCopy: .replaced),
    noDataMarkers: ["XX"],
    notACountryMarkers: ["T1"],
    clientAddress: ClientAddressField(FieldName("CF-Connecting-IP"), kind: .single, clientCopy: .replaced),
    sharedCache: .supported(.cloudflareCDNCacheControl, .whenKeyConfigured))

  /// VCL has to set the geographic headers; these names are the recommended ones.
  package static let fastly = CDNPreset(
    name: "fastly",
    country: LocationField(FieldName("X-Geo-Country")),
    subdivision: LocationField(FieldName("X-Geo-Region")),
    city: LocationField(FieldName("X-Geo-City")),
    clientAddress: ClientAddressField(FieldName("Fastly-Client-IP"), kind: .single, clientCopy: .kept),
    sharedCache: .supported(.surrogateControl, .byVary))

  static let akamai = CDNPreset(
    name: "akamai",
    country: edgescape("country_code"),
    subdivision: edgescape("region_code"),
    city: edgescape("city"),
    cityEncoding: .ascii,
    noDataMarkers: ["reserved"],
    clientAddress: ClientAddressField(FieldName("True-Client-IP"), kind: .single, clientCopy: .replaced))

  /// The operator names the headers. The first is written `{client_region},{client_city}`, the second
  /// `{client_region_subdivision}`. The address before the load balancer's own is the client's.
  static let googleCloud = CDNPreset(
    name: "google-cloud",
    country: LocationField(FieldName("X-Client-Geo-Location"), form: .commaElement(0)),
    subdivision: LocationField(FieldName("X-Client-Geo-Subdivision")),
    subdivisionForm: .prefixed,
    city: LocationField(FieldName("X-Client-Geo-Location"), form: .commaElement(1)),
    cityEncoding: .ascii,
    noDataMarkers: ["ZZ"],
    clientAddress: ClientAddressField(
      FieldName("X-Forwarded-For"), kind: .list, hops: 2, clientCopy: .appended, provenance: .notChecked))

  static let appEngine = CDNPreset(
    name: "app-engine",
    country: LocationField(FieldName("X-Appengine-Country"), clientCopy: .removed),
    subdivision: LocationField(FieldName("X-Appengine-Region"), clientCopy: .removed),
    city: LocationField(FieldName("X-Appengine-City"), clientCopy: .removed),
    noDataMarkers: ["ZZ", "?"],
    clientAddress: ClientAddressField(
      FieldName("X-Appengine-User-IP"), kind: .single, clientCopy: .removed, provenance: .notChecked))

  /// A rule has to put `{geo_country}` into a header; this name is the recommended one. Not
  /// `X-Azure-ClientIP` for the address: users can overwrite it.
  static let azureFrontDoor = CDNPreset(
    name: "azure-front-door",
    country: LocationField(FieldName("X-Geo-Country")),
    clientAddress: ClientAddressField(FieldName("X-Azure-SocketIP"), kind: .single, clientCopy: .replaced))

  static let vercel = CDNPreset(
    name: "vercel",
    country: LocationField(FieldName("x-vercel-ip-country"), clientCopy: .removed),
    subdivision: LocationField(FieldName("x-vercel-ip-country-region"), clientCopy: .removed),
    city: LocationField(FieldName("x-vercel-ip-city"), clientCopy: .removed),
    cityEncoding: .percent,
    clientAddress: ClientAddressField(FieldName("x-real-ip"), kind: .single, clientCopy: .removed))

  static let netlify = CDNPreset(
    name: "netlify",
    country: LocationField(FieldName("x-country"), clientCopy: .replaced, provenance: .publicCode),
    subdivision: netlifyGeo(.subdivision),
    city: netlifyGeo(.city),
    clientAddress: ClientAddressField(
      FieldName("x-nf-client-connection-ip"), kind: .single, clientCopy: .replaced, provenance: .publicCode),
    sharedCache: .supported(.netlifyCDNCacheControl, .byVary))

  static let bunny = CDNPreset(
    name: "bunny",
    country: LocationField(FieldName("CDN-RequestCountryCode"), clientCopy: .replaced),
    subdivision: LocationField(FieldName("CDN-RequestStateCode"), clientCopy: .replaced),
    clientAddress: ClientAddressField(FieldName("X-Real-IP"), kind: .single, clientCopy: .replaced))

  /// The country is written where "Cache Key Country" is on.
  static let keyCDN = CDNPreset(
    name: "keycdn",
    country: LocationField(FieldName("X-Country-Code"), clientCopy: .replaced),
    clientAddress: ClientAddressField(FieldName("X-Forwarded-For"), kind: .list, clientCopy: .appended))

  static let alibabaESA = CDNPreset(
    name: "alibaba-esa",
    country: LocationField(FieldName("ali-ip-country"), clientCopy: .replaced),
    city: LocationField(FieldName("ali-ip-city"), clientCopy: .replaced),
    clientAddress: ClientAddressField(FieldName("ali-real-client-ip"), kind: .single, clientCopy: .replaced))

  /// `Fly-Region` is the edge's place, not the client's. The address is that of the proxy's peer: of the CDN,
  /// where one stands in front.
  static let fly = CDNPreset(
    name: "fly",
    clientAddress: ClientAddressField(FieldName("Fly-Client-IP"), kind: .single, clientCopy: .replaced))

  static let none = CDNPreset(name: "none")

  private static func edgescape(_ key: StaticString) -> LocationField {
    LocationField(FieldName("X-Akamai-Edgescape"), form: .edgescape(key: key), clientCopy: .replaced)
  }

  private static func netlifyGeo(_ member: NetlifyGeo.Member) -> LocationField {
    LocationField(
      FieldName("x-nf-geo"), form: .netlifyGeo(member), clientCopy: .replaced, provenance: .publicCode)
  }
}
