import Testing

@testable import HTTPWire

@Suite struct LimitTests {
  private static let limits = WireLimits(
    requestLineBytesMax: 20, headerSectionBytesMax: 24, fieldCountMax: 3, bodyBytesMax: 9)

  private static func vector(_ section: String, _ text: String, _ expected: ExpectedHead) -> HeadVector {
    HeadVector(section, text, expected, limits: limits)
  }

  @Test(arguments: [
    vector(
      "RFC 9112 §3", "GET /567890 HTTP/1.1\r\nHost: a\r\n\r\n", .accepted(SeenHead(target: "/567890"))),
    vector(
      "RFC 9110 §15.5.15", "GET /5678901 HTTP/1.1\r▲\nHost: a\r\n\r\n", .refused(.requestLineTooLong, 414)),
    vector(
      "RFC 9110 §15.5.15", "GET /56789012 HTTP/1.1▲\r\nHost: a\r\n\r\n", .refused(.requestLineTooLong, 414)),
    vector("RFC 9110 §15.5.15", "GET /5678901234567890x▲", .refused(.requestLineTooLong, 414)),
    vector("RFC 9110 §15.5.15", "\r\nGET /5678901234567890x▲yz", .refused(.requestLineTooLong, 414)),
    vector("RFC 9112 §3.2", "GET /567890123456789\u{7F}▲0", .refused(.badTargetByte, 400)),
    vector("RFC 9110 §15.5.15", "METHODSLONGERTHANTHEL", .incomplete),
    vector("RFC 9110 §15.5.15", "METHODSLONGERTHANTHELI▲NE", .refused(.requestLineTooLong, 414)),
  ]) func requestLine(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    vector("RFC 6585 §5", "GET / HTTP/1.1\r\nHost: a\r\nX: 45678901\r\n\r\n", .accepted(SeenHead())),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nHost: a\r\nX: 456789012\r\n\r▲\n",
      .refused(.headerSectionTooLarge, 431)),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nHost: a\r\nX: 456789012345▲6\r\n\r\n",
      .refused(.headerSectionTooLarge, 431)),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nX:                      ▲  ", .refused(.headerSectionTooLarge, 431)),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nXxxxxxxxxxxxxxxxxxxxxxxx▲x:", .refused(.headerSectionTooLarge, 431)),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nHost: a\r\nA:\r\nB:\r\n\r\n", .accepted(SeenHead())),
    vector(
      "RFC 6585 §5", "GET / HTTP/1.1\r\nHost:\r\nA:\r\nB:\r\nC▲:\r\n\r\n", .refused(.tooManyFields, 431)),
  ]) func headerSection(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector(
      "RFC 9110 §15.5.14", "PUT / HTTP/1.0\r\nContent-Length: 9\r\n\r\n",
      .accepted(
        SeenHead(method: .put, version: .http10, hasHost: false, keepsAlive: false, framing: .length(9)))),
    HeadVector(
      "RFC 9110 §15.5.14", "PUT / HTTP/1.0\r\nContent-Length: 10\r\n\r\n", .refused(.bodyTooLarge, 413)),
  ]) func body(_ vector: HeadVector) {
    check(
      HeadVector(
        vector.section, vector.text, vector.expected, limits: WireLimits(bodyBytesMax: 9)))
  }

  /// The table is what there is room for, whatever the limits say.
  @Test func aTableTooSmallIsALimitToo() {
    let head = RequestHead(fieldCountMax: 1)
    var parser = RequestParser()
    "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n".latin1.withUnsafeBytes {
      #expect(parser.parse($0, limits: WireLimits(), into: head) == .rejected(.tooManyFields))
    }
  }

  /// A reload may tighten the limits in the middle of a head.
  @Test(arguments: [
    ("GET /567890123456789", Rejection.requestLineTooLong),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: 4567890123456", .headerSectionTooLarge),
    ("GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\nD:\r\n", .tooManyFields),
  ]) func tighterLimitsHoldAtOnce(_ text: String, _ rejection: Rejection) {
    let tight = WireLimits(requestLineBytesMax: 14, headerSectionBytesMax: 20, fieldCountMax: 3)
    let head = RequestHead(fieldCountMax: 100)
    var parser = RequestParser()
    text.latin1.withUnsafeBytes {
      #expect(parser.parse($0, limits: WireLimits(), into: head) == .needMore)
    }
    (text + "E").latin1.withUnsafeBytes {
      #expect(parser.parse($0, limits: tight, into: head) == .rejected(rejection))
    }
  }

  /// RFC 9112 §3: at least 8000 octets of request line.
  @Test func theDefaultsAreLargeEnough() {
    let target = "/" + String(repeating: "a", count: 8191 - "GET  HTTP/1.1".utf8.count)
    check(
      HeadVector(
        "RFC 9112 §3", "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", .accepted(SeenHead(target: target))))
    let value = String(repeating: "v", count: 32768 - "Host: a\r\nX: \r\n\r\n".utf8.count)
    check(HeadVector.fields("RFC 9112 §5", "X: \(value)", .accepted(SeenHead())))
    let lines = (1..<100).map { "X\($0): \($0)" }.joined(separator: "\r\n")
    check(HeadVector.fields("RFC 9112 §5", lines, .accepted(SeenHead())))
    check(HeadVector.fields("RFC 6585 §5", lines + "\r\nX▲: y", .refused(.tooManyFields, 431)))
  }
}
