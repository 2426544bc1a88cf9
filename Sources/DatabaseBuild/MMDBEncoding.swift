/// The type numbers of format 2.0.
enum MMDBType: UInt8 {
  case pointer = 1
  case string = 2
  case double = 3
  case bytes = 4
  case uint16 = 5
  case uint32 = 6
  case map = 7
  case int32 = 8
  case uint64 = 9
  case uint128 = 10
  case array = 11
  case cacheContainer = 12
  case endMarker = 13
  case bool = 14
  case float = 15
}

/// How fields are laid down, byte by byte (format 2.0, "Data Field Format").
enum MMDBEncoding {
  /// The largest payload of one field: bytes of a string or byte sequence, pairs of a map, values of an array.
  static let payloadSizeMax = 65_821 + 0xFF_FFFF

  /// The largest offset that a pointer can hold.
  static let pointerMax = Int(UInt32.max)

  /// Appends a field's control byte, its extended type and its size.
  static func appendControl(_ type: MMDBType, size: Int, to bytes: inout [UInt8]) throws(DatabaseWriterError)
  {
    guard size <= payloadSizeMax else { throw .valueTooLarge }
    let sizeBits: UInt8
    let rest: (value: Int, byteCount: Int)
    switch size {
    case ..<29: (sizeBits, rest) = (UInt8(size), (0, 0))
    case ..<285: (sizeBits, rest) = (29, (size - 29, 1))
    case ..<65_821: (sizeBits, rest) = (30, (size - 285, 2))
    default: (sizeBits, rest) = (31, (size - 65_821, 3))
    }
    // Types over 7 do not fit the three bits: those are 0, and the next byte is the number less 7.
    if type.rawValue <= 7 {
      bytes.append(type.rawValue << 5 | sizeBits)
    } else {
      bytes.append(sizeBits)
      bytes.append(type.rawValue - 7)
    }
    appendBigEndian(UInt128(rest.value), byteCount: rest.byteCount, to: &bytes)
  }

  /// Appends a value that is neither map nor array.
  static func appendScalar(_ value: MMDBValue, to bytes: inout [UInt8]) throws(DatabaseWriterError) {
    switch value {
    case .string(let text):
      try appendControl(.string, size: text.utf8.count, to: &bytes)
      bytes.append(contentsOf: text.utf8)
    case .bytes(let payload):
      try appendControl(.bytes, size: payload.count, to: &bytes)
      bytes.append(contentsOf: payload)
    case .double(let number):
      try appendControl(.double, size: 8, to: &bytes)
      appendBigEndian(UInt128(number.bitPattern), byteCount: 8, to: &bytes)
    case .float(let number):
      try appendControl(.float, size: 4, to: &bytes)
      appendBigEndian(UInt128(number.bitPattern), byteCount: 4, to: &bytes)
    case .uint16(let number): try appendInteger(.uint16, UInt128(number), to: &bytes)
    case .uint32(let number): try appendInteger(.uint32, UInt128(number), to: &bytes)
    case .uint64(let number): try appendInteger(.uint64, UInt128(number), to: &bytes)
    case .uint128(let number): try appendInteger(.uint128, number, to: &bytes)
    case .int32(let number):
      try appendInteger(.int32, UInt128(UInt32(bitPattern: number)), to: &bytes)
    case .bool(let isTrue): try appendControl(.bool, size: isTrue ? 1 : 0, to: &bytes)
    case .map, .array: preconditionFailure("maps and arrays are no scalars")
    }
  }

  /// Appends a pointer to an offset in the data section, in the shortest of the four sizes.
  static func appendPointer(to offset: Int, to bytes: inout [UInt8]) throws(DatabaseWriterError) {
    guard offset <= pointerMax else { throw .dataSectionTooLarge }
    let byteCount = pointerByteCount(to: offset)
    // Each size starts counting where the one below it ends; the widest starts again from 0.
    let value: Int
    switch byteCount {
    case 3: value = offset - 2048
    case 4: value = offset - 526_336
    default: value = offset
    }
    let highBits = byteCount == 5 ? 0 : UInt8(value >> ((byteCount - 1) * 8))
    bytes.append(MMDBType.pointer.rawValue << 5 | UInt8(byteCount - 2) << 3 | highBits)
    appendBigEndian(UInt128(value), byteCount: byteCount - 1, to: &bytes)
  }

  /// How many bytes a pointer to this offset takes: 2, 3, 4 or 5.
  static func pointerByteCount(to offset: Int) -> Int {
    switch offset {
    case ..<2048: 2
    case ..<526_336: 3
    case ..<134_744_064: 4
    default: 5
    }
  }

  /// Integers are as short as their value lets them be; 0 has no payload at all.
  private static func appendInteger(
    _ type: MMDBType, _ number: UInt128, to bytes: inout [UInt8]
  ) throws(DatabaseWriterError) {
    let byteCount = (128 - number.leadingZeroBitCount + 7) / 8
    try appendControl(type, size: byteCount, to: &bytes)
    appendBigEndian(number, byteCount: byteCount, to: &bytes)
  }

  private static func appendBigEndian(_ number: UInt128, byteCount: Int, to bytes: inout [UInt8]) {
    for index in (0..<byteCount).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt128(index * 8)))
    }
  }
}
