/// Which listed source settled a request: a closed set, safe for metrics and logs.
public enum DecisionSource: String, CaseIterable, Sendable {
  /// Nothing settled it: no source had anything to say, or none was asked.
  case none
  /// The bucket computed by edge code.
  case edge
  /// The CDN's location headers.
  case cdn
  /// The client's address, looked up.
  case database

  /// The place in `allCases`.
  public var index: Int {
    switch self {
    case .none: 0
    case .edge: 1
    case .cdn: 2
    case .database: 3
    }
  }
}

/// Why a request is `unknown`: a closed set, safe for metrics and logs. Never a value from a request.
public enum UnknownReason: String, CaseIterable, Sendable {
  /// No listed source found anything to go by.
  case noSignal
  /// A header the decision needs was there and broke its allow-list.
  case invalid
  /// Two lines of a header that must be one.
  case repeatedHeader
  /// A peer that may not vouch for headers sent one that the configuration would read.
  case untrustedPeer
  /// The client's address is private, reserved or otherwise not on the public Internet.
  case addressNotGlobal
  /// The database has no country for the address.
  case notInDatabase
  /// A database is configured and none is loaded.
  case noDatabase
  /// The database is older than the limit at which it stops answering.
  case databaseTooOld
  /// A rule for the country needs a subdivision or city that nobody gave.
  case notEnoughToDecide
  /// The operator listed the country as one not to classify.
  case unclassified

  /// The place in `allCases`.
  public var index: Int {
    switch self {
    case .noSignal: 0
    case .invalid: 1
    case .repeatedHeader: 2
    case .untrustedPeer: 3
    case .addressNotGlobal: 4
    case .notInDatabase: 5
    case .noDatabase: 6
    case .databaseTooOld: 7
    case .notEnoughToDecide: 8
    case .unclassified: 9
    }
  }
}

/// A bucket and why it is that bucket. No field can hold anything of the request itself.
public struct Decision: Equatable, Sendable {
  /// What is answered.
  public var bucket: RegionBucket
  /// Who settled it.
  public var source: DecisionSource
  /// Set exactly when `bucket` is `unknown` and no edge code said so itself.
  public var reason: UnknownReason?

  /// A decision from its parts.
  public init(bucket: RegionBucket, source: DecisionSource, reason: UnknownReason? = nil) {
    self.bucket = bucket
    self.source = source
    self.reason = reason
  }
}

extension UnknownReason {
  /// The reason in words, for operators.
  public var meaning: String {
    switch self {
    case .noSignal: "no listed source found anything to go by"
    case .invalid: "a header or record that the decision needs is not what it must be"
    case .repeatedHeader: "a header that must be one line is there twice"
    case .untrustedPeer: "a header from a peer that may not vouch for it"
    case .addressNotGlobal: "the address is private, reserved or otherwise not on the public Internet"
    case .notInDatabase: "the database has no country for the address"
    case .noDatabase: "no database is loaded"
    case .databaseTooOld: "the database is older than database.unknownAfterDays"
    case .notEnoughToDecide: "a rule for the country needs a subdivision or city that is missing"
    case .unclassified: "the policy does not classify the country"
    }
  }
}
