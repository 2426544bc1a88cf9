/// Which column of a CSV file holds what, counted from 0.
struct NetworkColumns: Equatable {
  var network: Int
  var country: Int
  var subdivision: Int?
  var city: Int?

  /// The order in files without column names, and in geofeeds.
  static let standard = NetworkColumns(network: 0, country: 1, subdivision: 2, city: 3)

  /// The columns as a line of names has them; nil when no field is a known name. Other names are passed over.
  ///
  /// - Throws: `InputProblem.badHeader` when network or country is missing.
  static func header(_ fields: CSVFields.Lent) throws(InputProblem) -> NetworkColumns? {
    let names = (0..<fields.count).map { String(decoding: fields[$0]!, as: UTF8.self).lowercased() }
    func column(_ known: [String]) -> Int? { names.firstIndex { known.contains($0) } }
    let network = column(["network", "prefix", "ip_prefix", "cidr", "range", "ip_range"])
    let country = column(["country", "country_code", "country_iso_code", "alpha2code"])
    let subdivision = column(["subdivision", "subdivision_code", "region", "region_code"])
    let city = column(["city", "city_name"])
    guard network != nil || country != nil || subdivision != nil || city != nil else { return nil }
    guard let network, let country else { throw .badHeader }
    return NetworkColumns(network: network, country: country, subdivision: subdivision, city: city)
  }
}
