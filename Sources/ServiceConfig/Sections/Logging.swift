/// Which lines are written.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// How lines are written.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Text on a terminal, JSON elsewhere.
  case auto
  case json
  case text
}

/// `log`: what is told while the service runs.
package struct LoggingConfig: Equatable, Sendable {
  /// The lowest level that is written.
  package var level: LogLevel
  package var format: LogFormat
  /// Whether each request gets a line: it is asked for, and of a level that is written.
  package var isAccessLogged: Bool

  init(reading reader: ConfigReader) {
    level = reader.choice(.logLevel)
    format = reader.choice(.logFormat)
    let isWanted = reader.boolean(.logAccess)
    isAccessLogged = isWanted && level <= .info
    if isWanted, !isAccessLogged {
      reader.doubt(
        [.logAccess, .logLevel], "no request gets a line: theirs are `info`, and `log.level` begins above it")
    }
  }
}
