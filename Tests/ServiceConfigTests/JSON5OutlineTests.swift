import Testing

@testable import ServiceConfig

@Suite struct JSON5OutlineTests {
  @Test(arguments: [
    (
      "{a: 1, b: {c: [1, {d: 2}]}}",
      ["": 1, "a": 1, "b": 1, "b.c": 1, "b.c[0]": 1, "b.c[1]": 1, "b.c[1].d": 1]
    ),
    ("{\n  a:\n    1,\n  'b': \"x\",\n}", ["": 1, "a": 2, "b": 4]),
    ("// one\n/* two\n three */ { a: [\n1,\n2 ] }\n", ["": 3, "a": 3, "a[0]": 4, "a[1]": 5]),
    ("\u{FEFF}{a:1}", ["": 1, "a": 1]),
    ("{a: '\\'\\\\\\/\\b\\f\\n\\r\\t\\x41\\u00e9\\uD83D\\ude00\"', b: 1}", ["": 1, "a": 1, "b": 1]),
    (
      "{$_a1: .5, 'é': 5., c: -0x1F, d: +1e3, e: NaN, f: -Infinity, g: null, h: true}",
      ["": 1, "$_a1": 1, "é": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1]
    ),
    ("{'\\u0061\\x62\\n\\\\': 1, '\\ud83d\\ude00': 1}", ["": 1, "ab\n\\": 1, "\u{1F600}": 1]),
    ("{}//", ["": 1]),
  ]) func linesAreTold(text: String, lines: [String: Int]) throws {
    let outline = try JSON5Outline(scanning: Array(text.utf8))
    #expect(outline.lines == lines)
    #expect(outline.duplicates.isEmpty)
    // What the outline accepts, the decoder reads.
    _ = try JSONValue.decode(json5: Array(text.utf8))
  }

  /// Outline and decoder read one key alike, however it is written.
  @Test(arguments: [
    "sources", "'sources'", "'\\u0073ources'", "'sourc\\u0065s'",
    "\"\\x73our\\u0063\\u0065s\"",
  ]) func escapesInKeysAreRead(key: String) throws {
    let text = "{ \(key): ['cdn'], cdn: { preset: 'cloudfront' }, policy: { regional: ['KR'] } }"
    #expect(Loading().load(text).config?.signals.sources == [.cdn])
    let outline = try JSON5Outline(scanning: Array("{ \(key): 1, sources: 2 }".utf8))
    #expect(outline.duplicates == [.init(path: "sources", line: 1, firstLine: 1)])
  }

  @Test func equalKeysAreSeen() throws {
    let text = "{a: {c: 1},\n'a': {b: 1, \"b\": 2, c: 2},\na: 3}"
    let outline = try JSON5Outline(scanning: Array(text.utf8))
    #expect(
      outline.duplicates == [
        .init(path: "a", line: 2, firstLine: 1),
        .init(path: "a.b", line: 2, firstLine: 2),
        .init(path: "a", line: 3, firstLine: 1),
      ])
  }

  @Test(arguments: [
    ("", 1, 1, "the text ends where a value should be"),
    ("// only\n", 2, 1, "the text ends where a value should be"),
    ("{a: 1\n b: 2}", 2, 2, "expected `,` or `}`"),
    ("[1 2]", 1, 4, "expected `,` or `]`"),
    ("{a: 1,\n b: }", 2, 5, "expected a value"),
    ("{a 1}", 1, 4, "expected `:` behind the key"),
    ("{a-b: 1}", 1, 3, "expected `:` behind the key"),
    ("{1: 1}", 1, 2, "expected a key"),
    ("{é: 1}", 1, 2, "expected a key"),
    ("{a: 1,, b: 2}", 1, 7, "expected a key"),
    ("{a: 1", 1, 6, "expected `,` or `}`"),
    ("{a: 1,", 1, 7, "the text ends inside an object: `}` is missing"),
    ("{a: 'x\n'}", 1, 5, "the string that begins here is not closed on its line"),
    ("{a: \"x", 1, 5, "the string that begins here is not closed on its line"),
    ("{a: 'é\t'}", 1, 7, "a control character in a string is written as an escape, such as \\t"),
    ("{a: '\\u12'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\v'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\0'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\x00'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\u0000'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\ud83d'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\ud83d\\u0041'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\ude00'}", 1, 6, "there is no such escape in a string"),
    ("{a: '\\\n'}", 1, 6, "there is no such escape in a string"),
    ("{a: 0e1}", 1, 5, "\"0e1\" is not a number"),
    ("{'\\u00': 1}", 1, 3, "there is no such escape in a string"),
    ("{a\\u0062: 1}", 1, 3, "a key with an escape is written between quotes"),
    ("{\\u0061: 1}", 1, 2, "a key with an escape is written between quotes"),
    ("{\n/* a: 1}", 2, 1, "the comment that begins here has no `*/`"),
    ("{a: / 1}", 1, 6, "expected `//` or `/*`"),
    ("{a: KR}", 1, 5, "\"KR\" is no value; text stands between quotes"),
    ("{a: 0660}", 1, 5, "\"0660\" is not a number"),
    ("{a: 1.2.3}", 1, 5, "\"1.2.3\" is not a number"),
    ("{a: 0x}", 1, 5, "\"0x\" is not a number"),
    ("{a: .}", 1, 5, "\".\" is not a number"),
    ("{a: 1e}", 1, 5, "\"1e\" is not a number"),
    ("{a: 1e999}", 1, 5, "\"1e999\" is too large"),
    ("{a: 1} b", 1, 8, "expected nothing more behind the configuration's end"),
  ]) func theFirstFaultIsPlaced(text: String, line: Int, column: Int, problem: String) {
    #expect(throws: JSON5Error(line: line, column: column, problem: problem)) {
      try JSON5Outline(scanning: Array(text.utf8))
    }
  }

  @Test func nestingHasALimit() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSON5Outline(scanning: nested(JSON5Outline.depthMax + 1))
    #expect(throws: JSON5Error(line: 1, column: 34, problem: "nested more than 32 deep")) {
      try JSON5Outline(scanning: nested(JSON5Outline.depthMax + 2))
    }
    #expect(throws: JSON5Error.self) { try JSON5Outline(scanning: nested(100_000)) }
  }
}
