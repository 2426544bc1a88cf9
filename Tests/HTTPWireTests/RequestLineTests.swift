import Testing

@testable import HTTPWire

@Suite struct RequestLineTests {
  static let host = "\r\nHost: a\r\n\r\n"

  @Test(arguments: [
    HeadVector("RFC 9112 §3", "GET / HTTP/1.1\(host)", .accepted(SeenHead())),
    HeadVector("RFC 9112 §3", "GET /v1/region HTTP/1.1\(host)", .accepted(SeenHead(target: "/v1/region"))),
    HeadVector(
      "RFC 9112 §3.1", "HEAD / HTTP/1.1\(host)", .accepted(SeenHead(method: .head))),
    HeadVector("RFC 9112 §3.1", "OPTIONS / HTTP/1.1\(host)", .accepted(SeenHead(method: .options))),
    HeadVector("RFC 9112 §3.1", "POST / HTTP/1.1\(host)", .accepted(SeenHead(method: .post))),
    HeadVector("RFC 9112 §3.1", "PUT / HTTP/1.1\(host)", .accepted(SeenHead(method: .put))),
    HeadVector("RFC 9112 §3.1", "DELETE / HTTP/1.1\(host)", .accepted(SeenHead(method: .delete))),
    HeadVector("RFC 5789 §2", "PATCH / HTTP/1.1\(host)", .accepted(SeenHead(method: .patch))),
    HeadVector("RFC 9112 §3.1", "TRACE / HTTP/1.1\(host)", .accepted(SeenHead(method: .trace))),
    HeadVector("RFC 9110 §9.1", "get / HTTP/1.1\(host)", .accepted(SeenHead(method: .other))),
    HeadVector("RFC 9110 §9.1", "GETS / HTTP/1.1\(host)", .accepted(SeenHead(method: .other))),
    HeadVector("RFC 9110 §9.1", "PROPFIND / HTTP/1.1\(host)", .accepted(SeenHead(method: .other))),
    HeadVector("RFC 9110 §9.1", "UPDATEREDIRECTREF / HTTP/1.1\(host)", .accepted(SeenHead(method: .other))),
    HeadVector(
      "RFC 9112 §3", String(repeating: "M", count: 32) + " / HTTP/1.1\(host)",
      .accepted(SeenHead(method: .other))),
    HeadVector(
      "RFC 9112 §3", String(repeating: "M", count: 33) + "▲M / HTTP/1.1\(host)",
      .refused(.methodTooLong, 501)),
  ]) func methods(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector("RFC 9112 §3.1", " ▲GET / HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "\t▲GET / HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "GET\t▲/ HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "GET\u{0B}▲/ HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "GET\r▲\n\r\n", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "GE\0▲T / HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "G(▲T / HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "\u{16}▲\u{3}\u{1}\u{0}\u{A5}\u{1}\u{0}\u{0}", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "\u{80}▲\u{2E}\u{1}\u{3}\u{1}", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "\r\nPROXY:▲ TCP4\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.1", "\u{EF}▲\u{BB}\u{BF}GET / HTTP/1.1\(host)", .refused(.badMethodByte, 400)),
    HeadVector("RFC 9112 §3.2", "GET  ▲/ HTTP/1.1\(host)", .refused(.emptyTarget, 400)),
    HeadVector("RFC 9112 §3.2", "GET \r▲\n\r\n", .refused(.emptyTarget, 400)),
    HeadVector("RFC 9112 §3.2", "GET /\t▲HTTP/1.1\(host)", .refused(.badTargetByte, 400)),
    HeadVector("RFC 9112 §2.3", "GET /  ▲HTTP/1.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / \t▲HTTP/1.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/1.1 ▲\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET /a b▲ HTTP/1.1\(host)", .refused(.invalidVersion, 400)),
  ]) func separators(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector(
      "RFC 9112 §2.3", "GET / HTTP/1.0\r\n\r\n",
      .accepted(SeenHead(version: .http10, hasHost: false, keepsAlive: false))),
    HeadVector("RFC 9110 §6.2", "GET / HTTP/1.2\(host)", .accepted(SeenHead())),
    HeadVector("RFC 9110 §6.2", "GET / HTTP/1.9\(host)", .accepted(SeenHead())),
    HeadVector("RFC 9112 §2.3", "GET /\r▲\n\r\n", .refused(.missingVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / \r▲\n\r\n", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / h▲ttp/1.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTPS▲/1.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/1,▲1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/11▲.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector(
      "RFC 9112 §2.3", "GET / HTTP/1.11▲\(host)",
      .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/01▲.1\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/2\r▲\n\r\n", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9112 §2.3", "GET / HTTP/1.x▲\(host)", .refused(.invalidVersion, 400)),
    HeadVector("RFC 9110 §15.6.6", "GET / HTTP/0.9\r\n▲\r\n", .refused(.versionNotSupported, 505)),
    HeadVector("RFC 9110 §15.6.6", "GET / HTTP/2.0\r\n▲Host: a\r\n\r\n", .refused(.versionNotSupported, 505)),
    HeadVector("RFC 9110 §15.6.6", "PRI * HTTP/2.0\r\n▲\r\nSM\r\n\r\n", .refused(.versionNotSupported, 505)),
    HeadVector(
      "RFC 9110 §15.6.6", "GET bad HTTP/3.0\r\n▲Host: a\r\n\r\n", .refused(.versionNotSupported, 505)),
  ]) func versions(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector("RFC 9112 §2.2", "\r\nGET / HTTP/1.1\(host)", .accepted(SeenHead())),
    HeadVector("RFC 9112 §2.2", "\r\n\r▲\nGET / HTTP/1.1\(host)", .refused(.tooManyEmptyLines, 400)),
    HeadVector("RFC 9112 §2.2", "\rG▲ET / HTTP/1.1\(host)", .refused(.bareCR, 400)),
    HeadVector("RFC 9112 §2.2", "\n▲GET / HTTP/1.1\(host)", .refused(.bareLF, 400)),
    HeadVector("RFC 9112 §2.2", "GET\n▲/ HTTP/1.1\(host)", .refused(.bareLF, 400)),
    HeadVector("RFC 9112 §2.2", "GET /\n▲\n", .refused(.bareLF, 400)),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\n▲Host: a\n\n", .refused(.bareLF, 400)),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\r\r▲\nHost: a\r\n\r\n", .refused(.bareCR, 400)),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\rH▲ost: a\r\n\r\n", .refused(.bareCR, 400)),
    HeadVector("RFC 9112 §2.2", "", .incomplete),
    HeadVector("RFC 9112 §2.2", "\r", .incomplete),
    HeadVector("RFC 9112 §2.2", "\r\n", .incomplete),
    HeadVector("RFC 9112 §2.2", "GET / HTTP/1.1\r\nHost: a\r\n\r", .incomplete),
  ]) func lineEnds(_ vector: HeadVector) { check(vector) }
}
