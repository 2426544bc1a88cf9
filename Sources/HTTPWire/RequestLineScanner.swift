/// Reads a request line (RFC 9112 §3), a byte after the other, as far as bytes have come.
///
///     request-line = method SP request-target SP HTTP-version
///
/// One empty line before it is passed over (RFC 9112 §2.2: "at least one"). Every byte is judged where it
/// stands, so the verdict does not depend on how the bytes were cut, and what cannot become a request line
/// is refused at its first wrong byte.
struct RequestLineScanner {
  /// What the byte at the cursor belongs to.
  private enum State: UInt8 { case start, emptyLineEnd, method, target, version, lineEnd }

  /// The longest method that is read; longer than any of the registry's.
  static let methodBytesMax = 32
  static let emptyLinesMax: UInt8 = 1

  private var state = State.start
  private var emptyLines: UInt8 = 0
  /// How far the bytes have been read.
  private(set) var cursor = 0
  // 32 bits, which `WireLimits` keeps to: a connection has one of these.
  private var lineStart: UInt32 = 0
  private var targetStart: UInt32 = 0
  /// Where the target's `?` stands; 0 without one.
  private var queryMark: UInt32 = 0
  private var versionStart: UInt32 = 0
  private var hasPercentOrBracket = false
  private var isMajorVersion1 = false
  /// The method, once it has been read whole.
  private(set) var method = RequestMethod.other
  private(set) var version = HTTPVersion.http11

  /// Whether anything but empty lines has come.
  var hasBegun: Bool { state.rawValue >= State.method.rawValue }

  /// The path that the target has, once the line has been read.
  func path(_ bytes: UnsafeRawBufferPointer) throws(Rejection) -> RequestTarget {
    let start = Int(targetStart)
    let end = Int(versionStart) - 1
    // The usual case needs no second look.
    if bytes[start] == 0x2F, !hasPercentOrBracket, method != .connect {
      return .slice(start: start, length: (queryMark > 0 ? Int(queryMark) : end) - start)
    }
    return try RequestTarget(bytes, in: start..<end, method: method)
  }

  /// Reads on; true once the line and its CRLF have been read.
  mutating func scan(_ bytes: UnsafeRawBufferPointer, lineBytesMax: Int) throws(Rejection) -> Bool {
    if state == .start, scanUsualLine(bytes, lineBytesMax) { return true }
    guard try skipEmptyLines(bytes) else { return false }
    let limit = Int(lineStart) + lineBytesMax + 2
    let stop = min(bytes.count, limit)
    while cursor < stop {
      switch state {
      // No empty line is left here.
      case .start, .emptyLineEnd, .method: try scanMethod(bytes, stop)
      case .target: try scanTarget(bytes, stop)
      case .version:
        if skipUsualVersion(bytes, stop) { continue }
        try scanVersion(bytes[cursor])
      case .lineEnd:
        guard bytes[cursor] == 0x0A else { throw .bareCR }
        cursor += 1
        guard isMajorVersion1 else { throw .versionNotSupported }
        return true
      }
    }
    if cursor >= limit { throw .requestLineTooLong }
    return false
  }

  /// Reads `GET /path HTTP/1.1` or `HEAD …` and its CRLF, if that is what comes next, all of it is there, and no byte
  /// of the path needs a second look. Otherwise nothing has happened.
  @inline(__always)
  private mutating func scanUsualLine(_ bytes: UnsafeRawBufferPointer, _ lineBytesMax: Int) -> Bool {
    let stop = min(bytes.count, cursor + lineBytesMax + 2)
    guard stop &- cursor >= Self.usualLineBytesMin else { return false }
    let letters: UInt32 = bytes.word(at: cursor)
    let isGet = letters == Self.get
    guard isGet || letters == Self.head && bytes[cursor &+ 4] == 0x20 else { return false }
    let target = cursor &+ (isGet ? 4 : 5)
    guard bytes[target] == 0x2F else { return false }
    let end = target &+ ByteSpan.path(bytes, target..<stop)
    guard stop &- end >= Self.usualEndBytes, bytes.word(at: end) == Self.usualEnd.0,
      bytes.word(at: end &+ 7) == Self.usualEnd.1
    else { return false }
    lineStart = UInt32(truncatingIfNeeded: cursor)
    beginTarget(isGet ? .get : .head, at: target)
    versionStart = UInt32(truncatingIfNeeded: end &+ 1)
    isMajorVersion1 = true
    state = .lineEnd
    cursor = end &+ Self.usualEndBytes
    return true
  }

  // As numbers whose lowest byte is the first letter: `GET `; `HEAD`; ` HTTP/1.`, then `.1` and CRLF; `HTTP/1.1`.
  private static let get: UInt32 = 0x2054_4547
  private static let head: UInt32 = 0x4441_4548
  private static let usualEnd: (UInt64, UInt32) = (0x2E31_2F50_5454_4820, 0x0A0D_312E)
  private static let usualVersion: UInt64 = 0x312E_312F_5054_5448
  private static let usualEndBytes = 11
  private static let usualLineBytesMin = 16

  /// True once the cursor stands in the request line.
  private mutating func skipEmptyLines(_ bytes: UnsafeRawBufferPointer) throws(Rejection) -> Bool {
    while !hasBegun {
      guard cursor < bytes.count else { return false }
      let byte = bytes[cursor]
      if state == .emptyLineEnd {
        guard byte == 0x0A else { throw .bareCR }
        emptyLines += 1
        state = .start
        cursor += 1
      } else if byte == 0x0D {
        guard emptyLines < Self.emptyLinesMax else { throw .tooManyEmptyLines }
        state = .emptyLineEnd
        cursor += 1
      } else {
        lineStart = UInt32(truncatingIfNeeded: cursor)
        state = .method
      }
    }
    return true
  }

  private mutating func scanMethod(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    let start = Int(lineStart)
    var index = cursor
    while index < stop, ByteClass.token.contains(bytes[index]) {
      guard index &- start < Self.methodBytesMax else { throw .methodTooLong }
      index &+= 1
    }
    cursor = index
    guard index < stop else { return }
    let byte = bytes[index]
    guard byte == 0x20, index > start else { throw byte == 0x0A ? .bareLF : .badMethodByte }
    beginTarget(RequestMethod(UnsafeRawBufferPointer(rebasing: bytes[start..<index])), at: index + 1)
  }

  private mutating func beginTarget(_ method: RequestMethod, at index: Int) {
    self.method = method
    cursor = index
    targetStart = UInt32(truncatingIfNeeded: index)
    state = .target
  }

  private mutating func scanTarget(_ bytes: UnsafeRawBufferPointer, _ stop: Int) throws(Rejection) {
    var index = cursor &+ ByteSpan.path(bytes, cursor..<stop)
    while index < stop {
      let byte = bytes[index]
      if !ByteClass.path.contains(byte) {
        switch byte {
        case 0x3F: if queryMark == 0 { queryMark = UInt32(truncatingIfNeeded: index) }
        case 0x25, 0x5B, 0x5D: hasPercentOrBracket = true
        default:
          cursor = index
          try endTarget(byte)
          return
        }
      }
      index &+= 1
    }
    cursor = index
  }

  private mutating func endTarget(_ byte: UInt8) throws(Rejection) {
    let isEmpty = cursor == Int(targetStart)
    switch byte {
    case 0x20 where !isEmpty:
      cursor += 1
      versionStart = UInt32(truncatingIfNeeded: cursor)
      state = .version
    case 0x20: throw .emptyTarget
    case 0x23: throw .fragmentInTarget
    case 0x0A: throw .bareLF
    case 0x0D: throw isEmpty ? .emptyTarget : .missingVersion  // HTTP/0.9 has no version
    default: throw .badTargetByte
    }
  }

  /// Passes over `HTTP/1.1` and the CR, if that is what comes next and all of it is there.
  @inline(__always)
  private mutating func skipUsualVersion(_ bytes: UnsafeRawBufferPointer, _ stop: Int) -> Bool {
    guard cursor == Int(versionStart), cursor + 9 <= stop, bytes.word(at: cursor) == Self.usualVersion,
      bytes[cursor + 8] == 0x0D
    else { return false }
    isMajorVersion1 = true
    version = .http11
    cursor += 9
    state = .lineEnd
    return true
  }

  /// `HTTP-version = "HTTP" "/" DIGIT "." DIGIT`, and the CR.
  private mutating func scanVersion(_ byte: UInt8) throws(Rejection) {
    let offset = cursor - Int(versionStart)
    switch offset {
    case 0..<5: guard byte == Self.versionStartText.utf8Start[offset] else { throw .invalidVersion }
    case 5:
      guard FieldSyntax.decimalDigit(byte) != nil else { throw .invalidVersion }
      isMajorVersion1 = byte == 0x31
    case 6: guard byte == 0x2E else { throw .invalidVersion }
    case 7:
      guard FieldSyntax.decimalDigit(byte) != nil else { throw .invalidVersion }
      version = byte == 0x30 ? .http10 : .http11
    default:
      guard byte == 0x0D else { throw byte == 0x0A ? .bareLF : .invalidVersion }
      state = .lineEnd
    }
    cursor += 1
  }

  private static let versionStartText: StaticString = "HTTP/"
}
