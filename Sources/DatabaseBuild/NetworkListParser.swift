import RegionModel

/// Lines of networks with places (`InputFormat.csv`, `InputFormat.geofeed`).
struct NetworkListParser {
  /// What a line's first column names.
  enum Block: Equatable {
    case network(Network)
    case range(AddressRange)
  }

  private let format: InputFormat
  private var columns = NetworkColumns.standard
  private var isFirstLine = true
  private var fields = CSVFields()

  /// A parser for one file of format `csv` or `geofeed`.
  init(_ format: InputFormat) { self.format = format }

  /// Hands a line's network and place on to a collector.
  ///
  /// - Returns: whether the line speaks of a network; the line of column names does not.
  mutating func parse(
    _ line: UnsafeRawBufferPointer, at place: InputPlace, into collector: inout ClaimCollector
  ) throws(InputProblem) -> Bool {
    let mayBeHeader = isFirstLine && format == .csv
    isFirstLine = false
    let (columns, format) = (columns, format)
    let header = try fields.split(line) { (fields) throws(InputProblem) -> NetworkColumns? in
      if mayBeHeader, let header = try NetworkColumns.header(fields) { return header }
      try Self.parse(fields, columns, format, at: place, into: &collector)
      return nil
    }
    if let header { self.columns = header }
    return header == nil
  }

  private static func parse(
    _ fields: CSVFields.Lent, _ columns: NetworkColumns, _ format: InputFormat, at place: InputPlace,
    into collector: inout ClaimCollector
  ) throws(InputProblem) {
    guard let network = fields[columns.network], let country = fields[columns.country] else {
      throw .missingFields
    }
    let block = try block(network, allowsRanges: format == .csv)
    guard case .country(let country) = try CountryField(country, report: &collector.report) else {
      return collector.add(block, location: nil, at: place)
    }
    let subdivision = try subdivision(
      columns.subdivision.flatMap { fields[$0] }, of: country, mayBeBare: format == .csv)
    let city = try city(columns.city.flatMap { fields[$0] })
    collector.add(
      block, location: SourceLocation(country: country, subdivision: subdivision, city: city), at: place)
  }

  /// A network in CIDR notation, an address, or `first-last`.
  static func block(_ text: UnsafeRawBufferPointer, allowsRanges: Bool) throws(InputProblem) -> Block {
    guard allowsRanges, let dash = text.index(of: UInt8(ascii: "-")) else {
      return .network(try NetworkText.network(text))
    }
    guard let first = NetworkText.address(text.field(0..<dash)),
      let last = NetworkText.address(text.field(dash + 1..<text.count))
    else { throw .badRange }
    return .range(try NetworkText.range(first, last))
  }

  /// `US-CA`, or `CA` where that is allowed.
  private static func subdivision(
    _ text: UnsafeRawBufferPointer?, of country: CountryCode, mayBeBare: Bool
  ) throws(InputProblem) -> SubdivisionCode? {
    guard let text, !text.isEmpty else { return nil }
    var code = text[...]
    if let dash = text.index(of: UInt8(ascii: "-")) {
      guard dash == 2 else { throw .badSubdivision }
      guard CountryCode(text[0], text[1]) == country else { throw .foreignSubdivision }
      code = text[(dash + 1)...]
    } else if !mayBeBare {
      throw .badSubdivision
    }
    guard let subdivision = SubdivisionCode(code) else { throw .badSubdivision }
    return subdivision
  }

  /// A name that a policy could name: the same limits as there.
  private static func city(_ text: UnsafeRawBufferPointer?) throws(InputProblem) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard let name = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
    guard CityName(name) != nil else { throw .badCity }
    return name
  }
}
