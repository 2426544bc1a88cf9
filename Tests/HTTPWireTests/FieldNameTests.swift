import Testing

@testable import HTTPWire

@Suite struct FieldNameTests {
  @Test func namesAreComparedWithoutCase() {
    #expect(FieldName("X-Forwarded-For") == FieldName("x-forwarded-for"))
    #expect(FieldName("X-Forwarded-For") != FieldName("X_Forwarded_For"))
    #expect(Set([FieldName("Vary"), FieldName("VARY"), FieldName("Via")]).count == 2)
  }

  @Test(arguments: ["", " ", "X Y", "X:", "X\r\n", "X\0", "caf\u{E9}", "\"X\"", "(X)", "X/Y"])
  func whatIsNoTokenIsNoName(_ text: String) {
    #expect(FieldName(text) == nil)
  }

  /// The hash is asked of names of every length as they come, whatever their case.
  @Test func equalNamesShareTheirHash() {
    for length in 1...40 {
      let name = String("Cloudfront-Viewer-Country-Region-Name-Zz".prefix(length))
      let hashes = [name, name.lowercased(), name.uppercased()].map { text in
        text.latin1.withUnsafeBytes { FieldName.hash($0) }
      }
      #expect(Set(hashes).count == 1)
      #expect(hashes[0] == FieldName(name)?.hash)
    }
  }

  /// Names that the hash does not tell apart are told apart all the same.
  @Test func aSharedHashIsNoMatch() {
    let head = RequestHead(fieldCountMax: 4)
    var parser = RequestParser()
    let (sent, asked) = ("X-Viewer-aaaaa-Country", "X-Viewer-bbbbb-Country")
    #expect(FieldName(sent)?.hash == FieldName(asked)?.hash, "they differ in the middle only")
    "GET / HTTP/1.1\r\nHost: a\r\n\(sent): DE\r\n\r\n".latin1.withUnsafeBytes { bytes in
      #expect(parser.parse(bytes, limits: WireLimits(), into: head) == .complete(consumed: bytes.count))
      #expect(head.has(FieldName("X-VIEWER-AAAAA-COUNTRY")))
      #expect(!head.has(FieldName("X-Viewer-bbbbb-Country")))
    }
  }
}
