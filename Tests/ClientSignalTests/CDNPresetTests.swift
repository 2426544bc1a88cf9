import Testing

@testable import ClientSignal
@testable import HTTPWire

@Suite struct CDNPresetTests {
  @Test func everyNameIsARow() {
    #expect(
      CDNPreset.all.map(\.name) == [
        "cloudfront", "cloudflare", "fastly", "akamai", "google-cloud", "app-engine", "azure-front-door",
        "vercel",
        "netlify", "bunny", "keycdn", "alibaba-esa", "fly", "none",
      ])
    for preset in CDNPreset.all { #expect(CDNPreset.named(preset.name)?.name == preset.name) }
    #expect(CDNPreset.named("CloudFront") == nil)
    #expect(CDNPreset.named("custom") == nil)
  }

  @Test(arguments: [
    ("cloudfront", "CloudFront-Viewer-Address", ClientAddressField.Kind.addressAndPort, ClientCopy.replaced),
    ("cloudflare", "CF-Connecting-IP", .single, .replaced), ("fastly", "Fastly-Client-IP", .single, .kept),
    ("akamai", "True-Client-IP", .single, .replaced), ("google-cloud", "X-Forwarded-For", .list, .appended),
    ("app-engine", "X-Appengine-User-IP", .single, .removed),
    ("azure-front-door", "X-Azure-SocketIP", .single, .replaced),
    ("vercel", "x-real-ip", .single, .removed), ("netlify", "x-nf-client-connection-ip", .single, .replaced),
    ("bunny", "X-Real-IP", .single, .replaced), ("keycdn", "X-Forwarded-For", .list, .appended),
    ("alibaba-esa", "ali-real-client-ip", .single, .replaced), ("fly", "Fly-Client-IP", .single, .replaced),
  ])
  func clientAddresses(preset: String, name: String, kind: ClientAddressField.Kind, clientCopy: ClientCopy)
    throws
  {
    let field = try #require(CDNPreset.named(preset)?.clientAddress)
    #expect(field.name.text == name)
    #expect(field.kind == kind)
    #expect(field.clientCopy == clientCopy)
    #expect(ClientAddressField.usualKind(of: field.name) == kind)
  }

  @Test func whoseRowsHaveNoPlace() {
    let without = CDNPreset.all.filter { LocationHeaders($0) == nil }.map(\.name)
    #expect(without == ["fly", "none"])
    #expect(CDNPreset.named("none")?.clientAddress == nil)
  }

  /// Only App Engine and Vercel document that a client's own copies never arrive.
  @Test func clientCopiesAreRemovedWhereDocumentedOnly() {
    for preset in CDNPreset.all {
      let isStripped = preset.name == "app-engine" || preset.name == "vercel"
      for field in [preset.country, preset.subdivision, preset.city].compactMap({ $0 }) {
        #expect((field.clientCopy == .removed) == isStripped, "\(preset.name) \(field.name.text)")
      }
    }
    // Names that the operator's own rule writes.
    for name in ["fastly", "google-cloud", "azure-front-door"] {
      #expect(CDNPreset.named(name)?.country?.clientCopy == .kept)
    }
  }

  @Test func whatIsNotDocumentedSaysSo() {
    var lines: [String] = []
    for preset in CDNPreset.all {
      let fields = [preset.country, preset.subdivision, preset.city].compactMap { $0 }
      let all =
        fields.map { ($0.name.text, $0.provenance) }
        + (preset.clientAddress.map { [($0.name.text, $0.provenance)] } ?? [])
      lines += all.filter { $0.1 != .documented }.map { "\(preset.name) \($0.0): \($0.1.rawValue)" }
    }
    #expect(
      lines == [
        "google-cloud X-Forwarded-For: not checked", "app-engine X-Appengine-User-IP: not checked",
        "netlify x-country: seen in public code", "netlify x-nf-geo: seen in public code",
        "netlify x-nf-geo: seen in public code", "netlify x-nf-client-connection-ip: seen in public code",
      ])
  }

  @Test(arguments: [
    ("fastly", "Surrogate-Control", CacheKeying.byVary), ("netlify", "Netlify-CDN-Cache-Control", .byVary),
    ("cloudflare", "Cloudflare-CDN-Cache-Control", .whenKeyConfigured),
    ("cloudfront", "Cache-Control", .whenKeyConfiguredAndViewerFieldRewritten),
  ])
  func sharedCachesThatCanBeTrusted(preset: String, field: String, keying: CacheKeying) throws {
    guard case .supported(let actual, let how) = try #require(CDNPreset.named(preset)).sharedCache else {
      Issue.record("refused")
      return
    }
    #expect(actual.rawValue == field)
    #expect(how == keying)
  }

  @Test func otherSharedCachesAreRefused() {
    let refused = CDNPreset.all.filter { if case .refused = $0.sharedCache { true } else { false } }.map(
      \.name)
    #expect(
      refused == [
        "akamai", "google-cloud", "app-engine", "azure-front-door", "vercel", "bunny", "keycdn",
        "alibaba-esa", "fly",
        "none",
      ])
  }

  @Test func cachesOfOnesOwn() {
    guard case .supported(.surrogateControl, .byShippedFile) = SharedCache.varnish,
      case .supported(.xAccelExpires, .whenKeyConfigured) = SharedCache.nginx
    else {
      Issue.record("Varnish or nginx")
      return
    }
  }

  /// Google's row takes the entry before the balancer's own.
  @Test func googlesClientStandsBeforeTheBalancer() throws {
    let field = try #require(CDNPreset.named("google-cloud")?.clientAddress)
    let rule = ClientAddressRule(name: field.name, kind: field.kind, walk: .hops(try #require(field.hops)))
    withHead(["X-Forwarded-For: 1.1.1.1,8.8.8.8,34.120.0.1"]) {
      #expect(rule.client(in: $0) == .address(address("8.8.8.8")!))
    }
  }

  @Test(arguments: [
    ("x-forwarded-for", ClientAddressField.Kind.list), ("FORWARDED", .forwarded),
    ("cloudfront-viewer-address", .addressAndPort), ("X-Real-IP", .single), ("X-Forwarded", .single),
  ])
  func kindsGoByName(name: String, kind: ClientAddressField.Kind) {
    #expect(ClientAddressField.usualKind(of: FieldName(name)!) == kind)
  }
}
