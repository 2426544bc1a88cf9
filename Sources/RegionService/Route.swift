import HTTPWire

#if canImport(Glibc)
  import Glibc
#endif

/// Where a request goes. To add an endpoint, add a case: the switches over it then ask for the rest.
package enum Route: UInt8, CaseIterable, Sendable {
  /// `/v1/region`: the bucket.
  case region
  /// `/healthz`: the process can answer.
  case health
  /// `/readyz`: it can do its configured job.
  case readiness
  /// `/metrics`, on the admin listener only.
  case metrics
  /// `*`, which OPTIONS may name.
  case server
  /// No such path.
  case none

  /// The name that logs and metrics use.
  package var name: StaticString {
    switch self {
    case .region: "region"
    case .health: "healthz"
    case .readiness: "readyz"
    case .metrics: "metrics"
    case .server: "server"
    case .none: "none"
    }
  }

  /// The methods it answers, as `Allow` writes them (RFC 9110 §10.2.1).
  package var allow: StaticString {
    switch self {
    case .region: "GET, HEAD, OPTIONS"
    case .health, .readiness, .metrics: "GET, HEAD"
    case .server, .none: "OPTIONS"
    }
  }

  /// Where the bucket is asked for.
  package static let regionPath: StaticString = "/v1/region"

  /// The route of a path, compared byte for byte: no dot segment, doubled slash or encoded letter is resolved.
  static func of(_ path: UnsafeRawBufferPointer, isAdmin: Bool) -> Route {
    if isAdmin {
      if equal(path, "/metrics") { return .metrics }
    } else {
      if equal(path, regionPath) { return .region }
      if equal(path, "/healthz") { return .health }
    }
    if equal(path, "/readyz") { return .readiness }
    return equal(path, "*") ? .server : .none
  }

  private static func equal(_ path: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    guard path.count == name.utf8CodeUnitCount, let start = path.baseAddress else { return false }
    return memcmp(start, name.utf8Start, path.count) == 0
  }
}
