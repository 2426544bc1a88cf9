/// The tokens of JSON5, one at a time, with the line on which they stand.
struct JSON5Scanner {
  private let bytes: [UInt8]
  private var index = 0
  /// Where the current line begins in `bytes`.
  private var lineStart = 0
  /// The current line, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      lineStart = 3
    }
  }

  var isAtEnd: Bool { index == bytes.count }

  /// The next byte; nil at the end.
  var peek: UInt8? { isAtEnd ? nil : bytes[index] }

  /// Steps over the next byte.
  @discardableResult
  mutating func take() -> UInt8? {
    guard !isAtEnd else { return nil }
    let byte = bytes[index]
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = index
    }
    return byte
  }

  /// An error at the place where the scanner stands.
  func error(_ problem: String) -> JSON5Error {
    let before = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 }
    return JSON5Error(line: line, column: before + 1, problem: problem)
  }

  /// Steps over white space and comments.
  mutating func skipSpace() throws(JSON5Error) {
    while let byte = peek {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: take()
      case UInt8(ascii: "/"): try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(JSON5Error) {
    let start = error("the comment that begins here has no `*/`")
    take()
    switch peek {
    case UInt8(ascii: "/"):
      while let byte = peek, byte != 0x0A, byte != 0x0D { take() }
    case UInt8(ascii: "*"):
      take()
      var before: UInt8 = 0
      while let byte = take() {
        if before == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { return }
        before = byte
      }
      throw start
    default: throw error("expected `//` or `/*`")
    }
  }

  /// An object's key: a name, or a string.
  mutating func key() throws(JSON5Error) -> String {
    guard let first = peek else { throw error("the text ends inside an object: `}` is missing") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return Self.unescaped(try string())
    }
    let start = index
    while let byte = peek, isNameByte(byte), index > start || !isDigit(byte) { take() }
    // The decoder takes such escapes for letters of the name.
    guard peek != UInt8(ascii: "\\") else { throw error("a key with an escape is written between quotes") }
    guard index > start else { throw error("expected a key") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// What a string's content stands for; its escapes have been looked at.
  private static func unescaped(_ content: ArraySlice<UInt8>) -> String {
    var rest = content
    var text: [UInt8] = []
    func number(digitCount: Int) -> UInt32 {
      defer { rest = rest.dropFirst(digitCount) }
      return UInt32(String(decoding: rest.prefix(digitCount), as: UTF8.self), radix: 16)!
    }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "x"): text += String(Unicode.Scalar(number(digitCount: 2))!).utf8
      case UInt8(ascii: "u"):
        var value = number(digitCount: 4)
        if (0xD800...0xDBFF).contains(value) {
          rest = rest.dropFirst(2)
          value = 0x10000 + (value - 0xD800) << 10 + (number(digitCount: 4) - 0xDC00)
        }
        text += String(Unicode.Scalar(value)!).utf8
      default: text.append(kind)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A string, given as it is written between its quotes.
  mutating func string() throws(JSON5Error) -> ArraySlice<UInt8> {
    let opening = error("the string that begins here is not closed on its line")
    let quote = take()
    let start = index
    while let byte = peek, byte != quote {
      switch byte {
      case UInt8(ascii: "\\"): try escape()
      case 0x0A, 0x0D: throw opening
      case 0..<0x20: throw error("a control character in a string is written as an escape, such as \\t")
      default: take()
      }
    }
    guard !isAtEnd else { throw opening }
    let content = bytes[start..<index]
    take()
    return content
  }

  /// The escapes that the decoder reads as JSON5 has them: not `\v`, not `\0`, no line continued.
  private mutating func escape() throws(JSON5Error) {
    let start = error("there is no such escape in a string")
    take()
    switch take() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "x"): guard hexNumber(digitCount: 2) ?? 0 > 0 else { throw start }
    case UInt8(ascii: "u"):
      guard let unit = hexNumber(digitCount: 4), unit > 0, !(0xDC00...0xDFFF).contains(unit) else {
        throw start
      }
      guard (0xD800...0xDBFF).contains(unit) else { return }
      guard take() == UInt8(ascii: "\\"), take() == UInt8(ascii: "u"), let low = hexNumber(digitCount: 4),
        (0xDC00...0xDFFF).contains(low)
      else { throw start }
    default: throw start
    }
  }

  private mutating func hexNumber(digitCount: Int) -> Int? {
    let digits = bytes[index...].prefix(digitCount)
    guard digits.count == digitCount, digits.allSatisfy(isHexDigit) else { return nil }
    index += digitCount
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// A number, `true`, `false`, `null`, `NaN` or `Infinity`.
  mutating func word() throws(JSON5Error) {
    let start = error("")
    let first = index
    while let byte = peek, isNameByte(byte) || [0x2B, 0x2D, 0x2E].contains(byte) { take() }
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    let problem: String? =
      if text.isEmpty {
        "expected a value"
      } else if ["true", "false", "null"].contains(text) {
        nil
      } else {
        Self.problem(ofNumber: text)
      }
    if let problem { throw JSON5Error(line: start.line, column: start.column, problem: problem) }
  }

  /// What keeps a word from being a number of JSON5; nil when nothing does.
  private static func problem(ofNumber text: String) -> String? {
    var digits = text.utf8[...]
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      digits.removeFirst()
    }
    if digits.elementsEqual("NaN".utf8) || digits.elementsEqual("Infinity".utf8) { return nil }
    let found = JSONValue.text(text).brief
    guard let first = digits.first, isDigit(first) || first == UInt8(ascii: ".") else {
      return "\(found) is no value; text stands between quotes"
    }
    if first == 0x30, let second = digits.dropFirst().first, second & 0xDF == UInt8(ascii: "X") {
      let hex = digits.dropFirst(2)
      return (1...13).contains(hex.count) && hex.allSatisfy(isHexDigit) ? nil : "\(found) is not a number"
    }
    guard isDecimal(digits) else { return "\(found) is not a number" }
    return Double(text)?.isFinite == false ? "\(found) is too large" : nil
  }

  /// `DecimalLiteral` of JSON5 §6: digits on either side of the point, no leading zero, perhaps an exponent.
  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    func takeDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest.removeFirst(count)
      return count
    }
    let wholeCount = takeDigits()
    // The decoder refuses `0e1` too.
    if wholeCount > 0, text.first == 0x30, let next = text.dropFirst().first, next != UInt8(ascii: ".") {
      return false
    }
    var fractionCount = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fractionCount = takeDigits()
    }
    guard wholeCount + fractionCount > 0 else { return false }
    if let letter = rest.first, letter & 0xDF == UInt8(ascii: "E") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
}
/// A byte of a name. Beyond ASCII only the decoder knows which letters there are: such keys stand between
/// quotes.
private func isNameByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F || byte == 0x24
}
