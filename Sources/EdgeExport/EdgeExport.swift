import RegionModel

/// A policy as code for the edge: the same places in, the same buckets out. Pure; usable from any thread.
package struct EdgeExport: Sendable {
  private let policy: BucketPolicy
  private let names: EdgeNames

  /// An export of a policy, by the names of the headers.
  package init(policy: BucketPolicy, names: EdgeNames) {
    self.policy = policy
    self.names = names
  }

  /// The code.
  ///
  /// - Parameter answer: set when the code is to answer by itself; only for targets that `canAnswer`.
  package func text(for target: EdgeTarget, answer: EdgeAnswer? = nil) -> String {
    precondition(answer == nil || target.canAnswer, "\(target.rawValue) does not answer")
    return switch target {
    case .cloudfront: CloudFrontFunction(policy: policy, names: names, answer: answer).text
    case .cloudflare: CloudflareWorker(policy: policy, names: names, answer: answer).text
    case .fastly: VCLSnippet(.fastly, policy: policy, names: names).text
    case .varnish: VCLSnippet(.varnish, policy: policy, names: names).text
    case .nginx: NginxMaps(policy: policy, names: names).text
    }
  }

  /// The longest code that a target takes, in bytes; nil when no limit is known that a policy could reach.
  package static func bytesMax(of target: EdgeTarget) -> Int? {
    target == .cloudfront ? CloudFrontFunction.bytesMax : nil
  }
}
