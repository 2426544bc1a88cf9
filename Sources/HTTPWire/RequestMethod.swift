/// The methods of RFC 9110 §9 and RFC 5789. Names are compared with regard to case (RFC 9110 §9.1).
package enum RequestMethod: UInt8, CaseIterable, Sendable {
  case get, head, options, post, put, delete, patch, connect, trace
  /// Any other token, well formed: `501` (RFC 9110 §15.6.2).
  case other

  // The compiler's own are not seen through by other modules, and called for each comparison.
  @inline(__always)
  package static func == (left: RequestMethod, right: RequestMethod) -> Bool {
    left.rawValue == right.rawValue
  }
  @inline(__always)
  package static func != (left: RequestMethod, right: RequestMethod) -> Bool {
    left.rawValue != right.rawValue
  }

  /// The method that a token names.
  @inline(__always)
  init(_ token: UnsafeRawBufferPointer) {
    guard token.count <= 8 else {
      self = .other
      return
    }
    // The letters as one number, the first in the highest byte used: one comparison a method.
    var word: UInt64 = 0
    for byte in token { word = word &<< 8 | UInt64(byte) }
    switch word {
    case 0x47_4554: self = .get
    case 0x4845_4144: self = .head
    case 0x4F_5054_494F_4E53: self = .options
    case 0x504F_5354: self = .post
    case 0x50_5554: self = .put
    case 0x4445_4C45_5445: self = .delete
    case 0x50_4154_4348: self = .patch
    case 0x43_4F4E_4E45_4354: self = .connect
    case 0x54_5241_4345: self = .trace
    default: self = .other
    }
  }
}

/// The versions of HTTP that the wire speaks.
package enum HTTPVersion: UInt8, Sendable {
  case http10
  /// 1.1, and any later 1.x, which is to be read as 1.1 (RFC 9110 §6.2).
  case http11

  // As for methods.
  @inline(__always)
  package static func == (left: HTTPVersion, right: HTTPVersion) -> Bool {
    left.rawValue == right.rawValue
  }
}

/// How the end of a request's body is found (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
  /// No body: neither Content-Length nor Transfer-Encoding.
  case none
  /// So many bytes, maybe 0.
  case length(Int)
  /// The chunked transfer coding (RFC 9112 §7.1).
  case chunked
}
