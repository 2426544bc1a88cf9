/// How an input file is written.
package enum InputFormat: String, CaseIterable, Sendable {
  /// Ranges as in Tor's `geoip` and `geoip6`: `first,last,country`, both ends included; IPv4 as decimal numbers
  /// or dotted, IPv6 in hexadecimal groups, IPv4-mapped addresses for IPv4. `#` comments. Of overlapping ranges
  /// the line that comes first holds.
  case torGeoIP = "tor-geoip"
  /// `network,country[,subdivision[,city]]`, the network in CIDR notation, as `first-last` or as one address; an
  /// optional first line names the columns, in any order. The longest prefix holds, of equal ones the first line.
  case csv
  /// A geofeed (RFC 8805): `prefix,country,region,city,postal code`. `#` comments. The longest prefix holds, of
  /// equal ones the first line.
  case geofeed

  /// The format in which a line makes sense; nil when there is none. Comments and blank lines are not for this.
  static func recognise(_ line: UnsafeRawBufferPointer) -> InputFormat? {
    let hash = line.index(of: UInt8(ascii: "#"))
    var fields = CSVFields()
    let found = try? fields.split(line.field(0..<(hash ?? line.count))) { (fields) throws(InputProblem) in
      recognise(fields, hasComment: hash != nil)
    }
    return found ?? nil
  }

  private static func recognise(_ fields: CSVFields.Lent, hasComment: Bool) -> InputFormat? {
    do {
      if try NetworkColumns.header(fields) != nil { return .csv }
    } catch { return .csv }
    guard let first = fields[0], let second = fields[1] else { return nil }
    if fields.count >= 3, RangeParser.bound(first) != nil, RangeParser.bound(second) != nil {
      return .torGeoIP
    }
    guard let block = try? NetworkListParser.block(first, allowsRanges: true) else { return nil }
    if case .range = block { return .csv }
    // What only geofeeds have: a fifth column, regions with their country, comments behind the fields.
    let hasRegion = fields[2]?.index(of: UInt8(ascii: "-")) != nil
    return fields.count >= 5 || hasRegion || hasComment ? .geofeed : .csv
  }
}
