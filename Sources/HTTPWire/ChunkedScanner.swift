/// Reads a chunked body (RFC 9112 §7.1), a byte after the other, as far as bytes have come.
///
///     chunked-body = *chunk last-chunk trailer-section CRLF
///     chunk        = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
///     last-chunk   = 1*("0") [ chunk-ext ] CRLF
///
/// Extensions are checked and ignored (RFC 9112 §7.1.1), trailer fields are checked and discarded (§7.1.2).
struct ChunkedScanner {
  /// What the next byte belongs to.
  private enum State: UInt8 {
    case size, chunkExtension, sizeLineEnd, data, dataEnd, dataLineEnd, trailers
  }

  /// Digits of a chunk's size, leading zeros included: what 64 bits take.
  static let sizeDigitsMax: UInt8 = 16
  /// Bytes of all the extensions of a body together.
  static let extensionBytesMax: UInt16 = 4096

  private var state = State.size
  private var sizeDigits: UInt8 = 0
  private var chunkBytesLeft = 0
  private var contentBytesLeft: Int
  private var chunkExtension = ChunkExtensionScanner()
  private var extensionBytesLeft = Self.extensionBytesMax
  private var trailers = FieldSectionScanner(at: 0)
  private let trailerCountMax: UInt32
  private var trailerBytesLeft: UInt32

  init(limits: WireLimits) {
    contentBytesLeft = limits.bodyBytesMax
    trailerCountMax = UInt32(limits.fieldCountMax)
    trailerBytesLeft = UInt32(limits.headerSectionBytesMax)
  }

  /// Reads the bytes that come next: how many it took to the body's end, or nil if the body goes on.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(Rejection) -> Int? {
    var cursor = 0
    while cursor < bytes.count {
      switch state {
      case .data:
        let consumed = min(chunkBytesLeft, bytes.count - cursor)
        chunkBytesLeft -= consumed
        cursor += consumed
        if chunkBytesLeft == 0 { state = .dataEnd }
      case .trailers: return try scanTrailers(bytes, from: cursor)
      default:
        try scan(bytes[cursor])
        cursor += 1
      }
    }
    return nil
  }

  /// A byte of what stands around the data.
  private mutating func scan(_ byte: UInt8) throws(Rejection) {
    switch state {
    case .size: try scanSize(byte)
    case .chunkExtension:
      if byte == 0x0D {
        guard chunkExtension.mayEnd else { throw .invalidChunkExtension }
        state = .sizeLineEnd
      } else {
        guard extensionBytesLeft > 0 else { throw .chunkExtensionsTooLong }
        extensionBytesLeft -= 1
        try chunkExtension.scan(byte)
      }
    case .sizeLineEnd:
      guard byte == 0x0A else { throw .bareCR }
      contentBytesLeft -= chunkBytesLeft
      state = chunkBytesLeft == 0 ? .trailers : .data
    case .dataEnd:
      guard byte == 0x0D else { throw byte == 0x0A ? .bareLF : .missingChunkEnd }
      state = .dataLineEnd
    case .dataLineEnd:
      guard byte == 0x0A else { throw .bareCR }
      sizeDigits = 0
      state = .size
    case .data, .trailers: break
    }
  }

  private mutating func scanSize(_ byte: UInt8) throws(Rejection) {
    if let digit = FieldSyntax.hexadecimalDigit(byte) {
      guard sizeDigits < Self.sizeDigitsMax else { throw .invalidChunkSize }
      sizeDigits += 1
      // Cannot overflow: the limit leaves room for a digit more.
      chunkBytesLeft = chunkBytesLeft * 16 + digit
      guard chunkBytesLeft <= contentBytesLeft else { throw .bodyTooLarge }
      return
    }
    guard sizeDigits > 0 else { throw .invalidChunkSize }
    switch byte {
    case 0x0D: state = .sizeLineEnd
    case 0x0A: throw .bareLF
    case 0x3B, 0x20, 0x09:
      chunkExtension = ChunkExtensionScanner()
      state = .chunkExtension
      try scan(byte)
    default: throw .invalidChunkSize
    }
  }

  private mutating func scanTrailers(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(Rejection) -> Int? {
    let stop = min(bytes.count, start + Int(trailerBytesLeft))
    trailers.continueInNewBuffer(at: start)
    while true {
      switch try trailers.next(bytes, until: stop, fieldCountMax: Int(trailerCountMax)) {
      case .line: continue
      case .end: return trailers.cursor
      case .needMore:
        trailerBytesLeft -= UInt32(trailers.cursor - start)
        guard trailerBytesLeft > 0 else { throw .headerSectionTooLarge }
        return nil
      }
    }
  }
}

/// Reads the extensions of one chunk (RFC 9112 §7.1.1), a byte after the other, from the first byte behind
/// the size to the last before CRLF.
///
///     chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
struct ChunkExtensionScanner {
  /// What came last, and so what may come next.
  private enum State: UInt8 {
    case nothing, semicolon, name, spaceAfterName, equals, token, quoted, quotedPair, quoteEnd,
      spaceAfterValue
  }

  private var state = State.nothing

  /// Whether the extensions may end here: white space may stand before `;` and `=` only.
  var mayEnd: Bool {
    switch state {
    case .name, .token, .quoteEnd: true
    default: false
    }
  }

  mutating func scan(_ byte: UInt8) throws(Rejection) {
    guard byte != 0x0A else { throw .bareLF }
    guard let next = next(byte) else { throw .invalidChunkExtension }
    state = next
  }

  private func next(_ byte: UInt8) -> State? {
    let isSpace = FieldSyntax.isWhitespace(byte)
    let isToken = FieldSyntax.isTokenCharacter(byte)
    switch (state, byte) {
    case (.quoted, 0x22): return .quoteEnd
    case (.quoted, 0x5C): return .quotedPair
    case (.quoted, _), (.quotedPair, _): return FieldSyntax.isValueCharacter(byte) ? .quoted : nil
    case (.semicolon, _) where isSpace: return .semicolon
    case (.equals, _) where isSpace: return .equals
    case (.name, _) where isSpace, (.spaceAfterName, _) where isSpace: return .spaceAfterName
    case (.nothing, _) where isSpace, (.token, _) where isSpace: return .spaceAfterValue
    case (.quoteEnd, _) where isSpace, (.spaceAfterValue, _) where isSpace: return .spaceAfterValue
    case (.semicolon, _) where isToken, (.name, _) where isToken: return .name
    case (.equals, _) where isToken, (.token, _) where isToken: return .token
    case (.equals, 0x22): return .quoted
    case (.name, 0x3D), (.spaceAfterName, 0x3D): return .equals
    case (.nothing, 0x3B), (.name, 0x3B), (.spaceAfterName, 0x3B): return .semicolon
    case (.token, 0x3B), (.quoteEnd, 0x3B), (.spaceAfterValue, 0x3B): return .semicolon
    default: return nil
    }
  }
}
