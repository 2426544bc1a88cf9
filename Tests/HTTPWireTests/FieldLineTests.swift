import Testing

@testable import HTTPWire

@Suite struct FieldLineTests {
  private static let accepted = ExpectedHead.accepted(SeenHead())

  @Test(arguments: [
    HeadVector.fields("RFC 9112 §5", "X: y", accepted),
    HeadVector.fields("RFC 9112 §5", "X:y", accepted),
    HeadVector.fields("RFC 9112 §5", "X:", accepted),
    HeadVector.fields("RFC 9112 §5", "X: \t ", accepted),
    HeadVector.fields("RFC 9112 §5.1", "X:\t y \t", accepted),
    HeadVector.fields("RFC 9110 §5.5", "X: a\tb  c:d", accepted),
    HeadVector.fields("RFC 9110 §5.5", "X: caf\u{E9} \u{FF}\u{80}", accepted),
    HeadVector.fields("RFC 9110 §5.1", "!#$%&'*+-.^_`|~09azAZ: y", accepted),
    HeadVector.fields("RFC 9110 §5.1", "X\0▲: y", .refused(.badFieldNameByte, 400)),
    HeadVector.fields("RFC 9110 §5.1", "X(▲y): z", .refused(.badFieldNameByte, 400)),
    HeadVector.fields("RFC 9110 §5.1", "\u{E9}▲: y", .refused(.badFieldNameByte, 400)),
    HeadVector.fields("RFC 9110 §5.1", "\"▲X\": y", .refused(.badFieldNameByte, 400)),
    HeadVector.fields("RFC 9110 §5.1", ":▲ y", .refused(.emptyFieldName, 400)),
    HeadVector.fields("RFC 9112 §5", "X\r▲", .refused(.missingColon, 400)),
    HeadVector.fields("RFC 9112 §5", "X\n▲", .refused(.missingColon, 400)),
    HeadVector.fields("RFC 9112 §5.1", "X ▲: y", .refused(.spaceBeforeColon, 400)),
    HeadVector.fields("RFC 9112 §5.1", "X\t▲: y", .refused(.spaceBeforeColon, 400)),
    HeadVector.fields("RFC 9112 §5.1", "X ▲y: z", .refused(.spaceBeforeColon, 400)),
    HeadVector.fields("RFC 9112 §5.2", "X: y\r\n ▲z", .refused(.obsoleteFolding, 400)),
    HeadVector.fields("RFC 9112 §5.2", "X: y\r\n\t▲z", .refused(.obsoleteFolding, 400)),
    HeadVector.fields("RFC 9110 §5.5", "X: y\0▲", .refused(.badFieldValueByte, 400)),
    HeadVector.fields("RFC 9110 §5.5", "X: \u{7F}▲", .refused(.badFieldValueByte, 400)),
    HeadVector.fields("RFC 9110 §5.5", "X: \u{1B}▲[2J", .refused(.badFieldValueByte, 400)),
    HeadVector.fields("RFC 9110 §5.5", "X: y\u{0B}▲", .refused(.badFieldValueByte, 400)),
    HeadVector.fields("RFC 9112 §2.2", "X: y\n▲Z: z", .refused(.bareLF, 400)),
    HeadVector.fields("RFC 9112 §2.2", "X: y\rZ▲: z", .refused(.bareCR, 400)),
    HeadVector.fields("RFC 9112 §2.2", "X: y\r\r▲", .refused(.bareCR, 400)),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\r\nHost: a\r\n\n▲", .refused(.bareLF, 400)),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\r\nHost: a\r\n\rX▲", .refused(.bareCR, 400)),
    HeadVector(
      "RFC 9112 §2.2", "GET / HTTP/1.1\r\n ▲Host: a\r\n\r\n", .refused(.whitespaceBeforeFirstField, 400)),
    HeadVector(
      "RFC 9112 §2.2", "GET / HTTP/1.1\r\n\t▲\r\n\r\n", .refused(.whitespaceBeforeFirstField, 400)),
  ]) func lines(_ vector: HeadVector) { check(vector) }

  @Test func valuesComeWithoutWhitespaceAndInOrder() {
    let head = RequestHead(fieldCountMax: 8)
    var parser = RequestParser()
    let text = "GET / HTTP/1.1\r\nhost:a\r\nX-One: \t1 a \t\r\nx-two:\r\nX-ONE:2\r\n\r\n"
    text.latin1.withUnsafeBytes { bytes in
      #expect(
        parser.parse(bytes, limits: WireLimits(), into: head) == .complete(consumed: bytes.count))
      var values: [String] = []
      head.forEachValue(of: FieldName("x-One")) { values.append(String(decoding: $0, as: UTF8.self)) }
      #expect(values == ["1 a", "2"])
      #expect(head.fieldCount == 4)
      #expect(head.has(FieldName("HOST")) && !head.has(FieldName("X-On")) && !head.has(FieldName("X-Thr")))
      guard case .value(let host) = head.single(FieldName("Host")) else {
        Issue.record("no Host")
        return
      }
      #expect(host.elementsEqual("a".utf8))
      guard case .value(let empty) = head.single(FieldName("X-Two")) else {
        Issue.record("no X-Two")
        return
      }
      #expect(empty.isEmpty)
      guard case .repeated = head.single(FieldName("x-one")) else {
        Issue.record("X-One is there twice")
        return
      }
      guard case .absent = head.single(FieldName("x-none")) else {
        Issue.record("X-None is not there")
        return
      }
    }
  }
}
