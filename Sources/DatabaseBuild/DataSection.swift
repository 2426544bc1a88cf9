/// The data section in the making: each value is written once, and pointed to from then on.
///
/// Strings, byte sequences, maps and arrays are shared, wherever in the section they first stood (keys of maps
/// included), whenever a pointer is shorter than the value. No pointer points to a pointer.
struct DataSection {
  /// The section so far. Offsets count from its start, as the format's do.
  private(set) var bytes: [UInt8] = []

  /// Where a value stands.
  private var written: [EncodedValue: Field] = [:]

  private struct Field {
    var offset: Int
    var byteCount: Int
  }

  /// Writes a value, unless it stands somewhere already, and returns its offset.
  mutating func offset(of value: MMDBValue) throws(DatabaseWriterError) -> Int {
    let key = EncodedValue(bytes: try Self.encoded(value))
    if let field = written[key] { return field.offset }
    return try write(value, key: key)
  }

  /// A value's encoding on its own, without pointers.
  static func encoded(_ value: MMDBValue) throws(DatabaseWriterError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: MMDBValue, to bytes: inout [UInt8]) throws(DatabaseWriterError) {
    switch value {
    case .map(let pairs):
      try MMDBEncoding.appendControl(.map, size: pairs.count, to: &bytes)
      for pair in pairs {
        try MMDBEncoding.appendScalar(.string(pair.key), to: &bytes)
        try append(pair.value, to: &bytes)
      }
    case .array(let values):
      try MMDBEncoding.appendControl(.array, size: values.count, to: &bytes)
      for value in values { try append(value, to: &bytes) }
    default: try MMDBEncoding.appendScalar(value, to: &bytes)
    }
  }

  /// A value inside another one: itself, or a pointer to where it stands.
  private mutating func append(_ value: MMDBValue) throws(DatabaseWriterError) {
    switch value {
    case .map, .array, .string, .bytes: break
    default: return try MMDBEncoding.appendScalar(value, to: &bytes)
    }
    let key = EncodedValue(bytes: try Self.encoded(value))
    if let field = written[key], MMDBEncoding.pointerByteCount(to: field.offset) < field.byteCount {
      return try MMDBEncoding.appendPointer(to: field.offset, to: &bytes)
    }
    _ = try write(value, key: key)
  }

  private mutating func write(_ value: MMDBValue, key: EncodedValue) throws(DatabaseWriterError) -> Int {
    let offset = bytes.count
    switch value {
    case .map(let pairs):
      try MMDBEncoding.appendControl(.map, size: pairs.count, to: &bytes)
      for pair in pairs {
        try append(.string(pair.key))
        try append(pair.value)
      }
    case .array(let values):
      try MMDBEncoding.appendControl(.array, size: values.count, to: &bytes)
      for value in values { try append(value) }
    default: try MMDBEncoding.appendScalar(value, to: &bytes)
    }
    if written[key] == nil { written[key] = Field(offset: offset, byteCount: bytes.count - offset) }
    return offset
  }
}

/// A value's encoding without pointers, which tells equal values: 0.0 is not -0.0, and NaN is NaN.
struct EncodedValue: Hashable {
  var bytes: [UInt8]

  /// All at once: `Array` would feed one byte after the other.
  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
