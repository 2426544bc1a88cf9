/// An answer that is no bucket: `application/problem+json` (RFC 9457) without a word of the request.
package enum Problem: UInt8, CaseIterable, Sendable {
  case badRequest
  case forbidden
  case notFound
  case requestTimeout
  case preconditionFailed
  case contentTooLarge
  case targetTooLong
  case expectationFailed
  case headerSectionTooLarge
  case methodNotImplemented
  case overloaded
  case versionNotSupported

  /// The status code (RFC 9110 §15; 431: RFC 6585).
  package var status: Int {
    switch self {
    case .badRequest: 400
    case .forbidden: 403
    case .notFound: 404
    case .requestTimeout: 408
    case .preconditionFailed: 412
    case .contentTooLarge: 413
    case .targetTooLong: 414
    case .expectationFailed: 417
    case .headerSectionTooLarge: 431
    case .methodNotImplemented: 501
    case .overloaded: 503
    case .versionNotSupported: 505
    }
  }

  /// The problem with a status; nil when no problem has it.
  package init?(status: Int) {
    guard let problem = Problem.allCases.first(where: { $0.status == status }) else { return nil }
    self = problem
  }
}
