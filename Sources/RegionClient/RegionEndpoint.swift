/// The one address that a resolver may ask. A value of this type has been checked; there is no other way to ask.
///
/// Usable from any thread.
public struct RegionEndpoint: Equatable, Sendable {
  /// The address as it was given.
  public let url: String
  /// Whether it is plain HTTP, which only a test's loopback can be.
  public let isPlain: Bool

  /// The longest address, in bytes.
  public static let urlBytesMax = 2048

  /// Checks an address: `https://host[:port]/path`, nothing else.
  ///
  /// Host in lower case and listed; no user, query or fragment; the path of letters, digits and `-._~/`. There is
  /// no URL parser behind this, so none can be fooled.
  ///
  /// - Parameters:
  ///   - url: where the service answers, such as `https://region.example.com/v1/region`.
  ///   - allowedHosts: the hosts that may be asked, each as it stands in the address, without a port.
  ///   - allowsPlainLoopback: for tests: lets `http://` pass to `127.0.0.1`, `[::1]` and `localhost`, if listed.
  /// - Throws: `RegionEndpointError` that says what is wrong.
  public init(
    _ url: String, allowedHosts: [String], allowsPlainLoopback: Bool = false
  ) throws(RegionEndpointError) {
    guard url.utf8.count <= Self.urlBytesMax else { throw .tooLong }
    var rest = url.utf8[...]
    if rest.starts(with: "https://".utf8) {
      rest = rest.dropFirst("https://".utf8.count)
      isPlain = false
    } else if rest.starts(with: "http://".utf8) {
      rest = rest.dropFirst("http://".utf8.count)
      isPlain = true
    } else {
      throw .malformed
    }
    let host = try Self.takeHost(&rest)
    try Self.takePort(&rest)
    guard rest.first == UInt8(ascii: "/"), rest.allSatisfy(Self.isPathByte) else { throw .malformed }
    // Bytes, not characters: a String equals what is merely canonically equivalent.
    guard allowedHosts.contains(where: { $0.utf8.elementsEqual(host) }) else { throw .hostNotAllowed }
    if isPlain {
      guard allowsPlainLoopback, Self.loopbackHosts.contains(where: { $0.utf8.elementsEqual(host) }) else {
        throw .notSecure
      }
    }
    self.url = url
  }

  private static let loopbackHosts = ["127.0.0.1", "[::1]", "localhost"]

  private static func takeHost(_ rest: inout Substring.UTF8View) throws(RegionEndpointError)
    -> Substring.UTF8View
  {
    let host: Substring.UTF8View
    if rest.first == UInt8(ascii: "[") {
      let address = rest.dropFirst().prefix {
        isDigit($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: ":")
      }
      guard !address.isEmpty, rest[address.endIndex...].first == UInt8(ascii: "]") else { throw .malformed }
      host = rest[..<rest.index(after: address.endIndex)]
    } else {
      host = rest.prefix { isDigit($0) || isLower($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
      guard !host.isEmpty else { throw .malformed }
    }
    rest = rest[host.endIndex...]
    return host
  }

  private static func takePort(_ rest: inout Substring.UTF8View) throws(RegionEndpointError) {
    guard rest.first == UInt8(ascii: ":") else { return }
    let digits = rest.dropFirst().prefix(while: isDigit)
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0") else { throw .malformed }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard port <= UInt16.max else { throw .malformed }
    rest = rest[digits.endIndex...]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLower(byte) || (0x41...0x5A).contains(byte) || "-._~/".utf8.contains(byte)
  }
}

/// Why an address is none to ask.
public enum RegionEndpointError: Error, Equatable, Sendable {
  /// Not `https://host[:port]/path` in the allowed characters.
  case malformed
  /// Over `RegionEndpoint.urlBytesMax` bytes.
  case tooLong
  /// The host is not in the list.
  case hostNotAllowed
  /// Plain HTTP, and not to an allowed loopback.
  case notSecure
}
