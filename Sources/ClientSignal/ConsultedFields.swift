import HTTPWire
import RegionModel

/// Every header that a configuration may read to decide, and those that a cache has to know of.
///
/// Made of the configured sources alone: what no listed source reads is not in it. Immutable; usable from any
/// thread.
package struct ConsultedFields: Sendable {
  /// Every header that may be read. An untrusted request that has one of them claims what it may not.
  package let all: [FieldName]
  /// The edge's and the CDN's headers, for `Vary`, in an order that depends on the configuration alone.
  ///
  /// Not the client's address: a shared lifetime is only ever granted to what the edge computed, and an
  /// address in `Vary` would keep an object per client.
  package let vary: [FieldName]

  /// The fields of the sources that the configuration lists; nil for a source that it does not.
  ///
  /// - Parameters:
  ///   - policies: the policy, and any that is evaluated beside it.
  ///   - clientAddress: set when a listed source needs the client's address.
  package init(
    edge: EdgeSignal?, location: LocationHeaders?, policies: [BucketPolicy], clientAddress: ClientAddressRule?
  ) {
    let edgeFields = edge.map { [$0.bucketField, $0.policyField] } ?? []
    vary = (edgeFields + (location?.fields(for: policies) ?? [])).uniqued
    all = (vary + (clientAddress.map { [$0.name] } ?? [])).uniqued
  }

  /// Whether a request has any of the headers.
  package func isAnyCarried(by head: RequestHead) -> Bool {
    for name in all where head.has(name) { return true }
    return false
  }
}

extension [FieldName] {
  /// The names without those that stood before, in whatever case.
  var uniqued: [FieldName] {
    var seen = Set<FieldName>()
    return filter { seen.insert($0).inserted }
  }
}
