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
  /// By `IPFamily.index`.
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
  mutating func add(
    _ range: AddressRange, country: UnsafeRawBufferPointer, at place: InputPlace
  ) throws(InputProblem) {
    let field = try CountryField(country, report: &report)
    if previous[range.family.index].file == place.file, range.first < previous[range.family.index].first {
      report.add(.outOfOrder, at: place)
    }
    previous[range.family.index] = (place.file, range.first)
    var location: SourceLocation?
    if case .country(let country) = field { location = SourceLocation(country: country) }
    guard hasRoom(range, at: place) else { return }
    append(range, record: location.map { number(of: $0) }, rank: ClaimRank(rangeAt: place))
  }

  /// Adds a network, or a range as the networks it is made of; nil takes it out of what lies around it.
  mutating func add(_ block: NetworkListParser.Block, location: SourceLocation?, at place: InputPlace) {
    let range: AddressRange
    let networks: [Network]
    switch block {
    case .network(let network):
      range = network.range
      networks = [network]
    case .range(let whole):
      range = whole
      networks = Network.blocks(whole)
    }
    guard hasRoom(range, at: place) else { return }
    let record = location.map { number(of: $0) }
    for network in networks {
      append(network.range, record: record, rank: ClaimRank(network, at: place))
    }
  }

  /// Whether the tree has room for a line's addresses; what it has no room for is reported.
  private mutating func hasRoom(_ range: AddressRange, at place: InputPlace) -> Bool {
    guard range.family == .ipv6 else { return true }
    guard ipVersion == .v6 else {
      report.add(.ipv6Skipped, at: place)
      return false
    }
    if DatabaseFile.ipv4Networks.contains(where: { range.first <= $0.last && $0.first <= range.last }) {
      report.add(.ipv4Space, at: place)
    }
    return true
  }

  private mutating func append(_ range: AddressRange, record: RecordID?, rank: ClaimRank) {
    claims[range.family.index].append(
      Claim(first: range.first, last: range.last, rank: rank.rawValue, record: record))
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
    reportDuplicates(claims)
    // Mostly all of them are: then it is the same list, not another one.
    let areRanges = claims.allSatisfy { ClaimRank(rawValue: $0.rank).isRange }
    let ranges = areRanges ? claims : claims.filter { ClaimRank(rawValue: $0.rank).isRange }
    reportGaps(ranges)
    var losers: [(loser: Claim, holder: Claim)] = []
    // Networks lie over ranges by design: which ranges overlap shows without them.
    var segments = Claims.settle(ranges) { losers.append(($0, $1)) }
    if !areRanges { segments = Claims.settle(claims) }
    report(.overlap, losers)
    return segments
  }

  private static func comesBefore(_ left: Claim, _ right: Claim) -> Bool {
    left.first != right.first ? left.first < right.first : left.rank < right.rank
  }

  private mutating func reportGaps(_ ranges: [Claim]) {
    guard var reach = ranges.first?.last else { return }
    for range in ranges {
      if range.first > reach, range.first > reach + 1 {
        report.add(.gap, at: ClaimRank(rawValue: range.rank).place)
      }
      reach = max(reach, range.last)
    }
  }

  private mutating func reportDuplicates(_ claims: [Claim]) {
    var losers: [(loser: Claim, holder: Claim)] = []
    var holder: Claim?
    for claim in claims where !ClaimRank(rawValue: claim.rank).isRange {
      if let holder, holder.first == claim.first, holder.last == claim.last {
        losers.append((claim, holder))
      } else {
        holder = claim
      }
    }
    report(.duplicate, losers)
  }

  /// Each line once, however many of its networks lose, and however often.
  private mutating func report(_ problem: InputProblem, _ losers: [(loser: Claim, holder: Claim)]) {
    var reported: Set<UInt64> = []
    for (loser, holder) in losers {
      let rank = ClaimRank(rawValue: loser.rank)
      guard reported.insert(rank.placeBits).inserted else { continue }
      report.add(problem, at: rank.place, holder: ClaimRank(rawValue: holder.rank).place)
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

  /// File and line alone.
  var placeBits: UInt64 { rawValue & (1 << 55 - 1) }

  var place: InputPlace { InputPlace(file: Int(placeBits >> 39), line: Int(placeBits & (1 << 39 - 1))) }
}
