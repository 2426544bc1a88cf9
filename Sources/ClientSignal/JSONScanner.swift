import HTTPWire

/// Walks over one JSON text (RFC 8259) in place: strict, bounded in depth, without allocating.
///
/// Knows only what finding a few strings takes. Every function returns false or nil at the first byte that is
/// not JSON; the scanner is of no use after that. The bytes must be valid UTF-8.
struct JSONScanner {
  /// How deep arrays and objects may be nested.
  static let depthMax = 8

  private let text: UnsafeMutableRawBufferPointer
  private var index = 0

  init(_ text: UnsafeMutableRawBufferPointer) { self.text = text }

  /// Whether nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    skipWhiteSpace()
    return index == text.count
  }

  /// The next byte that is no white space; nil at the end.
  mutating func peek() -> UInt8? {
    skipWhiteSpace()
    return index < text.count ? text[index] : nil
  }

  /// Goes over an object and calls `member` with each key, standing before the value, which it must go over.
  ///
  /// Keys written with escapes are refused: two spellings of one key would be two keys to a simpler reader.
  mutating func object(
    _ member: (inout JSONScanner, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { return false }
      let start = index + 1
      guard let key = string(), index == start + key.count + 1, take(UInt8(ascii: ":")), member(&self, key)
      else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  /// A string's characters, escapes replaced in place; valid as long as the text.
  mutating func string() -> UnsafeRawBufferPointer? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    var end = index
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return UnsafeRawBufferPointer(rebasing: text[start..<end])
      case UInt8(ascii: "\\"):
        guard let scalar = escaped() else { return nil }
        for unit in UTF8.encode(scalar)! {
          text[end] = unit
          end += 1
        }
      case 0..<0x20: return nil
      default:
        text[end] = byte
        end += 1
      }
    }
    return nil
  }

  /// Goes over `null`; false, standing before the value, when something else is there.
  mutating func null() -> Bool {
    skipWhiteSpace()
    return literal("null")
  }

  /// Goes over any value.
  mutating func skipValue(depth: Int = 0) -> Bool {
    switch peek() {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"):
      return depth < Self.depthMax && object { scanner, _ in scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      guard depth < Self.depthMax else { return false }
      index += 1
      if take(UInt8(ascii: "]")) { return true }
      repeat { guard skipValue(depth: depth + 1) else { return false } } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]"))
    default: return literal("true") || literal("false") || literal("null") || skipNumber()
    }
  }

  /// What stands behind a backslash, a surrogate pair as one scalar.
  private mutating func escaped() -> Unicode.Scalar? {
    guard index < text.count else { return nil }
    let byte = text[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = fourHexDigits() else { return nil }
      guard (0xD800...0xDBFF).contains(unit) else { return Unicode.Scalar(unit) }
      guard index + 1 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u")
      else { return nil }
      index += 2
      guard let low = fourHexDigits(), (0xDC00...0xDFFF).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    default: return nil
    }
  }

  private mutating func fourHexDigits() -> UInt32? {
    guard index + 4 <= text.count else { return nil }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = FieldSyntax.hexadecimalDigit(text[index]) else { return nil }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }

  private mutating func skipNumber() -> Bool {
    _ = takeNow(UInt8(ascii: "-"))
    guard takeNow(UInt8(ascii: "0")) || skipDigits() else { return false }
    if takeNow(UInt8(ascii: ".")) { guard skipDigits() else { return false } }
    if takeNow(UInt8(ascii: "e")) || takeNow(UInt8(ascii: "E")) {
      _ = takeNow(UInt8(ascii: "+")) || takeNow(UInt8(ascii: "-"))
      guard skipDigits() else { return false }
    }
    return true
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index += 1 }
    return index > start
  }

  private mutating func literal(_ word: StaticString) -> Bool {
    guard index + word.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount where text[index + offset] != word.utf8Start[offset] {
      return false
    }
    index += word.utf8CodeUnitCount
    return true
  }

  /// Goes over a byte behind any white space; false, standing before the byte, when it is another.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipWhiteSpace()
    return takeNow(byte)
  }

  private mutating func takeNow(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }
}
