import RegionModel

/// Who may keep an answer.
package enum Sharing: UInt8, CaseIterable, Sendable {
  /// Nobody.
  case withheld
  /// The one CDN in front, by its targeted field.
  case shareable
}

/// Why `/readyz` says 503.
package enum Unreadiness: UInt8, CaseIterable, Sendable {
  case draining
  /// `database.required`, and none is loaded.
  case noDatabase

  /// In words, for the admin listener.
  package var meaning: StaticString {
    switch self {
    case .draining: "draining"
    case .noDatabase: "the required database is not loaded"
    }
  }
}

/// Every answer that a configuration can give: each is rendered once, and a request only picks one.
package enum Answer: Hashable, Sendable {
  case region(RegionBucket, Sharing)
  case notModified(RegionBucket, Sharing)
  /// OPTIONS on the region, without and with the fields of a preflight.
  case regionOptions(isPreflight: Bool)
  /// OPTIONS on the server as a whole.
  case serverOptions
  case healthy
  case ready
  case notReady
  /// The admin listener's, which says why.
  case notReadyBecause(Unreadiness)
  case problem(Problem)
  /// 405, with the route's own `Allow`.
  case methodNotAllowed(Route)

  /// All of them, in the order of their indices.
  package static let all: [Answer] = {
    var all: [Answer] = []
    for bucket in RegionBucket.allCases {
      for sharing in Sharing.allCases { all += [.region(bucket, sharing), .notModified(bucket, sharing)] }
    }
    all += [.regionOptions(isPreflight: false), .regionOptions(isPreflight: true), .serverOptions]
    all += [.healthy, .ready, .notReady]
    all += Unreadiness.allCases.map { .notReadyBecause($0) }
    all += Problem.allCases.map { .problem($0) }
    all += Route.allCases.map { .methodNotAllowed($0) }
    return all
  }()

  /// How many there are.
  package static var count: Int { Answer.methodNotAllowed(.none).index + 1 }

  /// The place in `all`, without searching.
  @inline(__always)
  package var index: Int {
    let fixed = 12
    switch self {
    case .region(let bucket, let sharing): return bucket.index * 4 + Int(sharing.rawValue) * 2
    case .notModified(let bucket, let sharing): return bucket.index * 4 + Int(sharing.rawValue) * 2 + 1
    case .regionOptions(let isPreflight): return fixed + (isPreflight ? 1 : 0)
    case .serverOptions: return fixed + 2
    case .healthy: return fixed + 3
    case .ready: return fixed + 4
    case .notReady: return fixed + 5
    case .notReadyBecause(let reason): return fixed + 6 + Int(reason.rawValue)
    case .problem(let problem): return fixed + 6 + Unreadiness.allCases.count + Int(problem.rawValue)
    case .methodNotAllowed(let route):
      return fixed + 6 + Unreadiness.allCases.count + Problem.allCases.count + Int(route.rawValue)
    }
  }

  /// The status code.
  package var status: Int {
    switch self {
    case .region, .healthy, .ready: 200
    case .notModified: 304
    case .regionOptions, .serverOptions: 204
    case .notReady, .notReadyBecause: 503
    case .problem(let problem): problem.status
    case .methodNotAllowed: 405
    }
  }
}

extension RegionBucket {
  /// 0, 1, 2 in the order of `allCases`.
  @inline(__always)
  package var index: Int {
    switch self {
    case .regionalMarket: 0
    case .otherMarket: 1
    case .unknown: 2
    }
  }
}
