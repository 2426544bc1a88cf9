import HTTPWire

extension UnsafeRawBufferPointer {
  /// The bytes without spaces and tabs at either end (RFC 9110 §5.6.3).
  var trimmed: UnsafeRawBufferPointer {
    let isVisible: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 }
    guard let first = firstIndex(where: isVisible), let last = lastIndex(where: isVisible) else {
      return UnsafeRawBufferPointer(rebasing: self[0..<0])
    }
    return UnsafeRawBufferPointer(rebasing: self[first...last])
  }

  /// Whether the bytes are these, regardless of the case of ASCII letters.
  func equals(lowercased other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { FieldSyntax.lowercased($0) == $1 }
  }

  /// The same for a name that stands in the source.
  func equals(lowercased other: StaticString) -> Bool {
    count == other.utf8CodeUnitCount
      && other.withUTF8Buffer { zip(self, $0).allSatisfy { FieldSyntax.lowercased($0) == $1 } }
  }

  /// Whether the bytes are these, case included.
  func equals(_ other: StaticString) -> Bool {
    count == other.utf8CodeUnitCount && other.withUTF8Buffer { elementsEqual($0) }
  }
}
