import RegionModel

/// Why a request was answered by `unknown` though the service did not say so. A closed set; holds nothing of what
/// was received.
public enum RegionRefusal: Error, Equatable, Sendable {
  /// The status is not 200.
  case status
  /// `Content-Type` is not `application/json`.
  case contentType
  /// The body is not one of the three answers.
  case body
  /// There was no whole response.
  case transport(RegionTransportError)
}

/// The only reading of a response that gives a bucket.
package enum RegionAnswer {
  /// The bucket that a response names.
  ///
  /// The body must be, byte for byte, `{"bucket":"…"}` with one of the three names and white space (RFC 8259,
  /// section 2) between tokens. No escapes, no byte order mark, no other member: what every JSON parser reads alike.
  package static func bucket(
    of response: RegionResponse, bodyBytesMax: Int
  ) throws(RegionRefusal) -> RegionBucket {
    guard response.status == 200 else { throw .status }
    guard let contentType = response.contentType, isJSON(contentType) else { throw .contentType }
    // A transport of the app's own may have read on.
    guard response.body.count <= bodyBytesMax else { throw .transport(.tooLarge) }
    guard let bucket = response.body.withUnsafeBytes(sentence) else { throw .body }
    return bucket
  }

  /// Compares up to the parameters, without regard to ASCII case (RFC 9110, section 8.3.1).
  private static func isJSON(_ contentType: String) -> Bool {
    var type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
    while let last = type.last, isBlank(last) { type.removeLast() }
    return type.drop(while: isBlank).elementsEqual("application/json".utf8) { byte, expected in
      ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func sentence(_ body: UnsafeRawBufferPointer) -> RegionBucket? {
    var rest = body[...]
    guard take(#"{"#, from: &rest), take(#""bucket""#, from: &rest), take(":", from: &rest) else {
      return nil
    }
    let named = RegionBucket.allCases.first { take("\"\($0.rawValue)\"", from: &rest) }
    guard let named, take("}", from: &rest), take("", from: &rest), rest.isEmpty else { return nil }
    return named
  }

  /// Takes white space and a token; takes nothing but the white space if the token is not there.
  private static func take(_ token: String, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard rest.starts(with: token.utf8) else { return false }
    rest = rest.dropFirst(token.utf8.count)
    return true
  }
}
