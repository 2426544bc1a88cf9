import Testing

@testable import HTTPWire

@Suite struct RequestTargetTests {
  /// A request for the target with another method than GET if so said.
  private static func vector(
    _ section: String, _ target: String, _ expected: ExpectedHead, method: String = "GET"
  ) -> HeadVector {
    let mark = if case .refused = expected { "▲" } else { "" }
    return HeadVector(section, "\(method) \(target) HTTP/1.1\r\n\(mark)Host: a\r\n\r\n", expected)
  }

  private static func accepted(_ target: String, _ path: String) -> HeadVector {
    vector("RFC 9112 §3.2.1", target, .accepted(SeenHead(target: path)))
  }

  /// One rule: the path is compared as it was written.
  @Test(arguments: [
    accepted("/", "/"), accepted("/?", "/"), accepted("/?a=/b?c", "/"),
    accepted("/v1/region?x=%7B", "/v1/region"),
    accepted("/v1/region/", "/v1/region/"), accepted("//v1/region", "//v1/region"),
    accepted("/v1//region", "/v1//region"), accepted("/v1/./region", "/v1/./region"),
    accepted("/v1/../v1/region", "/v1/../v1/region"), accepted("/v1/%72egion", "/v1/%72egion"),
    accepted("/v1%2Fregion", "/v1%2Fregion"), accepted("/v1/region%3Fa", "/v1/region%3Fa"),
    accepted("/v1/region;a=b", "/v1/region;a=b"), accepted("/V1/Region", "/V1/Region"),
    accepted("/%00", "/%00"), accepted("/*", "/*"),
    accepted("/a:b@c!$&'()*+,;=~-._", "/a:b@c!$&'()*+,;=~-._"),
    accepted("/http://b/v1", "/http://b/v1"),
  ]) func originForm(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    accepted("http://b/v1/region", "/v1/region"), accepted("HTTPS://b:443/v1/region?q", "/v1/region"),
    accepted("http://b", "/"), accepted("http://b?q", "/"), accepted("http://b/?q", "/"),
    accepted("http://[::1]:8080/x", "/x"), accepted("http://b:/x", "/x"), accepted("http://%41.b/x", "/x"),
    accepted("http://b//x", "//x"),
    vector(
      "RFC 9112 §3.2.4", "http://b", .accepted(SeenHead(method: .options, target: "*")), method: "OPTIONS"),
    vector(
      "RFC 9112 §3.2.4", "http://b?q", .accepted(SeenHead(method: .options, target: "/")), method: "OPTIONS"),
    vector(
      "RFC 9112 §3.2.4", "http://b/", .accepted(SeenHead(method: .options, target: "/")), method: "OPTIONS"),
    vector("RFC 9112 §3.2", "ftp://b/", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2", "http:/b", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2", "http:b", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2", "httpx://b", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2.2", "http://", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http:///x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://:80/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://user@b/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://user:pass@b/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://b:65536/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://b:8a/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://[::1/x", .refused(.invalidTargetAuthority, 400)),
    vector("RFC 9112 §3.2.2", "http://b%4/x", .refused(.invalidTargetAuthority, 400)),
  ]) func absoluteForm(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    vector("RFC 9112 §3.2.4", "*", .accepted(SeenHead(method: .options, target: "*")), method: "OPTIONS"),
    vector("RFC 9112 §3.2.4", "*", .refused(.asteriskWithoutOptions, 400)),
    vector("RFC 9112 §3.2", "**", .refused(.unknownTargetForm, 400), method: "OPTIONS"),
    vector("RFC 9112 §3.2", "*?q", .refused(.unknownTargetForm, 400), method: "OPTIONS"),
    vector(
      "RFC 9112 §3.2.3", "b:443",
      .accepted(SeenHead(method: .connect, target: "b:443", keepsAlive: false)), method: "CONNECT"),
    vector(
      "RFC 9112 §3.2.3", "[2001:db8::1]:443",
      .accepted(SeenHead(method: .connect, target: "[2001:db8::1]:443", keepsAlive: false)), method: "CONNECT"
    ),
    vector("RFC 9112 §3.2.3", "b", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2.3", "b:", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2.3", "/", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2.3", "*", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2.3", "http://b:80", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2.3", "b:80/x", .refused(.connectWithoutAuthority, 400), method: "CONNECT"),
    vector("RFC 9112 §3.2", "b:443", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2", "v1/region", .refused(.unknownTargetForm, 400)),
    vector("RFC 9112 §3.2", "?q", .refused(.unknownTargetForm, 400)),
  ]) func otherForms(_ vector: HeadVector) { check(vector) }

  @Test(arguments: [
    HeadVector("RFC 9112 §3.2", "GET /#▲f HTTP/1.1\r\nHost: a\r\n\r\n", .refused(.fragmentInTarget, 400)),
    HeadVector("RFC 9112 §3.2", "GET /\u{E9}▲ HTTP/1.1\r\nHost: a\r\n\r\n", .refused(.badTargetByte, 400)),
    HeadVector("RFC 9112 §3.2", "GET /\\▲ HTTP/1.1\r\nHost: a\r\n\r\n", .refused(.badTargetByte, 400)),
    HeadVector("RFC 9112 §3.2", "GET /?a=\"▲b\" HTTP/1.1\r\nHost: a\r\n\r\n", .refused(.badTargetByte, 400)),
    vector("RFC 9112 §3.2", "/[x]", .refused(.badTargetByte, 400)),
    vector("RFC 9112 §3.2", "/?a[]=b", .refused(.badTargetByte, 400)),
    vector("RFC 3986 §2.1", "/%", .refused(.badPercentEncoding, 400)),
    vector("RFC 3986 §2.1", "/%4", .refused(.badPercentEncoding, 400)),
    vector("RFC 3986 §2.1", "/%4g", .refused(.badPercentEncoding, 400)),
    vector("RFC 3986 §2.1", "/?%%41", .refused(.badPercentEncoding, 400)),
    vector("RFC 3986 §2.1", "http://b/%zz", .refused(.badPercentEncoding, 400)),
  ]) func characters(_ vector: HeadVector) { check(vector) }
}
