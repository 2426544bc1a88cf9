/// Where each value of a JSON5 text stands, and what is wrong with the text if anything is.
///
/// `JSONDecoder` makes the values; this makes the messages: it knows lines and columns, which the decoder
/// does not tell, and sees a key that is there twice, of which the decoder silently takes one. It is strict
/// where JSON5 is loose and the decoder differs from it (escapes in keys without quotes, names and white space
/// beyond ASCII), so that nothing that it accepts is read in two ways.
struct JSON5Outline {
  /// The line, from 1, on which the value of each key path begins: `listeners[0].tcp`.
  private(set) var lines: [String: Int] = [:]
  /// Keys that stand in one object more than once, in the order of the text.
  private(set) var duplicates: [Duplicate] = []

  struct Duplicate: Equatable {
    var path: String
    var line: Int
    var firstLine: Int
  }

  /// Deeper nesting is refused: no key needs it, and recursion needs a limit.
  static let depthMax = 32

  /// Scans a text.
  ///
  /// - Throws: `JSON5Error` at the first place where the text stops being JSON5.
  init(scanning bytes: [UInt8]) throws(JSON5Error) {
    var scanner = JSON5Scanner(bytes)
    try scanner.skipSpace()
    try value(&scanner, path: "", depth: 0)
    try scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.error("expected nothing more behind the configuration's end") }
  }

  private mutating func value(_ scanner: inout JSON5Scanner, path: String, depth: Int) throws(JSON5Error) {
    lines[path] = scanner.line
    guard depth <= Self.depthMax else { throw scanner.error("nested more than \(Self.depthMax) deep") }
    switch scanner.peek {
    case UInt8(ascii: "{"): try object(&scanner, path: path, depth: depth)
    case UInt8(ascii: "["): try list(&scanner, path: path, depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try scanner.string()
    case nil: throw scanner.error("the text ends where a value should be")
    default: try scanner.word()
    }
  }

  private mutating func object(_ scanner: inout JSON5Scanner, path: String, depth: Int) throws(JSON5Error) {
    scanner.take()
    try scanner.skipSpace()
    var firstLines: [String: Int] = [:]
    while scanner.peek != UInt8(ascii: "}") {
      let line = scanner.line
      let key = try scanner.key()
      let memberPath = path.isEmpty ? key : "\(path).\(key)"
      if let firstLine = firstLines[key] {
        duplicates.append(Duplicate(path: memberPath, line: line, firstLine: firstLine))
      } else {
        firstLines[key] = line
      }
      try scanner.skipSpace()
      guard scanner.peek == UInt8(ascii: ":") else { throw scanner.error("expected `:` behind the key") }
      scanner.take()
      try scanner.skipSpace()
      try value(&scanner, path: memberPath, depth: depth + 1)
      // The key's line, even where the value begins below it.
      lines[memberPath] = line
      try separator(&scanner, close: UInt8(ascii: "}"))
    }
    scanner.take()
  }

  private mutating func list(_ scanner: inout JSON5Scanner, path: String, depth: Int) throws(JSON5Error) {
    scanner.take()
    try scanner.skipSpace()
    var index = 0
    while scanner.peek != UInt8(ascii: "]") {
      try value(&scanner, path: "\(path)[\(index)]", depth: depth + 1)
      index += 1
      try separator(&scanner, close: UInt8(ascii: "]"))
    }
    scanner.take()
  }

  private func separator(_ scanner: inout JSON5Scanner, close: UInt8) throws(JSON5Error) {
    try scanner.skipSpace()
    if scanner.peek == UInt8(ascii: ",") {
      scanner.take()
      try scanner.skipSpace()
    } else if scanner.peek != close {
      throw scanner.error("expected `,` or `\(Character(Unicode.Scalar(close)))`")
    }
  }
}

/// Where a text stops being JSON5, and why.
struct JSON5Error: Error, Equatable {
  /// From 1.
  var line: Int
  /// From 1, in characters (code points).
  var column: Int
  var problem: String
}
