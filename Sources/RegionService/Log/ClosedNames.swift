import HTTPWire
import RegionModel

// The words of closed sets as text that stands in the binary: a line or a metric needs no `String` for them.

extension RegionBucket {
  /// The wire's own word.
  package var name: StaticString {
    switch self {
    case .regionalMarket: "regionalMarket"
    case .otherMarket: "otherMarket"
    case .unknown: "unknown"
    }
  }
}

extension DecisionSource {
  /// As the configuration writes it.
  package var name: StaticString {
    switch self {
    case .none: "none"
    case .edge: "edge"
    case .cdn: "cdn"
    case .database: "database"
    }
  }
}

extension UnknownReason {
  /// As metrics and the access log write it.
  package var name: StaticString {
    switch self {
    case .noSignal: "noSignal"
    case .invalid: "invalid"
    case .repeatedHeader: "repeatedHeader"
    case .untrustedPeer: "untrustedPeer"
    case .addressNotGlobal: "addressNotGlobal"
    case .notInDatabase: "notInDatabase"
    case .noDatabase: "noDatabase"
    case .databaseTooOld: "databaseTooOld"
    case .notEnoughToDecide: "notEnoughToDecide"
    case .unclassified: "unclassified"
    }
  }
}

extension RequestMethod {
  /// RFC 9110's name, or `other` for a method that is not of it.
  package var name: StaticString {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .options: "OPTIONS"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .patch: "PATCH"
    case .connect: "CONNECT"
    case .trace: "TRACE"
    case .other: "other"
    }
  }
}
