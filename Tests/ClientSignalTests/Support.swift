import HTTPWire
import RegionModel

@testable import ClientSignal

/// Numbers that are the same on every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// An address of a test, bare; nil when the text is none.
func address(_ text: String) -> IPAddress? { IPAddress(text, form: .bare) }

/// A set of a test's blocks.
func set(_ texts: String...) throws -> CIDRSet {
  CIDRSet(try texts.flatMap { try CIDRBlock.parse($0) })
}
