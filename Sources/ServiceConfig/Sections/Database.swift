import RegionModel

/// `database`: where a client's address is looked up.
package struct DatabaseConfig: Equatable, Sendable {
  /// The file; nil when none is configured. A relative path is relative to the working directory.
  package var path: String?
  /// Where a record holds what: keys and indices between dots, none of them empty.
  package var countryField: String
  package var subdivisionField: String
  package var cityField: String
  /// Whether `registered_country` stands in for a missing country.
  package var fallsBackToRegistered: Bool
  /// Whether there is no service without it.
  package var isRequired: Bool
  /// A database of more days is warned about; nil is never.
  package var maxAgeDays: Int?
  /// A database of more days answers `unknown`; nil is never.
  package var unknownAfterDays: Int?
  /// How long a changed file must lie still before it is read.
  package var settle: Duration

  init(reading reader: ConfigReader, sources: [DecisionSource]) {
    path = reader.text(.databasePath).map { reader.resolved($0, of: .databasePath) }
    countryField = Self.field(reader, .databaseFieldsCountry)
    subdivisionField = Self.field(reader, .databaseFieldsSubdivision)
    cityField = Self.field(reader, .databaseFieldsCity)
    fallsBackToRegistered = reader.boolean(.databaseFallbackToRegistered)
    isRequired = reader.optionalBoolean(.databaseRequired) ?? (sources == [.database])
    maxAgeDays = reader.positive(.databaseMaxAgeDays)
    unknownAfterDays = reader.positive(.databaseUnknownAfterDays)
    settle = reader.seconds(.databaseSettleSeconds)
    check(reader, sources)
  }

  private static func field(_ reader: ConfigReader, _ key: ConfigKey) -> String {
    let text = reader.text(key)!
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if !parts.allSatisfy({ !$0.isEmpty }) {
      reader.error(
        key, "\(JSONValue.text(text).brief) is no field path", hint: "write names and indices between dots")
    }
    return text
  }

  private func check(_ reader: ConfigReader, _ sources: [DecisionSource]) {
    if reader.text(.databasePath) == "" { reader.error(.databasePath, "the path is empty") }
    if sources.contains(.database) {
      if path == nil {
        reader.contradiction([.databasePath, .sources], "`sources` has `database`, and no path is set")
      }
    } else {
      if reader.optionalBoolean(.databaseRequired) == true {
        reader.contradiction([.databaseRequired, .sources], "`sources` has no `database` to require")
      }
      if reader.isSet(.databasePath), path != nil {
        reader.doubt([.databasePath, .sources], "it is never read: `sources` has no `database`")
      }
    }
    if let maxAgeDays, let unknownAfterDays, unknownAfterDays < maxAgeDays, reader.isSet(.databaseMaxAgeDays)
    {
      reader.doubt(
        [.databaseMaxAgeDays, .databaseUnknownAfterDays],
        "the warning after \(maxAgeDays) days comes later than `unknown` after \(unknownAfterDays)")
    }
  }
}

extension ConfigReader {
  /// A number of which 0 stands for none.
  fileprivate func positive(_ key: ConfigKey) -> Int? {
    let number = integer(key)
    return number > 0 ? number : nil
  }
}
