/// How lines look.
package enum LineFormat: Sendable {
  /// One JSON object a line, for collectors.
  case json
  /// For people at a terminal.
  case text

  /// A whole line, newline and all.
  func line(_ event: LogEvent, unixSeconds: Int64) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(160)
    switch self {
    case .json:
      line += "{\"time\":\"".utf8
      line += Timestamp.text(unixSeconds).utf8
      line += "\",\"level\":\"\(event.level.rawValue)\",\"event\":\"\(event.name)\"".utf8
      for (key, value) in event.values {
        line += ",\"\(key)\":".utf8
        appendJSON(value, to: &line)
      }
      line += "}\n".utf8
    case .text:
      line += "\(Timestamp.text(unixSeconds)) \(event.level.rawValue) \(event.name)".utf8
      for (key, value) in event.values {
        line += " \(key)=".utf8
        appendText(value, to: &line)
      }
      line.append(0x0A)
    }
    return line
  }

  private func appendJSON(_ value: LogValue, to line: inout [UInt8]) {
    switch value {
    case .integer(let number): line += String(number).utf8
    case .word(let word): line += "\"\(word)\"".utf8
    case .operatorText(let text): Self.appendQuoted(text, to: &line)
    }
  }

  private func appendText(_ value: LogValue, to line: inout [UInt8]) {
    switch value {
    case .integer(let number): line += String(number).utf8
    case .word(let word): line += "\(word)".utf8
    case .operatorText(let text): Self.appendQuoted(text, to: &line)
    }
  }

  /// A JSON string (RFC 8259 §7).
  private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    line.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
      case 0..<0x20, 0x7F: line += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\""))
  }
}
