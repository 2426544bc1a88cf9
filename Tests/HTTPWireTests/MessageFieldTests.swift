import Testing

@testable import HTTPWire

@Suite struct MessageFieldTests {
  private static func host(_ value: String, _ expected: ExpectedHead) -> HeadVector {
    let mark = if case .refused = expected { "▲" } else { "" }
    return HeadVector("RFC 9112 §3.2", "GET / HTTP/1.1\r\nHost:\(value)\r\n\(mark)\r\n", expected)
  }

  @Test(
    arguments: [
      "a", " example.com ", "example.com:8080", "example.com:", "a:0", "a:00065535", "127.0.0.1:80", "[::1]",
      "[::]", "[1:2:3:4:5:6:7:8]:443", "[::ffff:192.0.2.1]", "[2001:DB8::a]", "[1::8]", "[1:2:3:4:5:6:7::]",
      "[::2:3:4:5:6:7:8]", "[v1.a:b]", "[VF.~]", "a_b", "a!$&'()*+,;=b", "%41%c3%a9", "999.1.1.1", "-", ".",
      "", " \t",
    ].map { host($0, .accepted(SeenHead())) }) func validHosts(_ vector: HeadVector)
  { check(vector) }

  @Test(
    arguments: [
      ":80", "a:65536", "a:99999999999999999999", "a:8x", "a:80:90", "a b", "a/b", "a?b", "a#b", "u@a", "a@",
      "http://a", "[::1", "::1", "[]", "[:]", "[:::]", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
      "[1::2::3]", "[::12345]", "[::g]", "[1:2:3:4:5:6:7:8::]", "[1:]", "[:1]", "[::1]x", "[::1]80",
      "[::1%25eth0]", "[::192.0.2]", "[::192.0.2.256]", "[::192.0.2.01]", "[::192.0.2.1.1]", "[::192.0.2.]",
      "[1:2:3:4:5:6:7:192.0.2.1]", "[v.a]", "[v1.]", "[vg.a]", "[1v.a]", "a%4", "a%zz", "a\\b", "a\"b", "<a>",
      "a^b", "caf\u{E9}", "[a", "a]", "a[b]",
    ].map { host($0, .refused(.invalidHost, 400)) })
  func invalidHosts(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector("RFC 9112 §3.2", "GET / HTTP/1.1\r\n\r\n", .refused(.missingHost, 400)),
    HeadVector("RFC 9112 §3.2", "GET http://a/ HTTP/1.1\r\n\r\n", .refused(.missingHost, 400)),
    HeadVector("RFC 9112 §3.2", "GET / HTTP/1.1\r\nHosts: a\r\n\r\n", .refused(.missingHost, 400)),
    HeadVector.fields("RFC 9112 §3.2", "Host: a\r\n▲", .refused(.repeatedHost, 400)),
    HeadVector.fields("RFC 9112 §3.2", "hOST: b\r\n▲", .refused(.repeatedHost, 400)),
    HeadVector.fields("RFC 9112 §3.2", "Host:\r\n▲", .refused(.repeatedHost, 400), version: "1.0"),
    HeadVector(
      "RFC 9112 §3.2", "GET / HTTP/1.0\r\nHost: a b\r\n▲\r\n", .refused(.invalidHost, 400)),
    HeadVector(
      "RFC 9112 §3.2.2", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", .accepted(SeenHead())),
    HeadVector(
      "RFC 9112 §3.2", "GET http://b/ HTTP/1.1\r\nHost: a b\r\n▲\r\n", .refused(.invalidHost, 400)),
    HeadVector(
      "RFC 9112 §3.2", "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
      .accepted(SeenHead(version: .http10, keepsAlive: false))),
  ]) func hostPresence(_ vector: HeadVector) { check(vector) }

  private static func length(_ length: Int) -> ExpectedHead { .accepted(SeenHead(framing: .length(length))) }

  @Test(
    arguments: [
      HeadVector.fields("RFC 9112 §6.3", "Content-Length: 0", length(0)),
      HeadVector.fields("RFC 9112 §6.3", "content-length:5", length(5)),
      HeadVector.fields("RFC 9112 §6.3", "Content-Length: 00000000000000000000000005\t", length(5)),
      HeadVector.fields("RFC 9112 §6.3", "Content-Length: 65536", length(65536)),
      HeadVector.fields("RFC 9110 §15.5.14", "Content-Length: 65537", .refused(.bodyTooLarge, 413)),
      HeadVector.fields(
        "RFC 9110 §15.5.14", "Content-Length: 9223372036854775807", .refused(.bodyTooLarge, 413)),
      HeadVector.fields(
        "RFC 9110 §15.5.14", "Content-Length: 9223372036854775808", .refused(.bodyTooLarge, 413)),
      HeadVector.fields(
        "RFC 9110 §15.5.14", "Content-Length: 18446744073709551616", .refused(.bodyTooLarge, 413)),
      HeadVector.fields(
        "RFC 9110 §15.5.14", "Content-Length: 1" + String(repeating: "0", count: 200),
        .refused(.bodyTooLarge, 413)),
      HeadVector.fields(
        "RFC 9112 §6.3", "Content-Length: 5\r\nContent-Length: 5\r\n▲",
        .refused(.repeatedContentLength, 400)),
      HeadVector.fields(
        "RFC 9112 §6.3", "Content-Length: 5\r\nContent-length: 6\r\n▲",
        .refused(.repeatedContentLength, 400)),
      HeadVector.fields(
        "RFC 9112 §6.3", "Content-Length: 0\r\nContent-Length:\r\n▲", .refused(.repeatedContentLength, 400)),
    ]
      + [
        "", "+5", "-5", "-0", "0x5", "5 5", "5,5", "5, 5", "5,", ",5", "5;", "5.0", "5e1", "five", "\"5\"",

        "5\u{A0}", "_5",
      ].map {
        HeadVector.fields("RFC 9112 §6.3", "Content-Length: \($0)\r\n▲", .refused(.invalidContentLength, 400))
      }) func contentLength(_ vector: HeadVector)
  { check(vector) }

  private static let chunked = ExpectedHead.accepted(SeenHead(framing: .chunked))

  private static func coding(_ section: String, _ value: String, _ rejection: Rejection, _ status: Int)
    -> HeadVector
  {
    HeadVector.fields(section, "Transfer-Encoding: \(value)\r\n▲", .refused(rejection, status))
  }

  @Test(arguments: [
    HeadVector.fields("RFC 9112 §6.1", "Transfer-Encoding: chunked", chunked),
    HeadVector.fields("RFC 9112 §7", "transfer-encoding:\tCHUNKED ", chunked),
    coding("RFC 9112 §6.1", "gzip, chunked", .unsupportedTransferCoding, 501),
    coding("RFC 9112 §6.1", "identity,chunked", .unsupportedTransferCoding, 501),
    coding("RFC 9112 §6.1", "a, b\t,\tChunked", .unsupportedTransferCoding, 501),
    coding("RFC 9112 §6.3", "", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "gzip", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "identity", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunked, gzip", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunked, chunked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", ",chunked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunked,", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "gzip,,chunked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunked;q=1", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "gzip;a=b, chunked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "xchunked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunkedx", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "\"chunked\"", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chun\tked", .invalidTransferCoding, 400),
    coding("RFC 9112 §6.3", "chunked\r\nTransfer-Encoding: chunked", .repeatedTransferEncoding, 400),
    coding("RFC 9112 §6.3", "chunked\r\nTransfer-Encoding: identity", .repeatedTransferEncoding, 400),
    coding("RFC 9112 §6.3", "chunked\r\nContent-Length: 5", .lengthAndTransferEncoding, 400),
    HeadVector.fields(
      "RFC 9112 §6.3", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n▲",
      .refused(.lengthAndTransferEncoding, 400)),
    HeadVector.fields(
      "RFC 9112 §6.3", "Content-Length: 0\r\nTransfer-Encoding: gzip\r\n▲",
      .refused(.lengthAndTransferEncoding, 400)),
    HeadVector.fields(
      "RFC 9112 §6.1", "Transfer-Encoding: chunked\r\n▲", .refused(.transferEncodingInHTTP10, 400),
      version: "1.0"),
    HeadVector.fields(
      "RFC 9110 §5.1", "Transfer_Encoding: gzip\r\nX-Transfer-Encoding: y", .accepted(SeenHead())),
  ]) func transferEncoding(_ vector: HeadVector) { check(vector) }

  private static func connection(_ lines: String, _ keepsAlive: Bool, _ version: HTTPVersion = .http11)
    -> HeadVector
  {
    HeadVector.fields(
      "RFC 9112 §9.3", lines, .accepted(SeenHead(version: version, keepsAlive: keepsAlive)),
      version: version == .http11 ? "1.1" : "1.0")
  }

  @Test(arguments: [
    connection("X: y", true), connection("Connection: keep-alive", true), connection("Connection:", true),
    connection("Connection: close", false), connection("Connection: CLOSE", false),
    connection("Connection: keep-alive, close", false), connection("Connection: close, keep-alive", false),
    connection("Connection: TE,,\tclose ,", false), connection("Connection: closed, x-close", true),
    connection("Connection: TE\r\nConnection: close", false), connection("Connection: upgrade", true),
    connection("Connection: close;x", false), connection("Connection: \"close\"", false),
    connection("Proxy-Connection: close", true), connection("Close: close", true),
    connection("X: y", false, .http10), connection("Connection: keep-alive", true, .http10),
    connection("Connection: TE, Keep-Alive", true, .http10),
    connection("Connection: TE\r\nConnection: keep-alive", true, .http10),
    connection("Connection: keep-alive\r\nConnection: close", false, .http10),
    connection("Keep-Alive: timeout=5", false, .http10), connection("Connection: keep alive", false, .http10),
  ]) func persistence(_ vector: HeadVector) { check(vector) }

  private static func expect(
    _ lines: String, continues: Bool, unknown: Bool, framing: BodyFraming = .none,
    _ version: HTTPVersion = .http11
  ) -> HeadVector {
    HeadVector.fields(
      "RFC 9110 §10.1.1", lines,
      .accepted(
        SeenHead(
          version: version, keepsAlive: version == .http11, framing: framing, expectsContinue: continues,
          hasUnknownExpectation: unknown)), version: version == .http11 ? "1.1" : "1.0")
  }

  @Test(arguments: [
    expect("Expect: 100-continue\r\nContent-Length: 5", continues: true, unknown: false, framing: .length(5)),
    expect("Content-Length: 5\r\nExpect: 100-Continue", continues: true, unknown: false, framing: .length(5)),
    expect(
      "Transfer-Encoding: chunked\r\nExpect: ,100-continue", continues: true, unknown: false,
      framing: .chunked),
    expect("Expect: 100-continue", continues: false, unknown: false),
    expect(
      "Expect: 100-continue\r\nContent-Length: 0", continues: false, unknown: false, framing: .length(0)),
    expect(
      "Expect: 100-continue\r\nContent-Length: 5", continues: false, unknown: false, framing: .length(5),
      .http10),
    expect("Expect:", continues: false, unknown: false),
    expect("Expect: 200-ok", continues: false, unknown: true),
    expect("Expect: 100-continue;a=b", continues: false, unknown: true),
    expect("Expect: 100-continue=1", continues: false, unknown: true),
    expect(
      "Expect: 100-continue, x\r\nContent-Length: 5", continues: true, unknown: true, framing: .length(5)),
    expect("Expect: x\r\nExpect: 100-continue", continues: false, unknown: true),
  ]) func expectations(_ vector: HeadVector) { check(vector) }
}
