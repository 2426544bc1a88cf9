/// What kind of value a key takes, with its bounds.
enum ConfigKind: Sendable {
  case boolean
  /// A whole number.
  case integer(ClosedRange<Int>)
  /// Seconds, with a fraction if need be.
  case seconds(ClosedRange<Double>)
  /// One of these words.
  case choice([String])
  /// Text that a section looks into; the words say what it expects, for messages: `a field name`.
  case text(String)
  /// A list of such texts. One text alone stands for a list of one.
  case list(String)
  /// A list of listeners, each an object or a text.
  case listeners
  /// One listener.
  case listener

  /// What the kind expects, for messages and the documentation.
  var expectation: String {
    switch self {
    case .boolean: "`true` or `false`"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let range):
      "seconds from \(JSONValue.text(of: range.lowerBound)) to \(JSONValue.text(of: range.upperBound))"
    case .choice(let words): "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
    case .text(let what): what
    case .list(let what): "a list of \(what)"
    case .listeners: "a list of listeners"
    case .listener: "a listener"
    }
  }

  /// Whether it is a list, of which `none` is the empty one.
  var isList: Bool {
    switch self {
    case .list, .listeners: true
    default: false
    }
  }

  /// Whether a value is of the kind and within its bounds. What texts say is left to the sections.
  func accepts(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.boolean, .boolean), (.text, .text), (.list, .text): true
    case (.listener, .text), (.listener, .object): true
    case (.listeners, .text), (.listeners, .object): true
    case (.listener, .number(let port)), (.listeners, .number(let port)): Int(exactly: port) != nil
    case (.integer(let range), .number(let number)): Int(exactly: number).map(range.contains) ?? false
    case (.seconds(let range), .number(let number)): range.contains(number)
    case (.choice(let words), .text(let word)): words.contains(word)
    case (.list, .list(let elements)):
      elements.allSatisfy { if case .text = $0 { true } else { false } }
    case (.listeners, .list(let elements)):
      elements.allSatisfy { ConfigKind.listener.accepts($0) }
    default: false
    }
  }

  /// The value that an environment variable's or a flag's text stands for; nil when it can stand for none.
  /// Lists are separated by commas; `none` is the empty list.
  func value(ofText text: String) -> JSONValue? {
    switch self {
    case .boolean:
      switch text {
      case "true", "1": .boolean(true)
      case "false", "0": .boolean(false)
      default: nil
      }
    case .integer, .seconds:
      text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
        ? Double(text).map { .number($0) } : nil
    case .choice, .text, .listener: .text(text)
    case .list, .listeners:
      text == "none" ? .list([]) : .list(text.split(separator: ",").map { .text(String($0).trimmed) })
    }
  }
}

extension StringProtocol {
  /// Without the spaces and tabs around it.
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
