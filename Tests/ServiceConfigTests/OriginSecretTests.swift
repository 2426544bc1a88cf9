import ClientSignal
import Testing

@testable import ServiceConfig

/// The secret comes from the environment or a file, and no message, print or value of the configuration has
/// it.
@Suite struct OriginSecretTests {
  private static let secret = "S3CRET-S3CRET-S3CRET"
  private static let advice = OriginSecretAdvice.hint

  private var loading: Loading {
    Loading(
      environment: [
        "SECRET": Self.secret, "REGION_BUCKET_CDN_SECRET": "\(Self.secret)2", "EMPTY": "", "SHORT": "S3CRET",
        "SPACED": "S3CRET S3CRET S3CRET",
      ],
      files: ["/run/secret": "\(Self.secret)\r\n", "/etc/region-bucket/plain": Self.secret])
  }

  @Test(arguments: [
    "fromEnvironment: ['SECRET'], fromFiles: []", "fromEnvironment: 'SECRET'",
    "fromEnvironment: ['SECRET', 'REGION_BUCKET_CDN_SECRET']", "fromFiles: ['/run/secret']",
    "fromFiles: ['plain']",
    "fromFiles: ['/run/secret'], fromEnvironment: ['REGION_BUCKET_CDN_SECRET']",
  ]) func secretsAreFound(keys: String) throws {
    // The one variable that has this program's prefix is unknown unless it is named.
    var loading = loading
    if !keys.contains("REGION_BUCKET") { loading.environment["REGION_BUCKET_CDN_SECRET"] = nil }
    let load = loading.load("{ \(sound), originSecret: { \(keys), header: 'X-S', onMissing: 'distrust' } }")
    #expect(load.diagnostics == [])
    let secret = try #require(load.config?.trust.proxyTrust.secret)
    #expect(secret.name.text == "X-S")
    #expect(secret.onMissing == .distrust)
  }

  @Test(arguments: [
    // Where people would write it.
    ("originSecret: 'S3CRET'", "originSecret: expected an object; \(advice)"),
    ("originSecret: { value: 'S3CRET' }", "originSecret: it has a key that there is not; \(advice)"),
    ("originSecret: { 'S3.CRET': 1 }", "originSecret: it has a key that there is not; \(advice)"),
    ("originSecret: { values: ['S3CRET'] }", "originSecret: it has a key that there is not; \(advice)"),
    ("originSecret: ['S3CRET']", "originSecret: expected an object; \(advice)"),
    (
      "originSecret: { fromEnvironment: ['S3CRET'] }",
      "originSecret.fromEnvironment[0]: there is no environment variable of that name, or it is empty; "
        + "the name stands here, never the secret: set that variable to what the CDN sends "
        + "(`openssl rand -hex 24` makes one)"
    ),
    (
      "originSecret: { fromFiles: ['S3CRET'] }",
      "originSecret.fromFiles[0]: the file cannot be read: No such file or directory; "
        + "a path stands here, never the secret"
    ),
    ("originSecret: { fromFiles: { S3CRET: 1 } }", "originSecret.fromFiles: expected a list of paths"),
    (
      "originSecret: { fromFile: ['x'] }",
      "originSecret.fromFile: there is no such key; did you mean `originSecret.fromFiles`?"
    ),
    // What cannot be a secret.
    (
      "originSecret: { fromEnvironment: ['EMPTY'] }",
      "originSecret.fromEnvironment[0]: there is no environment variable of that name, or it is empty; "
        + "the name stands here, never the secret: set that variable to what the CDN sends "
        + "(`openssl rand -hex 24` makes one)"
    ),
    (
      "originSecret: { fromEnvironment: ['SPACED'] }",
      "originSecret.fromEnvironment: \(OriginSecretError.notVisibleASCII)"
    ),
    (
      "originSecret: { fromEnvironment: ['SECRET', 'SECRET', 'SECRET', 'SECRET', 'SECRET'] }",
      "originSecret.fromEnvironment: \(OriginSecretError.valueCount(max: 4))"
    ),
    (
      "originSecret: { header: 'X S', fromEnvironment: ['SECRET'] }",
      "originSecret.header: \"X S\" is not a field name; RFC 9110 §5.6.2 allows letters, digits and `-`"
    ),
    // A lock without a key would stand open.
    (
      "originSecret: { header: 'X-S' }",
      "originSecret.header: no secret is named, so that none would be asked for; \(advice)"
    ),
    (
      "originSecret: { onMissing: 'refuse' }",
      "originSecret.onMissing: no secret is named, so that none would be asked for; \(advice)"
    ),
  ]) func mistakesAreReportedWithoutTheSecret(keys: String, problem: String) {
    var loading = loading
    loading.environment["REGION_BUCKET_CDN_SECRET"] = nil
    let lines = loading.diagnostics("{ \(sound), \(keys) }")
    #expect(lines == ["error: FILE:1: \(problem)"])
    #expect(!lines.joined().contains("S3"))
  }

  @Test(arguments: [
    "fromEnvironment: ['GONE']", "fromFiles: ['/gone']", "header: 'X-S', fromFiles: ['/gone']",
  ])
  func whoDoesNotNeedItNeedNotHaveIt(keys: String) throws {
    let trusted = "trustedPeers: ['private']"
    let load = Loading(readsSecrets: false).load("{ \(sound), \(trusted), originSecret: { \(keys) } }")
    #expect(load.diagnostics == [])
    #expect(try #require(load.config).trust.proxyTrust.secret == nil)
    #expect(Loading().load("{ \(sound), \(trusted), originSecret: { \(keys) } }").config == nil)
    // That it stands open is said all the same.
    let open = Loading(readsSecrets: false).diagnostics("{ \(sound), originSecret: { header: 'X-S' } }")
    #expect(open.count == 1)
  }

  @Test func aShortSecretIsDoubted() {
    var loading = loading
    loading.environment["REGION_BUCKET_CDN_SECRET"] = nil
    #expect(
      loading.diagnostics("{ \(sound), originSecret: { fromEnvironment: ['SHORT'] } }") == [
        "warning: FILE:1: originSecret.fromEnvironment: a secret has fewer than 16 bytes: it can be guessed"
      ])
  }

  @Test func noPrintHasIt() throws {
    let text =
      "{ \(sound), originSecret: { fromEnvironment: ['REGION_BUCKET_CDN_SECRET'], fromFiles: ['plain'] } }"
    let config = try #require(loading.load(text).config)
    let print = ConfigReport.text(of: config)
    #expect(print.contains("originSecret.fromEnvironment: [\"REGION_BUCKET_CDN_SECRET\"]"))
    #expect(!print.contains(Self.secret))
    #expect(!String(describing: config).contains(Self.secret))
    var dumped = ""
    dump(config, to: &dumped)
    #expect(!dumped.contains(Self.secret))
    // The positive control: the names are among what was searched.
    #expect(dumped.contains("REGION_BUCKET_CDN_SECRET"))
  }
}
