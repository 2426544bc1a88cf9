/// The path of a request target, found by the one rule there is (RFC 9112 §3.2):
///
/// The path is what stands between the authority, if the target has one, and `?`. It is compared byte for
/// byte and never changed: no dot segment is removed, no `//` merged, no `%XX` decoded, no slash added. So
/// `/v1/region` has one spelling, and every other one is another path. Only an empty path, which just the
/// absolute form can have, becomes `/` (RFC 9110 §4.2.3), and `*` for OPTIONS without a query (RFC 9112
/// §3.2.4). The target must be a URI's: a character outside the grammar, a broken `%XX` or a fragment is
/// refused.
enum RequestTarget: Equatable {
  /// A part of the buffer: where it starts, and its length.
  case slice(start: Int, length: Int)
  /// `/`, though it was not written.
  case root
  /// `*`.
  case asterisk

  /// The path of the target that stands in the range, which is not empty.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>, method: RequestMethod) throws(Rejection) {
    let target = UnsafeRawBufferPointer(rebasing: bytes[range])
    if method == .connect {
      guard HostSyntax.isAuthority(target, port: .required) else { throw .connectWithoutAuthority }
      self = .slice(start: range.lowerBound, length: target.count)
      return
    }
    if target[0] == 0x2F {
      let length = try Self.pathLength(target)
      self = .slice(start: range.lowerBound, length: length)
      return
    }
    if target.count == 1, target[0] == 0x2A {
      guard method == .options else { throw .asteriskWithoutOptions }
      self = .asterisk
      return
    }
    let authorityStart = try Self.authorityStart(target)
    let rest = UnsafeRawBufferPointer(rebasing: target[authorityStart...])
    let authorityEnd = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.count
    guard
      HostSyntax.isAuthority(UnsafeRawBufferPointer(rebasing: rest[..<authorityEnd]), port: .optional)
    else { throw .invalidTargetAuthority }
    let pathAndQuery = UnsafeRawBufferPointer(rebasing: rest[authorityEnd...])
    let length = try Self.pathLength(pathAndQuery)
    if length > 0 {
      self = .slice(start: range.lowerBound + authorityStart + authorityEnd, length: length)
    } else {
      self = pathAndQuery.isEmpty && method == .options ? .asterisk : .root
    }
  }

  /// Where the authority starts: after `http://` or `https://`, the only schemes served here.
  private static func authorityStart(_ target: UnsafeRawBufferPointer) throws(Rejection) -> Int {
    for (scheme, length) in [("http://" as StaticString, 7), ("https://", 8)] where target.count >= length {
      if FieldSyntax.matches(UnsafeRawBufferPointer(rebasing: target[..<length]), scheme) { return length }
    }
    throw .unknownTargetForm
  }

  /// The length of the path at the start of `path [ "?" query ]`, all of which is checked.
  private static func pathLength(_ bytes: UnsafeRawBufferPointer) throws(Rejection) -> Int {
    var length: Int?
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x25 {
        guard PercentSyntax.isTriplet(bytes, at: index) else { throw .badPercentEncoding }
        index += 3
        continue
      }
      guard byte == 0x3F || ByteClass.path.contains(byte) else { throw .badTargetByte }
      if byte == 0x3F, length == nil { length = index }
      index += 1
    }
    return length ?? bytes.count
  }
}
