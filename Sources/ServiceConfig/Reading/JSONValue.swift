#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of a configuration file, before the schema has looked at it.
///
/// Immutable; usable from any thread.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  /// Every number: those that the schema takes are far inside what a double holds exactly.
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// The value that JSON5 text stands for, read by Foundation's `JSONDecoder`.
  ///
  /// `JSON5Outline` must have accepted the text: the decoder says of bad text that it is bad, not where, and
  /// takes one of two equal keys without a word.
  ///
  /// - Throws: the decoder's `DecodingError`.
  static func decode(json5 bytes: [UInt8]) throws -> JSONValue {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try decoder.decode(JSONValue.self, from: Data(bytes))
  }
}

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: JSONValue] = [:]
      for key in object.allKeys { members[key.stringValue] = try object.decode(JSONValue.self, forKey: key) }
      self = .object(members)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
      self = .list(elements)
    } else {
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        self = .null
      } else if let boolean = try? single.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let number = try? single.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try single.decode(String.self))
      }
    }
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONValue {
  /// The value as JSON5 on one line. Control characters are escaped, so that no value can forge a line of
  /// print.
  package var json5Text: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .number(let number): Self.text(of: number)
    case .text(let text): Self.quoted(text)
    case .list(let elements): "[" + elements.map(\.json5Text).joined(separator: ", ") + "]"
    case .object(let members):
      "{ "
        + members.sorted { $0.key < $1.key }
        .map { "\($0.key): \($0.value.json5Text)" }.joined(separator: ", ") + " }"
    }
  }

  /// A whole number without its `.0`.
  static func text(of number: Double) -> String {
    if let whole = Int(exactly: number) { return String(whole) }
    return number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
  }

  /// A text between double quotes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// What was found, for a message: short, whatever was written.
  var brief: String {
    switch self {
    case .null: "null"
    case .boolean, .number: json5Text
    case .text(let text):
      text.count <= 60 ? Self.quoted(text) : Self.quoted(String(text.prefix(60))) + "…"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
