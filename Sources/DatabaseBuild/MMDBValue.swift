/// A value as the data section of a MaxMind DB file holds it (format 2.0, "Output Data Section").
///
/// A value type; usable from any thread.
package indirect enum MMDBValue: Equatable, Sendable {
  /// Pairs in the order in which they are written. Keys should differ; readers differ on what they do else.
  case map([Pair])
  /// Values of any types.
  case array([MMDBValue])
  /// Text, written as UTF-8.
  case string(String)
  /// Any bytes.
  case bytes([UInt8])
  /// IEEE 754 binary64.
  case double(Double)
  /// IEEE 754 binary32.
  case float(Float)
  /// An unsigned integer of 16 bits.
  case uint16(UInt16)
  /// An unsigned integer of 32 bits.
  case uint32(UInt32)
  /// An unsigned integer of 64 bits.
  case uint64(UInt64)
  /// An unsigned integer of 128 bits.
  case uint128(UInt128)
  /// A signed integer of 32 bits.
  case int32(Int32)
  /// A truth value.
  case bool(Bool)

  /// A key of a map with its value.
  package struct Pair: Equatable, Sendable {
    /// The key.
    package var key: String
    /// What the key stands for.
    package var value: MMDBValue

    /// A pair from its parts.
    package init(key: String, value: MMDBValue) {
      self.key = key
      self.value = value
    }
  }

  /// What the first pair with this key holds; nil when there is none or this is no map.
  package subscript(key: String) -> MMDBValue? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}

extension MMDBValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// A map, its pairs in the literal's order.
  package init(dictionaryLiteral elements: (String, MMDBValue)...) {
    self = .map(elements.map { Pair(key: $0.0, value: $0.1) })
  }

  /// A string.
  package init(stringLiteral value: String) { self = .string(value) }

  /// An array.
  package init(arrayLiteral elements: MMDBValue...) { self = .array(elements) }
}
