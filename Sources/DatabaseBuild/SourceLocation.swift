import RegionModel

/// A place as an input has it.
struct SourceLocation: Hashable {
  var country: CountryCode
  var subdivision: SubdivisionCode?
  var city: String?

  /// The record in the shape of MaxMind's country and city databases; what is not known is left out.
  var record: MMDBValue {
    var pairs: [MMDBValue.Pair] = []
    if let city { pairs.append(.init(key: "city", value: ["names": ["en": .string(city)]])) }
    pairs.append(.init(key: "country", value: ["iso_code": .string(country.letters)]))
    if let subdivision {
      pairs.append(.init(key: "subdivisions", value: [["iso_code": .string(subdivision.characters)]]))
    }
    return .map(pairs)
  }
}

/// What stands where a country should.
enum CountryField {
  /// An assigned code.
  case country(CountryCode)
  /// Nothing, or a code that is no country: `??`, `EU`, `A1` …
  case notACountry

  /// The longest code that is counted as one.
  static let codeBytesMax = 16

  /// Reads a field, and counts it in `report` when it is no country.
  ///
  /// - Throws: `InputProblem.badCountry` when it is no code at all: longer, or not visible ASCII.
  init(_ text: UnsafeRawBufferPointer, report: inout InputReport) throws(InputProblem) {
    if text.count == 2, let country = CountryCode(text[0], text[1]) {
      self = .country(country)
      return
    }
    guard text.count <= Self.codeBytesMax, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badCountry
    }
    report.leaveOut(String(decoding: text, as: UTF8.self))
    self = .notACountry
  }
}
