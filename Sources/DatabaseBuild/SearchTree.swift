/// The binary search tree in the making (format 2.0, "Binary Search Tree Section").
///
/// Nodes are never changed, and equal ones are one: subtrees that say the same are shared, whatever their depth.
/// Readers only ever follow records, so they cannot tell; the file and what a lookup touches get smaller.
struct SearchTree {
  /// What one side of a node says: a node, a record, or nothing.
  struct Link: Equatable {
    /// Below `leafBit` the number of a node; else a record's number with `leafBit`; all ones for nothing.
    fileprivate var bits: UInt32

    private static let leafBit: UInt32 = 1 << 31

    /// There is nothing for these addresses.
    static let nothing = Link(bits: .max)
    /// The highest number that a record can have.
    static let recordMax: RecordID = leafBit - 2
    /// The highest number that a node can have.
    fileprivate static let nodeMax = Int(leafBit - 1)

    fileprivate static func node(_ number: Int) -> Link { Link(bits: UInt32(number)) }
    static func record(_ number: RecordID) -> Link { Link(bits: number | leafBit) }

    /// The number of the node; nil when it is none.
    var nodeNumber: Int? { bits < Self.leafBit ? Int(bits) : nil }
    /// The number of the record; nil when it is none.
    var recordNumber: RecordID? { bits >= Self.leafBit && self != .nothing ? bits & ~Self.leafBit : nil }
  }

  /// Two links.
  struct Node: Equatable {
    /// For addresses whose next bit is 0.
    var left: Link
    /// For addresses whose next bit is 1.
    var right: Link
  }

  /// Children come before their parents.
  private(set) var nodes: [Node] = []
  /// Node numbers plus 1 by hash, 0 for free; open addressing, at most half full; a power of two.
  private var table = [UInt32](repeating: 0, count: 1024)

  /// The subtree for a family's whole space from disjoint segments in ascending order.
  ///
  /// `progress` is told now and then the part that is done, 0 to 1.
  mutating func tree(
    _ family: IPFamily, _ segments: [Segment], progress: (Double) -> Void = { _ in }
  ) throws(DatabaseWriterError) -> Link {
    try segments.withUnsafeBufferPointer { (segments) throws(DatabaseWriterError) in
      var reportAt = 0
      return try subtree(
        of: segments, in: 0..<segments.count, first: 0, last: family.addressMax, reportAt: &reportAt,
        progress: progress)
    }
  }

  /// What a block says; `range` are the segments that touch it.
  private mutating func subtree(
    of segments: UnsafeBufferPointer<Segment>, in range: Range<Int>, first: UInt128, last: UInt128,
    reportAt: inout Int, progress: (Double) -> Void
  ) throws(DatabaseWriterError) -> Link {
    guard !range.isEmpty else { return .nothing }
    if range.count == 1, segments[range.lowerBound].first <= first, segments[range.lowerBound].last >= last {
      if range.lowerBound >= reportAt {
        progress(Double(range.lowerBound) / Double(segments.count))
        reportAt = range.lowerBound + max(segments.count / 64, 1)
      }
      return .record(segments[range.lowerBound].record)
    }
    let middle = first + (last - first) / 2 + 1
    var split = range.lowerBound
    var end = range.upperBound
    while split < end {
      let probe = split + (end - split) / 2
      if segments[probe].first < middle { split = probe + 1 } else { end = probe }
    }
    // The segment before the split may reach over the middle and then belongs to both halves.
    let isSplit = split > range.lowerBound && segments[split - 1].last >= middle
    let left = try subtree(
      of: segments, in: range.lowerBound..<split, first: first, last: middle - 1, reportAt: &reportAt,
      progress: progress)
    let right = try subtree(
      of: segments, in: (isSplit ? split - 1 : split)..<range.upperBound, first: middle, last: last,
      reportAt: &reportAt, progress: progress)
    return try link(left, right)
  }

  /// A tree like the one at `root` but for one network, where `replacement` stands.
  mutating func grafting(
    _ replacement: Link, at network: Network, onto root: Link, depth: Int = 0
  ) throws(DatabaseWriterError) -> Link {
    guard depth < network.prefixLength else { return replacement }
    // A record for a whole block is the same record for both its halves.
    let node = root.nodeNumber.map { nodes[$0] } ?? Node(left: root, right: root)
    let isRight = network.first >> UInt128(network.family.bitCount - 1 - depth) & 1 == 1
    if isRight {
      return try link(node.left, grafting(replacement, at: network, onto: node.right, depth: depth + 1))
    }
    return try link(grafting(replacement, at: network, onto: node.left, depth: depth + 1), node.right)
  }

  /// The link that says `left` and `right`: a record for both, a node already there, or a new one.
  private mutating func link(_ left: Link, _ right: Link) throws(DatabaseWriterError) -> Link {
    if left == right, left.nodeNumber == nil { return left }
    if (nodes.count + 1) * 2 > table.count { grow() }
    let node = Node(left: left, right: right)
    var slot = Self.hash(node) & (table.count - 1)
    while table[slot] != 0 {
      let number = Int(table[slot] - 1)
      if nodes[number] == node { return .node(number) }
      slot = (slot + 1) & (table.count - 1)
    }
    guard nodes.count <= Link.nodeMax else { throw .tooManyNodes }
    nodes.append(node)
    table[slot] = UInt32(nodes.count)
    return .node(nodes.count - 1)
  }

  private mutating func grow() {
    let mask = table.count * 2 - 1
    table = [UInt32](repeating: 0, count: mask + 1)
    for number in nodes.indices {
      var slot = Self.hash(nodes[number]) & mask
      while table[slot] != 0 { slot = (slot + 1) & mask }
      table[slot] = UInt32(number + 1)
    }
  }

  private static func hash(_ node: Node) -> Int {
    let pair = UInt64(node.left.bits) << 32 | UInt64(node.right.bits)
    let mixed = (pair ^ pair >> 29) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20)
  }

  /// The nodes as the file has them: the root first, each node before those it leads to, those on its left
  /// right behind it. Numbers of nodes are places in the result. A root that is no node becomes one.
  func ordered(from root: Link) -> [Node] {
    guard let rootNumber = root.nodeNumber else { return [Node(left: root, right: root)] }
    var places = [UInt32](repeating: .max, count: nodes.count)
    var order: [Int] = []
    var pending = [rootNumber]
    while let number = pending.popLast() {
      guard places[number] == .max else { continue }
      places[number] = UInt32(order.count)
      order.append(number)
      if let right = nodes[number].right.nodeNumber { pending.append(right) }
      if let left = nodes[number].left.nodeNumber { pending.append(left) }
    }
    func placed(_ link: Link) -> Link { link.nodeNumber.map { Link(bits: places[$0]) } ?? link }
    return order.map { Node(left: placed(nodes[$0].left), right: placed(nodes[$0].right)) }
  }
}
