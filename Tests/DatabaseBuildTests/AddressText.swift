@testable import DatabaseBuild

/// An address as text: dotted, or eight full groups.
func addressText(_ family: IPFamily, _ bits: UInt128) -> String {
  switch family {
  case .ipv4: (0..<4).map { String(bits >> UInt128(24 - 8 * $0) & 0xFF) }.joined(separator: ".")
  case .ipv6:
    (0..<8).map { String(bits >> UInt128(112 - 16 * $0) & 0xFFFF, radix: 16) }.joined(separator: ":")
  }
}
