import TestFixtures

@testable import DatabaseBuild

/// Networks with records, looked up by going through all of them: what a file has to agree with.
struct ModelDatabase {
  var ipVersion: IPVersion
  var networks: [(network: Network, record: MMDBValue?)]

  /// The longest prefix, of equal ones the first.
  func record(_ family: IPFamily, _ address: UInt128) -> MMDBValue? {
    var family = family
    var address = address
    if family == .ipv6,
      let home = DatabaseFile.ipv4Networks.first(where: { $0.first <= address && address <= $0.last })
    {
      // IPv4 in IPv6: the 32 bits behind the prefix.
      family = .ipv4
      address = (address << UInt128(home.prefixLength)) >> 96
    }
    var best: (length: Int, record: MMDBValue?) = (-1, nil)
    for (network, record) in networks
    where network.family == family && network.first <= address && address <= network.last
      && network.prefixLength > best.length
    {
      best = (network.prefixLength, record)
    }
    return best.record
  }

  /// The file that the writer makes of it.
  func encoded(_ recordSize: RecordSize?) throws -> [UInt8] {
    var writer = DatabaseWriter(
      metadata: DatabaseMetadata(databaseType: "Model", description: "A model", buildEpoch: 1),
      ipVersion: ipVersion, recordSize: recordSize)
    for (network, record) in networks { try writer.insert(record, at: network) }
    return try writer.encoded()
  }

  /// The ends of all networks and the addresses beside them, and as many anywhere.
  func probes(using generator: inout SeededGenerator) -> [(family: IPFamily, address: UInt128)] {
    var probes: [(IPFamily, UInt128)] = []
    for (network, _) in networks {
      let (first, last) = (network.first, network.last)
      for address in [first, first &- 1, last, last &+ 1, first + (last - first) / 2]
      where address <= network.family.addressMax {
        probes.append((network.family, address))
      }
      if ipVersion == .v6, network.family == .ipv4 {
        probes += DatabaseFile.ipv4Networks.map {
          (.ipv6, $0.first | last << UInt128(96 - $0.prefixLength))
        }
      }
    }
    for _ in networks {
      let family: IPFamily = ipVersion == .v6 && Bool.random(using: &generator) ? .ipv6 : .ipv4
      probes.append((family, UInt128.random(in: 0...family.addressMax, using: &generator)))
    }
    return probes
  }

  /// Random networks, nested and beside each other, and random records of all types.
  static func random(_ ipVersion: IPVersion, count: Int, using generator: inout SeededGenerator)
    -> ModelDatabase
  {
    let records = (0..<40).map { record($0, using: &generator) }
    var networks: [(Network, MMDBValue?)] = []
    for _ in 0..<count {
      let family: IPFamily = ipVersion == .v6 && Bool.random(using: &generator) ? .ipv6 : .ipv4
      let length = Int.random(in: 1...family.bitCount, using: &generator)
      // Half of them near one another, so that they nest.
      let mask = family.addressMax ^ (family.addressMax >> UInt128(length))
      var bits = UInt128.random(in: 0...family.addressMax, using: &generator)
      if Bool.random(using: &generator) { bits &= 0x7 << UInt128(family.bitCount - 12) }
      let network = Network(family, first: bits & mask, prefixLength: length)!
      networks.append(
        (
          network,
          Int.random(in: 0..<8, using: &generator) == 0 ? nil : records.randomElement(using: &generator)!
        ))
    }
    return ModelDatabase(ipVersion: ipVersion, networks: networks)
  }

  private static func record(_ number: Int, using generator: inout SeededGenerator) -> MMDBValue {
    let text = String(repeating: "é", count: Int.random(in: 0...200, using: &generator))
    return [
      "number": .uint16(UInt16(number)), "text": .string(text),
      "shared": ["iso_code": "KR", "한국": ["a", "b"]],
      "all": [
        .uint32(.random(in: 0 ... .max, using: &generator)),
        .uint64(.random(in: 0 ... .max, using: &generator)),
        .uint128(.random(in: 0 ... .max, using: &generator)),
        .int32(.random(in: .min ... .max, using: &generator)),
        .double(Double(Int16.random(in: .min ... .max, using: &generator)) / 8), .float(0.25),
        .bool(Bool.random(using: &generator)), .bytes(Array(text.utf8.prefix(number))), [:],
        .array([]),
      ],
    ]
  }
}

extension MMDBValue {
  /// As `compare_readers.py` wants it.
  var json: String {
    switch self {
    case .map(let pairs): "{" + pairs.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
    case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .string(let text): "\"\(text)\""
    case .bytes(let bytes):
      "{\"bytes\":\"" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\"}"
    case .double(let number): "\(number)"
    case .float(let number): "\(number)"
    case .uint16(let number): "\(number)"
    case .uint32(let number): "\(number)"
    case .uint64(let number): "\(number)"
    case .uint128(let number): "\(number)"
    case .int32(let number): "\(number)"
    case .bool(let isTrue): "\(isTrue)"
    }
  }
}
