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

  /// What becomes of a request with these lines for the tag `"a"`.
  private static func evaluate(_ name: String, _ lines: [String]) throws -> EntityTagList.Precondition {
    let head = RequestHead(fieldCountMax: 16)
    var parser = RequestParser()
    let fields = lines.map { "\(name): \($0)\r\nX: y\r\n" }.joined()
    let bytes = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".latin1
    return try GuardedBuffer(capacity: bytes.count).withBytes(bytes[...]) { bytes in
      try #require(parser.parse(bytes, limits: WireLimits(), into: head) == .complete(consumed: bytes.count))
      return "\"a\"".latin1.withUnsafeBytes { EntityTagList().evaluate(head, $0) }
    }
  }

  private func check(_ vector: Vector) throws {
    #expect(try Self.evaluate("if-match", vector.lines) == (vector.goesOn ? .met : .failed))
    #expect(try Self.evaluate("If-None-Match", vector.lines) == (vector.isNamed ? .notModified : .met))
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
    #expect(try Self.evaluate("If-Match", lines) == .failed)
    #expect(try Self.evaluate("if-none-match", lines) == .met)
  }

  /// If-Match comes first (RFC 9110 §13.2.2), in whatever order the lines stand.
  @Test(arguments: [
    ("\"a\"", "\"a\"", EntityTagList.Precondition.notModified), ("\"a\"", "\"b\"", .met),
    ("\"b\"", "\"a\"", .failed), ("\"b\"", "\"b\"", .failed), ("*", "*", .notModified),
  ]) func bothFields(_ ifMatch: String, _ ifNoneMatch: String, _ expected: EntityTagList.Precondition) throws
  {
    let (one, other) = ("X: y\r\nIf-Match: \(ifMatch)", "X: y\r\nIf-None-Match: \(ifNoneMatch)")
    #expect(try Self.evaluate("Accept", ["z\r\n\(one)\r\n\(other)"]) == expected)
    #expect(try Self.evaluate("Accept", ["z\r\n\(other)\r\n\(one)"]) == expected)
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
