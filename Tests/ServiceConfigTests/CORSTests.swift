import Testing

@testable import ServiceConfig

@Suite struct CORSTests {
  @Test(arguments: [
    "https://example.com", "http://localhost:3000", "https://a.b-c.example:8443", "http://127.0.0.1:8080",
    "http://[::1]:8080", "https://xn--bcher-kva.example", "capacitor://localhost",
    "chrome-extension://abcdef",
    "https://example.com:80", "http://example.com:443", "https://under_score.example",
  ]) func originsAreAccepted(origin: String) {
    #expect(OriginFault(of: origin) == nil)
    let load = Loading().load("{ \(sound), cors: { origins: ['\(origin)'] } }")
    #expect(load.diagnostics == [])
    #expect(load.config?.cors.origins == .listed([origin]))
  }

  @Test(arguments: [
    ("example.com", "an origin begins with its scheme; write `https://example.com`"),
    ("", "an origin begins with its scheme; write `https://`"),
    ("https:/example.com", "an origin begins with its scheme; write `https://https:/example.com`"),
    ("https://", "`` is no host"),
    ("://a", "`` is no scheme"),
    ("1a://b", "`1a` is no scheme"),
    ("https://example.com/", "an origin has no path; write `https://example.com`"),
    ("https://example.com/a?b", "an origin has no path; write `https://example.com`"),
    ("https://example.com#a", "an origin has no path; write `https://example.com`"),
    ("https://Example.com", "browsers send origins in lower case; write `https://example.com`"),
    ("HTTPS://example.com", "browsers send origins in lower case; write `https://example.com`"),
    ("https://example.com:443", "browsers leave out the scheme's own port; write `https://example.com`"),
    ("http://[::1]:80", "browsers leave out the scheme's own port; write `http://[::1]`"),
    ("https://example.com:0", "`0` is no port"), ("https://example.com:0443", "`0443` is no port"),
    ("https://example.com:65536", "`65536` is no port"), ("https://example.com:", "`` is no port"),
    ("https://user@example.com", "an origin has no user"),
    ("https://*.example.com", "an origin is exact; list each one, or allow any by `*`"),
    (
      "https://exa mple.com",
      "an origin is ASCII without spaces; write an international name as browsers send it, `xn--…`"
    ),
    (
      "https://bücher.example",
      "an origin is ASCII without spaces; write an international name as browsers send it, `xn--…`"
    ),
    ("https://a..b", "`a..b` is no host"), ("https://[::1", "`[:` is no host"),
    ("https://[zz]", "`[zz]` is no host"), ("https://[127.0.0.1]", "`[127.0.0.1]` is no host"),
    ("https://a%20b", "`a%20b` is no host"), ("https://-", nil),
    ("null", "`null` is what sandboxed frames and local files of anybody send"),
  ]) func otherTextsAreReported(text: String, problem: String?) {
    let lines = Loading().diagnostics("{ \(sound), cors: { origins: ['https://a.example', '\(text)'] } }")
    let found = text.isEmpty ? "\"\"" : "\"\(text)\""
    #expect(lines == (problem.map { ["error: FILE:1: cors.origins[1]: \(found): \($0)"] } ?? []))
  }

  @Test(arguments: [
    ("'*'", CORSConfig.Origins.any), ("['*']", .any), ("[]", .listed([])),
    ("'https://a.example'", .listed(["https://a.example"])),
  ]) func theStarStandsAlone(text: String, origins: CORSConfig.Origins) {
    #expect(Loading().load("{ \(sound), cors: { origins: \(text) } }").config?.cors.origins == origins)
  }

  @Test func aStarAmongOthersIsReported() {
    #expect(
      Loading().diagnostics("{ \(sound), cors: { origins: ['https://a.example', '*'] } }") == [
        "error: FILE:1: cors.origins[1]: \"*\": `*` stands alone; write `origins: \"*\"`"
      ])
  }

  @Test func aRepeatedOriginIsDoubted() {
    let text = "{ \(sound), cors: { origins: ['https://a.example', 'https://a.example'], maxAgeSeconds: 5 } }"
    #expect(
      Loading().diagnostics(text) == [
        "warning: FILE:1: cors.origins[1]: \"https://a.example\" is there already"
      ])
    #expect(Loading().load(text).config?.cors.origins == .listed(["https://a.example"]))
    #expect(Loading().load(text).config?.cors.maxAgeSeconds == 5)
  }
}
