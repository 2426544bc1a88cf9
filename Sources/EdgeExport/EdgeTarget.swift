import RegionModel

/// What edge code can be written for. The raw values are the command line's words.
package enum EdgeTarget: String, CaseIterable, Sendable {
  /// A function in CloudFront Functions' JavaScript (runtime 2.0), for viewer requests and viewer responses.
  case cloudfront
  /// A Worker, as an ES module.
  case cloudflare
  /// VCL for Fastly, which knows places by itself.
  case fastly
  /// VCL for Varnish, which is told places by headers.
  case varnish
  /// `map` blocks for the `http` part of an nginx configuration.
  case nginx

  /// Whether the code can give the answer itself, without asking the service.
  package var canAnswer: Bool {
    switch self {
    case .cloudfront, .cloudflare: true
    case .fastly, .varnish, .nginx: false
    }
  }
}

/// The headers that edge code writes and reads.
package struct EdgeNames: Equatable, Sendable {
  /// Where the bucket goes.
  package var bucket: String
  /// Where the policy's fingerprint goes.
  package var policy: String
  /// Where the country is.
  package var country: String
  /// Where the subdivision is.
  package var subdivision: String
  /// Where the city is.
  package var city: String

  /// Names from their parts; each a token (RFC 9110 §5.6.2).
  package init(bucket: String, policy: String, country: String, subdivision: String, city: String) {
    self.bucket = bucket
    self.policy = policy
    self.country = country
    self.subdivision = subdivision
    self.city = city
  }
}

/// The answers of the service, for code that gives them itself.
package struct EdgeAnswer: Sendable {
  /// The only path that is answered.
  package var path: String
  /// A bucket's body.
  package var body: @Sendable (RegionBucket) -> String
  /// A bucket's header fields, those of content and connection left out.
  package var fields: @Sendable (RegionBucket) -> [(name: String, value: String)]
  /// Origins that are echoed, each to itself; nil when `fields` says it for all.
  package var origins: [String]?

  /// An answer from its parts.
  package init(
    path: String, origins: [String]?, body: @escaping @Sendable (RegionBucket) -> String,
    fields: @escaping @Sendable (RegionBucket) -> [(name: String, value: String)]
  ) {
    self.path = path
    self.body = body
    self.fields = fields
    self.origins = origins
  }
}
