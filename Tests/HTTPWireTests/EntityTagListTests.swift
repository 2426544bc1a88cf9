import TestFixtures
import Testing

@testable import HTTPWire

@Suite struct EntityTagListTests {
  /// The field's lines, and what the two fields make of them for the tag `"a"`.
  struct Vector: CustomTestStringConvertible {
    let lines: [String]
    /// If-Match lets the request go on.
    let goesOn: Bool
    /// If-None-Match names the representation.
    let isNamed: Bool

    init(_ lines: String..., goesOn: Bool, isNamed: Bool) {
      self.lines = lines
      self.goesOn = goesOn
      self.isNamed = isNamed
    }

    var testDescription: String { lines.debugDescription }
  }

  private static func evaluate(
    _ name: String, _ lines: [String], _ tag: String,
    _ body: (RequestHead, UnsafeRawBufferPointer) -> Bool
  ) throws -> Bool {
    let head = RequestHead(fieldCountMax: 16)
    var parser = RequestParser()
    let fields = lines.map { "\(name): \($0)\r\nX: y\r\n" }.joined()
    let bytes = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".latin1
    return try GuardedBuffer(capacity: bytes.count).withBytes(bytes[...]) { bytes in
      try #require(parser.parse(bytes, limits: WireLimits(), into: head) == .complete(consumed: bytes.count))
      return tag.latin1.withUnsafeBytes { body(head, $0) }
    }
  }

  private func check(_ vector: Vector) throws {
    let goesOn = try Self.evaluate("if-match", vector.lines, "\"a\"") { EntityTagList().ifMatch($0, $1) }
    #expect(goesOn == vector.goesOn)
    let isNamed = try Self.evaluate("If-None-Match", vector.lines, "\"a\"") {
      EntityTagList().ifNoneMatch($0, $1)
    }
    #expect(isNamed == vector.isNamed)
  }

  @Test(arguments: [
    Vector(goesOn: true, isNamed: false),
    Vector("\"a\"", goesOn: true, isNamed: true),
    Vector("\"b\"", goesOn: false, isNamed: false),
    Vector("\"A\"", goesOn: false, isNamed: false),
    Vector("\"\"", goesOn: false, isNamed: false),
    Vector("\"a \"", goesOn: false, isNamed: false),
    Vector("\"aa\"", goesOn: false, isNamed: false),
    Vector("W/\"a\"", goesOn: false, isNamed: true),
    Vector("W/\"b\"", goesOn: false, isNamed: false),
    Vector("\"b\", \"a\"", goesOn: true, isNamed: true),
    Vector("\"a\",\"b\"", goesOn: true, isNamed: true),
    Vector("\"b\"\t,\tW/\"a\" ,\"c\"", goesOn: false, isNamed: true),
    Vector("W/\"a\", \"a\"", goesOn: true, isNamed: true),
    Vector("\"b,\", \"a\"", goesOn: true, isNamed: true),
    Vector("\"b,\"a\"", goesOn: false, isNamed: false),
    Vector("\"x\u{E9}!#~\u{FF}\", \"a\"", goesOn: true, isNamed: true),
    Vector("\"b\\\", \"a\"", goesOn: true, isNamed: true),
    Vector("", goesOn: false, isNamed: false),
    Vector(",", goesOn: false, isNamed: false),
    Vector(",, \"a\",,", goesOn: true, isNamed: true),
    Vector("\"b\"", "\"a\"", goesOn: true, isNamed: true),
    Vector("", "\"a\"", goesOn: true, isNamed: true),
    Vector("\"b\"", "\"c\"", goesOn: false, isNamed: false),
    Vector("*", goesOn: true, isNamed: true),
    Vector(" *\t", goesOn: true, isNamed: true),
  ]) func wellFormed(_ vector: Vector) throws { try check(vector) }

  /// A malformed If-Match is not fulfilled, a malformed If-None-Match names nothing, whatever else is in
  /// them.
  @Test(
    arguments: [
      ["a"], ["\"a"], ["a\""], ["\""], ["\"a\" \"a\""], ["\"a\"\"a\""], ["\"a\";"], ["\"a\", b"],
      ["b, \"a\""],
      ["w/\"a\""], ["W\"a\""], ["W/a"], ["W/"], ["W"], ["W/ \"a\""], ["W /\"a\""], ["W/W/\"a\""], ["/\"a\""],
      ["'a'"], ["*, \"a\""], ["\"a\", *"], ["*,"], ["**"], ["* *"], ["*", "*"], ["*", "\"a\""],
      ["\"a\"", "*"],
      ["\"a\"", "b"], ["b", "\"a\""], ["*", ""], ["\"a b\", \"a\""], ["\"a\tb\", \"a\""],
    ]) func malformed(_ lines: [String]) throws
  {
    let goesOn = try Self.evaluate("If-Match", lines, "\"a\"") { EntityTagList().ifMatch($0, $1) }
    #expect(!goesOn)
    let isNamed = try Self.evaluate("if-none-match", lines, "\"a\"") { EntityTagList().ifNoneMatch($0, $1) }
    #expect(!isNamed)
  }

  /// `etagc` for all bytes that can stand in a value.
  @Test func tagCharacters() throws {
    for byte in [UInt8(0x09)] + [UInt8](0x20...0x7E) + [UInt8](0x80...0xFF) where byte != 0x22 {
      let isCharacter = byte > 0x20
      // Behind a tag with any other byte in it, the one that is looked for is not believed.
      let list = "\"\(Character(UnicodeScalar(byte)))\", \"a\""
      try check(Vector(list, goesOn: isCharacter, isNamed: isCharacter))
    }
  }
}
