/// Reads values of a data or metadata section (format 2.0), and believes nothing: sizes, offsets, types and text
/// are checked, and depth, number and size of values are bounded, so that no section can take more time, stack or
/// memory.
struct MMDBDecoder {
  /// Values inside values, at most.
  static let depthMax = 32
  /// Values in all, those that pointers repeat counted each time.
  static let valuesMax = 100_000
  /// Bytes of texts and byte sequences in all, those that pointers repeat counted each time.
  static let payloadBytesMax = 32 << 20

  private let section: [UInt8]
  private var position = 0
  private var valuesLeft = MMDBDecoder.valuesMax
  private var payloadBytesLeft = MMDBDecoder.payloadBytesMax

  private init(_ section: [UInt8], at offset: Int) {
    self.section = section
    position = offset
  }

  /// The value at an offset from the section's start.
  static func value(in section: [UInt8], at offset: Int = 0) throws(MMDBDecodingError) -> MMDBValue {
    guard section.indices.contains(offset) else { throw .outOfBounds }
    var decoder = MMDBDecoder(section, at: offset)
    return try decoder.value(depth: 0)
  }

  private mutating func value(depth: Int, isPointedTo: Bool = false) throws(MMDBDecodingError) -> MMDBValue {
    guard depth <= Self.depthMax, valuesLeft > 0 else { throw .tooComplex }
    valuesLeft -= 1
    let control = try byte()
    if control >> 5 == MMDBType.pointer.rawValue {
      guard !isPointedTo else { throw .pointerToPointer }
      let target = try pointer(control)
      let behind = position
      guard target < section.count else { throw .outOfBounds }
      position = target
      let value = try value(depth: depth, isPointedTo: true)
      position = behind
      return value
    }
    var number = control >> 5
    if number == 0 {
      let (sum, isTooLarge) = try byte().addingReportingOverflow(7)
      // The types up to 7 have no extended spelling.
      guard !isTooLarge, sum > 7 else { throw .badType }
      number = sum
    }
    guard let type = MMDBType(rawValue: number) else { throw .badType }
    return try value(type, size: size(control), depth: depth)
  }

  private mutating func value(
    _ type: MMDBType, size: Int, depth: Int
  ) throws(MMDBDecodingError) -> MMDBValue {
    switch type {
    case .map: return try map(count: size, depth: depth)
    case .array:
      var values: [MMDBValue] = []
      for _ in 0..<size { try values.append(value(depth: depth + 1)) }
      return .array(values)
    case .string:
      guard let text = String(validating: try payload(size), as: UTF8.self) else { throw .notUTF8 }
      return .string(text)
    case .bytes: return .bytes(Array(try payload(size)))
    case .double: return .double(Double(bitPattern: UInt64(try integer(size, exactly: 8))))
    case .float: return .float(Float(bitPattern: UInt32(try integer(size, exactly: 4))))
    case .uint16: return .uint16(UInt16(try integer(size, atMost: 2)))
    case .uint32: return .uint32(UInt32(try integer(size, atMost: 4)))
    case .uint64: return .uint64(UInt64(try integer(size, atMost: 8)))
    case .uint128: return .uint128(try integer(size, atMost: 16))
    case .int32: return .int32(Int32(bitPattern: UInt32(try integer(size, atMost: 4))))
    case .bool:
      guard size <= 1 else { throw .badSize }
      return .bool(size == 1)
    case .pointer, .cacheContainer, .endMarker: throw .badType
    }
  }

  private mutating func map(count: Int, depth: Int) throws(MMDBDecodingError) -> MMDBValue {
    var pairs: [MMDBValue.Pair] = []
    for _ in 0..<count {
      guard case .string(let key) = try value(depth: depth + 1) else { throw .keyIsNoString }
      pairs.append(.init(key: key, value: try value(depth: depth + 1)))
    }
    return .map(pairs)
  }

  private mutating func size(_ control: UInt8) throws(MMDBDecodingError) -> Int {
    switch control & 0x1F {
    case 29: try 29 + Int(bigEndian(1))
    case 30: try 285 + Int(bigEndian(2))
    case 31: try 65_821 + Int(bigEndian(3))
    case let size: Int(size)
    }
  }

  private mutating func pointer(_ control: UInt8) throws(MMDBDecodingError) -> Int {
    let high = Int(control & 7)
    switch control >> 3 & 3 {
    case 0: return try high << 8 | Int(bigEndian(1))
    case 1: return try (high << 16 | Int(bigEndian(2))) + 2048
    case 2: return try (high << 24 | Int(bigEndian(3))) + 526_336
    default: return try Int(bigEndian(4))
    }
  }

  private mutating func integer(_ size: Int, atMost sizeMax: Int) throws(MMDBDecodingError) -> UInt128 {
    guard size <= sizeMax else { throw .badSize }
    return try bigEndian(size)
  }

  private mutating func integer(_ size: Int, exactly expected: Int) throws(MMDBDecodingError) -> UInt128 {
    guard size == expected else { throw .badSize }
    return try bigEndian(size)
  }

  private mutating func bigEndian(_ byteCount: Int) throws(MMDBDecodingError) -> UInt128 {
    try take(byteCount).reduce(0) { $0 << 8 | UInt128($1) }
  }

  private mutating func byte() throws(MMDBDecodingError) -> UInt8 {
    guard position < section.count else { throw .outOfBounds }
    defer { position += 1 }
    return section[position]
  }

  private mutating func payload(_ size: Int) throws(MMDBDecodingError) -> ArraySlice<UInt8> {
    let bytes = try take(size)
    guard size <= payloadBytesLeft else { throw .tooComplex }
    payloadBytesLeft -= size
    return bytes
  }

  private mutating func take(_ count: Int) throws(MMDBDecodingError) -> ArraySlice<UInt8> {
    guard count <= section.count - position else { throw .outOfBounds }
    defer { position += count }
    return section[position..<(position + count)]
  }
}

/// Why bytes are no value.
package enum MMDBDecodingError: String, Error, Sendable {
  case outOfBounds = "a value reaches over the end"
  case badType = "a type that there is not, or not here"
  case badSize = "a number with more bytes than its type has"
  case notUTF8 = "text that is not UTF-8"
  case keyIsNoString = "a map's key that is no text"
  case pointerToPointer = "a pointer to a pointer"
  case tooComplex = "values nested too deeply, or too many"
}
