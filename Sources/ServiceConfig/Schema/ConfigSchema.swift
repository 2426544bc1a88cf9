/// What there is to know of one key.
struct ConfigRow: Sendable {
  /// Whether a running service takes a new value on.
  enum Change: String, Sendable {
    /// At the next reload.
    case reload
    /// Not before a restart: the reload warns, and the old value stays.
    case restart
  }

  var key: ConfigKey
  var kind: ConfigKind
  /// What holds when nobody sets the key; `null` when that is nothing, or depends on other keys.
  var defaultValue: JSONValue
  var change: Change
  /// One line for people, without the default and the bounds, which are added where it is shown.
  var help: String
  /// Somebody may put the secret itself there by mistake: what is written there is not repeated in messages.
  var mayHoldSecret = false
}

/// The table of keys, and what follows from it.
enum ConfigSchema {
  /// A row for each key, in the order of the documentation.
  static let rows: [ConfigRow] =
    listening + trusting + locating + deciding + answering + limiting + reporting

  /// The row of each key.
  static let row: [ConfigKey: ConfigRow] = Dictionary(
    uniqueKeysWithValues: rows.map { ($0.key, $0) })

  /// Objects that hold keys, by path: `clientAddress`, `database.fields`.
  static let sections: Set<String> = {
    var sections = Set<String>()
    for key in ConfigKey.allCases {
      var words = key.path.split(separator: ".").dropLast()
      while !words.isEmpty {
        sections.insert(words.joined(separator: "."))
        words = words.dropLast()
      }
    }
    return sections
  }()

  static let keyOfVariable = Dictionary(
    uniqueKeysWithValues: ConfigKey.allCases.map { ($0.environmentVariable, $0) })
  static let keyOfFlag = Dictionary(uniqueKeysWithValues: ConfigKey.allCases.map { ($0.flag, $0) })
}
