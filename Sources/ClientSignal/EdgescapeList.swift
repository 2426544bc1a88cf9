import HTTPWire
import RegionModel

/// Akamai's `X-Akamai-Edgescape`: pairs `key=value` with commas between them.
enum EdgescapeList {
  /// The value of a key, given in lower case. A key that appears twice is not to be believed; what else the
  /// list holds is not looked at.
  static func value(of key: StaticString, in list: UnsafeRawBufferPointer) -> FieldText {
    var found = FieldText.absent
    var start = 0
    while start <= list.count {
      let end = list[start...].firstIndex(of: UInt8(ascii: ",")) ?? list.count
      let pair = UnsafeRawBufferPointer(rebasing: list[start..<end])
      if let equals = pair.firstIndex(of: UInt8(ascii: "=")),
        FieldSyntax.matches(FieldSyntax.trimmed(UnsafeRawBufferPointer(rebasing: pair[..<equals])), key)
      {
        guard case .absent = found else { return .invalid(.invalid) }
        found = .text(UnsafeRawBufferPointer(rebasing: pair[(equals + 1)...]))
      }
      start = end + 1
    }
    return found
  }
}
