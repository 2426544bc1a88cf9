import ServiceConfig

/// A value in a line. Requests have no way in: what they hold never becomes a `String`, and closed sets are words.
package enum LogValue: Sendable {
  case integer(Int)
  /// A name that stands in the source.
  case word(StaticString)
  /// The operator's own: a path, a configuration value, the system's message for an errno.
  case operatorText(String)
}

/// One thing worth a line: a name that stands in the source, and named values.
package struct LogEvent: Sendable {
  package let level: LogLevel
  package let name: StaticString
  package let values: [(key: StaticString, value: LogValue)]

  package init(_ level: LogLevel, _ name: StaticString, _ values: [(key: StaticString, value: LogValue)] = [])
  {
    self.level = level
    self.name = name
    self.values = values
  }
}
