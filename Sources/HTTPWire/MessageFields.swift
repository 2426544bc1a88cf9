/// What the fields that the wire itself must understand have said so far: Host, Content-Length,
/// Transfer-Encoding, Connection, Expect. Each is judged when its line is complete.
struct MessageFields {
  private(set) var hasHost = false
  /// Content-Length's value, at most `Int.max`; negative while there is none.
  private var contentLength = -1
  private var isChunked = false
  private var asksToClose = false
  private var asksToKeepAlive = false
  private var expectsContinue = false
  private(set) var hasUnknownExpectation = false

  /// How long the names of these fields are, a bit for each length.
  private static let nameLengths: UInt32 = 1 << 4 | 1 << 6 | 1 << 10 | 1 << 14 | 1 << 17

  /// Whether a name of so many bytes may be one of these: most fields are told by it alone.
  @inline(__always)
  static func mayConcern(nameLength: Int) -> Bool {
    nameLength < 32 && nameLengths &>> UInt32(truncatingIfNeeded: nameLength) & 1 == 1
  }

  /// Takes note of a field line, if it is one of these. The value comes without white space around it.
  mutating func note(
    name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, version: HTTPVersion
  ) throws(Rejection) {
    switch name.count {
    case 4 where FieldSyntax.matches(name, "host"): try noteHost(value)
    case 6 where FieldSyntax.matches(name, "expect"): noteExpect(value)
    case 10 where FieldSyntax.matches(name, "connection"): noteConnection(value)
    case 14 where FieldSyntax.matches(name, "content-length"): try noteContentLength(value)
    case 17 where FieldSyntax.matches(name, "transfer-encoding"): try noteTransferEncoding(value, version)
    default: break
    }
  }

  /// The body's framing, once the section has ended (RFC 9112 §6.3).
  func framing(bodyBytesMax: Int) throws(Rejection) -> BodyFraming {
    if isChunked { return .chunked }
    if contentLength < 0 { return .none }
    guard contentLength <= bodyBytesMax else { throw .bodyTooLarge }
    return .length(contentLength)
  }

  /// Whether the connection may carry another request (RFC 9112 §9.3).
  func keepsAlive(_ version: HTTPVersion) -> Bool {
    switch version {
    case _ where asksToClose: false
    case .http11: true
    case .http10: asksToKeepAlive
    }
  }

  /// Whether the client waits for `100 (Continue)`: not in HTTP/1.0, nor without a body (RFC 9110 §10.1.1).
  func expectsContinue(_ version: HTTPVersion, _ framing: BodyFraming) -> Bool {
    expectsContinue && version == .http11 && framing != .none && framing != .length(0)
  }

  /// One line at most, in any version, and a valid value (RFC 9112 §3.2). An empty one says that the target
  /// URI has no authority.
  @inline(__always)
  private mutating func noteHost(_ value: UnsafeRawBufferPointer) throws(Rejection) {
    guard !hasHost else { throw .repeatedHost }
    guard value.isEmpty || HostSyntax.isAuthority(value, port: .optional) else { throw .invalidHost }
    hasHost = true
  }

  /// `1*DIGIT`, once. A list of equal values might be read as one (RFC 9110 §8.6 allows either): it is
  /// refused. A number too large to hold is only too large.
  private mutating func noteContentLength(_ value: UnsafeRawBufferPointer) throws(Rejection) {
    guard contentLength < 0 else { throw .repeatedContentLength }
    guard !isChunked else { throw .lengthAndTransferEncoding }
    guard !value.isEmpty else { throw .invalidContentLength }
    var length = 0
    for byte in value {
      guard let digit = FieldSyntax.decimalDigit(byte) else { throw .invalidContentLength }
      let (product, isTooLarge) = length.multipliedReportingOverflow(by: 10)
      length = isTooLarge || product > Int.max - digit ? Int.max : product + digit
    }
    contentLength = length
  }

  /// `chunked` and nothing else. Codings before it are well formed and not understood: 501 (RFC 9112 §6.1).
  /// Where it is not the last one, the body's end is unknown: 400 (RFC 9112 §6.3), as for any list or
  /// parameter that another parser might read in another way.
  private mutating func noteTransferEncoding(
    _ value: UnsafeRawBufferPointer, _ version: HTTPVersion
  ) throws(Rejection) {
    guard !isChunked else { throw .repeatedTransferEncoding }
    guard version == .http11 else { throw .transferEncodingInHTTP10 }
    guard contentLength < 0 else { throw .lengthAndTransferEncoding }
    guard !FieldSyntax.matches(value, "chunked") else {
      isChunked = true
      return
    }
    let lastStart = (value.lastIndex(of: 0x2C) ?? -1) + 1
    let last = FieldSyntax.trimmed(UnsafeRawBufferPointer(rebasing: value[lastStart...]))
    guard FieldSyntax.matches(last, "chunked") else { throw .invalidTransferCoding }
    var areOthersWellFormed = true
    FieldSyntax.forEachListMember(UnsafeRawBufferPointer(rebasing: value[..<(lastStart - 1)])) { coding in
      if !FieldSyntax.isToken(coding) || FieldSyntax.matches(coding, "chunked") {
        areOthersWellFormed = false
      }
    }
    throw areOthersWellFormed ? .unsupportedTransferCoding : .invalidTransferCoding
  }

  /// `#connection-option` (RFC 9110 §7.6.1), over all lines. What is not an option could be a `close` that
  /// was written in a way not understood, so it closes.
  private mutating func noteConnection(_ value: UnsafeRawBufferPointer) {
    if FieldSyntax.matches(value, "keep-alive") {
      asksToKeepAlive = true
      return
    }
    FieldSyntax.forEachListMember(value) { option in
      if FieldSyntax.matches(option, "close") || !(option.isEmpty || FieldSyntax.isToken(option)) {
        asksToClose = true
      } else if FieldSyntax.matches(option, "keep-alive") {
        asksToKeepAlive = true
      }
    }
  }

  /// `#expectation` (RFC 9110 §10.1.1), over all lines.
  private mutating func noteExpect(_ value: UnsafeRawBufferPointer) {
    FieldSyntax.forEachListMember(value) { expectation in
      if FieldSyntax.matches(expectation, "100-continue") {
        expectsContinue = true
      } else if !expectation.isEmpty {
        hasUnknownExpectation = true
      }
    }
  }
}
