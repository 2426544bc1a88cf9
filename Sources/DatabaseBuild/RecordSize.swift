/// How many bits a record of the search tree has; a node has two (format 2.0, "Node Layout").
package enum RecordSize: Int, CaseIterable, Sendable {
  /// Six bytes a node; values below 2²⁴.
  case bits24 = 24
  /// Seven bytes a node, the middle one shared; values below 2²⁸.
  case bits28 = 28
  /// Eight bytes a node; values below 2³².
  case bits32 = 32

  /// The bytes of a node.
  package var nodeByteCount: Int { rawValue / 4 }

  /// The largest value that a record can hold.
  package var valueMax: Int { 1 << rawValue - 1 }

  /// The smallest size that holds this value; nil when none does.
  static func smallest(holding value: Int) -> RecordSize? { allCases.first { value <= $0.valueMax } }

  /// Appends a node. Both values must fit.
  func appendNode(left: Int, right: Int, to bytes: inout [UInt8]) {
    switch self {
    case .bits24, .bits32:
      Self.append(left, byteCount: rawValue / 8, to: &bytes)
      Self.append(right, byteCount: rawValue / 8, to: &bytes)
    case .bits28:
      Self.append(left, byteCount: 3, to: &bytes)
      bytes.append(UInt8(left >> 24) << 4 | UInt8(right >> 24))
      Self.append(right, byteCount: 3, to: &bytes)
    }
  }

  private static func append(_ value: Int, byteCount: Int, to bytes: inout [UInt8]) {
    for index in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
  }
}
