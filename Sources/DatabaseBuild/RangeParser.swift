/// Lines of `first,last,country` (`InputFormat.torGeoIP`).
enum RangeParser {
  /// Hands a line's range and country on to a collector.
  static func parse(
    _ line: UnsafeRawBufferPointer, at place: InputPlace, into collector: inout ClaimCollector
  ) throws(InputProblem) {
    let comma = UInt8(ascii: ",")
    guard let firstEnd = line.index(of: comma),
      let lastEnd = line.index(of: comma, from: firstEnd + 1)
    else { throw .missingFields }
    // Columns behind the country are ignored.
    let countryEnd = line.index(of: comma, from: lastEnd + 1) ?? line.count
    guard let first = bound(line.field(0..<firstEnd)), let last = bound(line.field(firstEnd + 1..<lastEnd))
    else { throw .badRange }
    let range = try NetworkText.range(first, last)
    let country = line.field(lastEnd + 1..<countryEnd)
    try collector.add(range, country: country, at: place)
  }

  /// A decimal number for IPv4, a dotted IPv4 address, or an IPv6 address; nil for all else.
  static func bound(_ text: UnsafeRawBufferPointer) -> NetworkText.Address? {
    guard let number = NetworkText.decimal(text) else { return NetworkText.address(text) }
    guard number <= UInt64(UInt32.max) else { return nil }
    return NetworkText.Address(family: .ipv4, bits: UInt128(number))
  }
}
