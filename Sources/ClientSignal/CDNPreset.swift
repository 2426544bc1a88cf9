import HTTPWire

/// What is known of one CDN: the headers it writes about a client. A row of data, nothing else.
///
/// A configuration's custom CDN is a value of the same shape.
package struct CDNPreset: Sendable {
  /// The name in the configuration.
  package var name: String
  /// Where the country is; nil when the CDN writes none.
  package var country: LocationField?
  /// Where the subdivision is.
  package var subdivision: LocationField?
  /// How subdivisions are written.
  package var subdivisionForm: LocationGate.SubdivisionForm
  /// Where the city is.
  package var city: LocationField?
  /// How the city is written.
  package var cityEncoding: LocationGate.TextEncoding
  /// What it writes when it knows nothing, besides an empty or missing field.
  package var noDataMarkers: [String]
  /// What it writes where a country belongs though it is none.
  package var notACountryMarkers: [String]
  /// Where the client's address is, unless the configuration names another field.
  package var clientAddress: ClientAddressField?
  /// Whether its shared cache may keep answers.
  package var sharedCache: SharedCache

  /// A row from its parts.
  package init(
    name: String, country: LocationField? = nil, subdivision: LocationField? = nil,
    subdivisionForm: LocationGate.SubdivisionForm = .bare, city: LocationField? = nil,
    cityEncoding: LocationGate.TextEncoding = .utf8, noDataMarkers: [String] = [],
    notACountryMarkers: [String] = [], clientAddress: ClientAddressField? = nil,
    sharedCache: SharedCache = .unknownField
  ) {
    self.name = name
    self.country = country
    self.subdivision = subdivision
    self.subdivisionForm = subdivisionForm
    self.city = city
    self.cityEncoding = cityEncoding
    self.noDataMarkers = noDataMarkers
    self.notACountryMarkers = notACountryMarkers
    self.clientAddress = clientAddress
    self.sharedCache = sharedCache
  }

  /// The row of a name; nil when there is none.
  package static func named(_ name: String) -> CDNPreset? { all.first { $0.name == name } }
}
