import Testing

@testable import DatabaseBuild

@Suite struct LineSplitterTests {
  /// Lines as text, `nil` for one that is too long, with their numbers, when the text comes in pieces of a size.
  private static func lines(_ text: [UInt8], pieceBytes: Int) -> [String] {
    var splitter = LineSplitter()
    var lines: [String] = []
    func consume(_ line: LineSplitter.Line, _ number: Int) {
      switch line {
      case .text(let bytes): lines.append("\(number) \(String(decoding: bytes, as: UTF8.self))")
      case .tooLong: lines.append("\(number) too long")
      }
    }
    for start in stride(from: 0, to: text.count, by: pieceBytes) {
      text[start..<min(start + pieceBytes, text.count)].withUnsafeBytes { splitter.feed($0, consume) }
    }
    splitter.finish(consume)
    #expect(splitter.number == lines.count)
    return lines
  }

  static let vectors: [(String, [String])] = [
    ("", []), ("\n", ["1 "]), ("\r\n", ["1 "]), ("a", ["1 a"]), ("a\n", ["1 a"]), ("a\nb", ["1 a", "2 b"]),
    ("a\r\nb\r\n", ["1 a", "2 b"]), ("a\n\n\nb\n", ["1 a", "2 ", "3 ", "4 b"]), ("a\r", ["1 a"]),
    ("a\rb\r\r\nc", ["1 a\rb\r", "2 c"]),
    ("\u{FEFF}a\n\u{FEFF}b\n", ["1 a", "2 \u{FEFF}b"]), ("\u{FEFF}", ["1 "]), ("\u{FEFF}\n", ["1 "]),
    (String(repeating: "x", count: 4096) + "\nb", ["1 " + String(repeating: "x", count: 4096), "2 b"]),
    (String(repeating: "x", count: 4096) + "\r\nb", ["1 " + String(repeating: "x", count: 4096), "2 b"]),
    ("\u{FEFF}" + String(repeating: "x", count: 4096) + "\r\n", ["1 " + String(repeating: "x", count: 4096)]),
    (String(repeating: "x", count: 4097) + "\nb", ["1 too long", "2 b"]),
    ("a\n" + String(repeating: "x", count: 4097), ["1 a", "2 too long"]),
    (String(repeating: "x", count: 9000) + "\n\nb\n", ["1 too long", "2 ", "3 b"]),
  ]

  @Test(arguments: vectors, [1, 2, 3, 7, 4096, 1 << 18])
  func splits(_ vector: (text: String, lines: [String]), _ pieceBytes: Int) {
    #expect(Self.lines(Array(vector.text.utf8), pieceBytes: pieceBytes) == vector.lines)
  }
}
