/// What the service says of a request, and all that it ever says.
///
/// The raw values are the wire contract's, letter for letter: no other spelling is a bucket.
/// A value type without references; usable from any thread.
public enum RegionBucket: String, CaseIterable, Sendable {
  /// A candidate for the regional provider first.
  case regionalMarket
  /// Classified, and not regional.
  case otherMarket
  /// Could not be classified. An ordinary answer, never an error.
  case unknown
}
