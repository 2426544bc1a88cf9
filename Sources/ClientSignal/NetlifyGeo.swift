import RegionModel

/// Netlify's `x-nf-geo`: base64 of `{"city":…,"country":{"code":…},"subdivision":{"code":…}}`.
package enum NetlifyGeo {
  /// What is looked for in it.
  package enum Member: Sendable {
    case country, subdivision, city
  }

  /// The longest JSON text that is looked at, in bytes.
  static let jsonBytesMax = Scratch.bytesMax

  /// The text of a member. Absent when it, or the object it belongs to, is not there or `null`; invalid when
  /// the value is not base64 of a JSON object, too long, of another shape, or has the member twice.
  ///
  /// - Parameter room: at least `jsonBytesMax` bytes; the text that is returned lies in it.
  static func text(
    of member: Member, in value: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer
  ) -> FieldText {
    guard !value.isEmpty else { return .absent }
    guard let count = Base64Decoding.decode(value, into: room) else { return .invalid(.invalid) }
    let json = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
    guard UTF8Validation.isValid(UnsafeRawBufferPointer(json)) else { return .invalid(.invalid) }
    var scanner = JSONScanner(json)
    let found =
      switch member {
      case .city: self.member("city", of: &scanner, string)
      case .country: self.member("country", of: &scanner, code)
      case .subdivision: self.member("subdivision", of: &scanner, code)
      }
    guard let found, scanner.isAtEnd() else { return .invalid(.invalid) }
    return found
  }

  /// What `read` makes of the one member with the name; nil when the object is not to be believed.
  private static func member(
    _ name: StaticString, of scanner: inout JSONScanner, _ read: (inout JSONScanner) -> FieldText?
  ) -> FieldText? {
    var found: FieldText?
    let isWellFormed = scanner.object { scanner, key in
      guard key.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      else { return scanner.skipValue() }
      guard found == nil, let value = scanner.null() ? .absent : read(&scanner) else { return false }
      found = value
      return true
    }
    return isWellFormed ? found ?? .absent : nil
  }

  private static func string(_ scanner: inout JSONScanner) -> FieldText? {
    scanner.string().map { .text($0) }
  }

  private static func code(_ scanner: inout JSONScanner) -> FieldText? {
    member("code", of: &scanner, string)
  }
}
