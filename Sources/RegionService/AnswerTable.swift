import HTTPWire
import RegionModel

/// Which origins other than its own may read an answer (the Fetch standard's CORS protocol).
package enum OriginPolicy: Equatable, Sendable {
  /// `*`: any site may ask which bucket its visitor is in.
  case any
  /// Exact origins, each echoed to itself only.
  case list([String])
}

/// All answers of a configuration, rendered once. Immutable; loops copy what they patch.
package struct AnswerTable: Sendable {
  /// One entry for each answer and connection mode, `Answer.index` × modes + mode.
  let rendered: [RenderedAnswer]
  /// For a list of origins, the field line that names each.
  let originLines: [[UInt8]]

  /// The field line's name, which a listed origin's own line and `*` share.
  fileprivate static let allowOrigin = "Access-Control-Allow-Origin"

  /// Renders every answer.
  ///
  /// - Parameters:
  ///   - preflightSecondsMax: how long a browser may remember a preflight.
  ///   - retryAfterSeconds: what an overloaded server asks for.
  package init(
    cache: CachePolicy, origins: OriginPolicy, preflightSecondsMax: Int, retryAfterSeconds: Int
  ) {
    let renderer = AnswerRenderer(
      cache: cache, origins: origins, preflightSecondsMax: preflightSecondsMax,
      retryAfterSeconds: retryAfterSeconds)
    rendered = Answer.all.flatMap { answer in
      ConnectionMode.allCases.map { renderer.render(answer, $0) }
    }
    switch origins {
    case .any: originLines = []
    case .list(let list): originLines = list.map { Array("\(Self.allowOrigin): \($0)\r\n".utf8) }
    }
  }

  /// The strong entity tag of a bucket's answer, quotes and all: one value per bucket and wire version.
  package static func entityTag(_ bucket: RegionBucket) -> String { "\"1-\(bucket.rawValue)\"" }

  /// The header fields of a bucket's answer in their order, without those of content and the line of a listed
  /// origin, which depends on the request.
  package static func fields(
    _ bucket: RegionBucket, _ sharing: Sharing, cache: CachePolicy, origins: OriginPolicy
  ) -> [(name: String, value: String)] {
    [("X-Region-Bucket", bucket.rawValue), ("ETag", entityTag(bucket))]
      + cache.fields(sharing, bucket: bucket) + (origins == .any ? [(allowOrigin, "*")] : []) + commonFields
  }

  /// What every answer says.
  fileprivate static let commonFields: [(name: String, value: String)] = [
    ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "cross-origin"),
  ]

  /// The type of a bucket's body.
  package static let mediaType = "application/json"

  /// The whole body of a bucket's answer.
  package static func body(_ bucket: RegionBucket) -> String { "{\"bucket\":\"\(bucket.rawValue)\"}" }
}

/// Makes one answer's bytes.
private struct AnswerRenderer {
  let cache: CachePolicy
  let origins: OriginPolicy
  let preflightSecondsMax: Int
  let retryAfterSeconds: Int

  func render(_ answer: Answer, _ mode: ConnectionMode) -> RenderedAnswer {
    var head = ResponseHeadBuilder(status: answer.status)
    var body = ""
    switch answer {
    case .region(let bucket, let sharing):
      body = AnswerTable.body(bucket)
      head.field("Content-Type", AnswerTable.mediaType)
      head.field("Content-Length", String(body.utf8.count))
      addRegionFields(&head, bucket, sharing)
    case .notModified(let bucket, let sharing):
      addRegionFields(&head, bucket, sharing)
    case .regionOptions(let isPreflight):
      head.field("Allow", "\(Route.region.allow)")
      addCORS(&head)
      if isPreflight {
        head.field("Access-Control-Allow-Methods", "GET, HEAD")
        head.field("Access-Control-Max-Age", String(preflightSecondsMax))
      }
      addWithheld(&head)
    case .serverOptions:
      head.field("Allow", "\(Route.region.allow)")
      addWithheld(&head)
    case .healthy: body = addText(&head, "ok\n")
    case .ready: body = addText(&head, "ready\n")
    case .notReady: body = addText(&head, "not ready\n")
    case .notReadyBecause(let reason): body = addText(&head, "not ready: \(reason.meaning)\n")
    case .problem(let problem):
      if problem == .overloaded { head.field("Retry-After", String(retryAfterSeconds)) }
      body = addProblem(&head, answer.status)
    case .methodNotAllowed(let route):
      head.field("Allow", "\(route.allow)")
      body = addProblem(&head, answer.status)
    }
    return head.render(connection: mode, body: Array(body.utf8))
  }

  private func addRegionFields(_ head: inout ResponseHeadBuilder, _ bucket: RegionBucket, _ sharing: Sharing)
  {
    for field in AnswerTable.fields(bucket, sharing, cache: cache, origins: origins) {
      head.field(field.name, field.value)
    }
  }

  private func addText(_ head: inout ResponseHeadBuilder, _ text: String) -> String {
    head.field("Content-Type", "text/plain; charset=utf-8")
    head.field("Content-Length", String(text.utf8.count))
    addWithheld(&head)
    return text
  }

  private func addProblem(_ head: inout ResponseHeadBuilder, _ status: Int) -> String {
    let body = "{\"type\":\"about:blank\",\"title\":\"\(StatusText.phrase(status))\",\"status\":\(status)}"
    head.field("Content-Type", "application/problem+json")
    head.field("Content-Length", String(body.utf8.count))
    addWithheld(&head)
    addCORS(&head)
    return body
  }

  private func addWithheld(_ head: inout ResponseHeadBuilder) {
    for field in cache.fields(.withheld, bucket: nil) { head.field(field.name, field.value) }
    addCommon(&head)
  }

  /// A listed origin's line is inserted when the answer is written.
  private func addCORS(_ head: inout ResponseHeadBuilder) {
    if origins == .any { head.field(AnswerTable.allowOrigin, "*") }
  }

  private func addCommon(_ head: inout ResponseHeadBuilder) {
    for field in AnswerTable.commonFields { head.field(field.name, field.value) }
  }
}
