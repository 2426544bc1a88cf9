/// All that a file is made of: settled segments, their records, and what is to be said of them.
struct DatabaseFile {
  /// What is said of them.
  var metadata: DatabaseMetadata
  /// Whether the tree has room for IPv6; without it `ipv6` is left out.
  var ipVersion: IPVersion
  /// The size of a record of the tree; nil takes the smallest that fits.
  var recordSize: RecordSize?
  /// The records by number. Those that no segment names are left out.
  var records: [MMDBValue]
  /// Disjoint, in ascending order.
  var ipv4: [Segment]
  /// Disjoint, in ascending order. What lies in `ipv4Networks` gives way to IPv4.
  var ipv6: [Segment]

  /// A file's bytes, and what was counted on the way.
  struct Encoded {
    var bytes: [UInt8]
    var nodeCount: Int
    var recordCount: Int
    var recordSize: RecordSize
  }

  /// Where an IPv6 tree has IPv4 addresses: their home, then the networks that lead there as well.
  static let ipv4Networks: [Network] = [
    Network(.ipv6, first: 0, prefixLength: 96)!,
    Network(.ipv6, first: 0xFFFF << 32, prefixLength: 96)!,
    Network(.ipv6, first: 0x2002 << 112, prefixLength: 16)!,
  ]

  /// The zeros between tree and data.
  private static let separatorByteCount = 16

  /// Makes the file. `progress` is told now and then the part that is done, 0 to 1.
  func encoded(progress: (Double) -> Void = { _ in }) throws(DatabaseWriterError) -> Encoded {
    let nodes = try orderedNodes(progress: progress)
    var data = DataSection()
    var offsets = [Int](repeating: -1, count: records.count)
    var recordCount = 0
    var offsetMax = 0
    for node in nodes {
      for case let record? in [node.left.recordNumber, node.right.recordNumber] where offsets[Int(record)] < 0
      {
        offsets[Int(record)] = try data.offset(of: records[Int(record)])
        offsetMax = max(offsetMax, offsets[Int(record)])
        recordCount += 1
      }
    }
    // "Nothing" is the node count itself; data comes behind it by as much as the separator takes.
    let dataBase = nodes.count + Self.separatorByteCount
    let valueMax = recordCount == 0 ? nodes.count : dataBase + offsetMax
    let recordSize = try fittingRecordSize(valueMax: valueMax)
    let section = try metadata.section(ipVersion: ipVersion, nodeCount: nodes.count, recordSize: recordSize)

    func value(_ link: SearchTree.Link) -> Int {
      if let node = link.nodeNumber { return node }
      if let record = link.recordNumber { return dataBase + offsets[Int(record)] }
      return nodes.count
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      nodes.count * recordSize.nodeByteCount + Self.separatorByteCount + data.bytes.count + section.count)
    for node in nodes {
      recordSize.appendNode(left: value(node.left), right: value(node.right), to: &bytes)
    }
    bytes.append(contentsOf: repeatElement(0, count: Self.separatorByteCount))
    bytes.append(contentsOf: data.bytes)
    bytes.append(contentsOf: section)
    progress(1)
    return Encoded(bytes: bytes, nodeCount: nodes.count, recordCount: recordCount, recordSize: recordSize)
  }

  private func orderedNodes(progress: (Double) -> Void) throws(DatabaseWriterError) -> [SearchTree.Node] {
    var tree = SearchTree()
    let total = Double(max(ipv4.count + ipv6.count, 1))
    let ipv4Part = Double(ipv4.count) / total
    let ipv4Root = try tree.tree(.ipv4, ipv4) { progress($0 * ipv4Part * 0.9) }
    guard ipVersion == .v6 else { return tree.ordered(from: ipv4Root) }
    var root = try tree.tree(.ipv6, ipv6) { progress((ipv4Part + $0 * (1 - ipv4Part)) * 0.9) }
    for network in Self.ipv4Networks { root = try tree.grafting(ipv4Root, at: network, onto: root) }
    return tree.ordered(from: root)
  }

  private func fittingRecordSize(valueMax: Int) throws(DatabaseWriterError) -> RecordSize {
    guard let smallest = RecordSize.smallest(holding: valueMax) else {
      throw .doesNotFit(value: valueMax, recordSize: .bits32)
    }
    guard let recordSize else { return smallest }
    guard valueMax <= recordSize.valueMax else { throw .doesNotFit(value: valueMax, recordSize: recordSize) }
    return recordSize
  }
}
