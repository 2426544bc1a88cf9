import HTTPWire
import RegionModel

/// The source `edge`: a bucket that code at the edge computed with the same policy.
///
/// Immutable; usable from any thread; allocates nothing.
package final class EdgeSignal: Sendable {
  /// What the edge said.
  package enum Outcome: Equatable, Sendable {
    /// Nothing: no bucket header, or an empty one.
    case absent
    /// Something by another policy than ours, or by one that it does not name. Counts as absent.
    case stale
    /// A bucket by our policy.
    case bucket(RegionBucket)
    /// Two lines of a header, or, by our policy, something that is no bucket.
    case invalid(UnknownReason)
  }

  /// The header with the bucket.
  package let bucketField: FieldName
  /// The header with the fingerprint of the policy that the bucket was computed by.
  package let policyField: FieldName
  private let fingerprint: [UInt8]
  private let spellings: [(bucket: RegionBucket, bytes: [UInt8])]

  /// A reader of what the edge computed by a policy with this fingerprint.
  package init(bucketField: FieldName, policyField: FieldName, fingerprint: String) {
    self.bucketField = bucketField
    self.policyField = policyField
    self.fingerprint = Array(fingerprint.utf8)
    spellings = RegionBucket.allCases.map { ($0, Array($0.rawValue.utf8)) }
  }

  /// What the edge said of a request. For trusted requests only. Both values are compared letter for letter.
  package func read(_ head: RequestHead) -> Outcome {
    let bucketText: UnsafeRawBufferPointer
    switch head.single(bucketField) {
    case .absent: return .absent
    case .repeated: return .invalid(.repeatedHeader)
    case .value(let value): bucketText = value
    }
    guard !bucketText.isEmpty else { return .absent }
    switch head.single(policyField) {
    case .absent: return .stale
    case .repeated: return .invalid(.repeatedHeader)
    case .value(let value): guard value.elementsEqual(fingerprint) else { return .stale }
    }
    for (bucket, bytes) in spellings where bucketText.elementsEqual(bytes) { return .bucket(bucket) }
    return .invalid(.invalid)
  }
}
