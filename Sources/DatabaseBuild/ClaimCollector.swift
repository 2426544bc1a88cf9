import RegionModel

/// Gathers what the lines of all inputs claim, and settles it.
///
/// Networks (CSV, geofeeds) lie over ranges (Tor's files), so that a short list can correct a large one. Among
/// networks the longest prefix holds, then the first line; among ranges the first line.
struct ClaimCollector {
  /// What was found so far.
  var report: InputReport
  /// The record of each place, by number.
  private(set) var records: [MMDBValue] = []
  /// Whether some record has a city.
  private(set) var hasCities = false

  private let ipVersion: IPVersion
  private var claims: [[Claim]] = [[], []]
  private var recordNumbers: [SourceLocation: RecordID] = [:]
  /// The same for countries alone, which is what most lines hold; by `CountryCode.index`.
  private var countryNumbers = [RecordID?](repeating: nil, count: CountryCode.indexCount)
  /// The last range of each family in a file, to see whether the lines are in order.
  private var previous: [(file: Int, first: UInt128)] = [(-1, 0), (-1, 0)]

  init(ipVersion: IPVersion, report: InputReport) {
    self.ipVersion = ipVersion
    self.report = report
  }

  /// Adds a range with its country.
  mutating func addRange(
    _ family: IPFamily, _ first: UInt128, _ last: UInt128, country: UnsafeRawBufferPointer,
    at place: InputPlace
  ) throws(InputProblem) {
    let field = try CountryField(country, report: &report)
    if previous[family.index].file == place.file, first < previous[family.index].first {
      report.add(.outOfOrder, at: place)
    }
    previous[family.index] = (place.file, first)
    var location: SourceLocation?
    if case .country(let country) = field { location = SourceLocation(country: country) }
    add(family, first, last, location, rank: ClaimRank(rangeAt: place))
  }

  /// Adds a network, or a range as the networks it is made of; nil takes it out of what lies around it.
  mutating func add(_ block: NetworkListParser.Block, location: SourceLocation?, at place: InputPlace) {
    switch block {
    case .network(let network):
      add(
        network.family, network.first, network.last, location, rank: ClaimRank(network, at: place))
    case .range(let family, let first, let last):
      for network in Network.blocks(family, first, last) {
        add(family, network.first, network.last, location, rank: ClaimRank(network, at: place))
      }
    }
  }

  private mutating func add(
    _ family: IPFamily, _ first: UInt128, _ last: UInt128, _ location: SourceLocation?, rank: ClaimRank
  ) {
    if family == .ipv6 {
      guard ipVersion == .v6 else { return report.add(.ipv6Skipped, at: rank.place) }
      if DatabaseFile.ipv4Networks.contains(where: { first <= $0.last && $0.first <= last }) {
        report.add(.ipv4Space, at: rank.place)
      }
    }
    let record = location.map { number(of: $0) }
    claims[family.index].append(Claim(first: first, last: last, rank: rank.rawValue, record: record))
  }

  private mutating func number(of location: SourceLocation) -> RecordID {
    let isCountryAlone = location.subdivision == nil && location.city == nil
    if isCountryAlone, let number = countryNumbers[location.country.index] { return number }
    if let number = recordNumbers[location] { return number }
    let number = RecordID(records.count)
    records.append(location.record)
    recordNumbers[location] = number
    if isCountryAlone { countryNumbers[location.country.index] = number }
    if location.city != nil { hasCities = true }
    return number
  }

  /// Settles a family's claims and reports overlaps, repetitions and gaps. The claims are gone afterwards.
  mutating func settle(_ family: IPFamily) -> [Segment] {
    var claims: [Claim] = []
    swap(&claims, &self.claims[family.index])
    let isSorted = zip(claims, claims.dropFirst()).allSatisfy { Self.comesBefore($0, $1) }
    if !isSorted { claims.sort(by: Self.comesBefore) }
    reportRanges(claims)
    reportNetworks(claims)
    return Claims.settle(claims)
  }

  private static func comesBefore(_ left: Claim, _ right: Claim) -> Bool {
    left.first != right.first ? left.first < right.first : left.rank < right.rank
  }

  private mutating func reportRanges(_ claims: [Claim]) {
    var reach: Claim?
    for claim in claims where ClaimRank(rawValue: claim.rank).isRange {
      guard let before = reach else {
        reach = claim
        continue
      }
      if claim.first <= before.last {
        let (holder, loser) = claim.rank < before.rank ? (claim, before) : (before, claim)
        report.add(
          .overlap, at: ClaimRank(rawValue: loser.rank).place, holder: ClaimRank(rawValue: holder.rank).place)
      } else if claim.first > before.last + 1 {
        report.add(.gap, at: ClaimRank(rawValue: claim.rank).place)
      }
      if claim.last > before.last { reach = claim }
    }
  }

  private mutating func reportNetworks(_ claims: [Claim]) {
    var holder: Claim?
    for claim in claims where !ClaimRank(rawValue: claim.rank).isRange {
      if let holder, holder.first == claim.first, holder.last == claim.last {
        report.add(
          .duplicate, at: ClaimRank(rawValue: claim.rank).place,
          holder: ClaimRank(rawValue: holder.rank).place)
      } else {
        holder = claim
      }
    }
  }
}

/// A claim's standing as a number, lowest first, which also tells its line.
struct ClaimRank {
  /// From the highest bit: 1 whether it is a range, 8 the bits that its prefix lacks, 16 file, 39 line.
  let rawValue: UInt64

  /// The most files that can be told apart.
  static let filesMax = 1 << 16

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(rangeAt place: InputPlace) {
    rawValue = 1 << 63 | UInt64(place.file) << 39 | UInt64(place.line)
  }

  init(_ network: Network, at place: InputPlace) {
    let lacking = network.family.bitCount - network.prefixLength
    rawValue = UInt64(lacking) << 55 | UInt64(place.file) << 39 | UInt64(place.line)
  }

  var isRange: Bool { rawValue >> 63 == 1 }

  var place: InputPlace {
    InputPlace(file: Int(rawValue >> 39 & 0xFFFF), line: Int(rawValue & (1 << 39 - 1)))
  }
}

extension IPFamily {
  fileprivate var index: Int {
    switch self {
    case .ipv4: 0
    case .ipv6: 1
    }
  }
}
