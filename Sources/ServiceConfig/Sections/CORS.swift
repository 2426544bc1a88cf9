import ClientSignal

/// `cors`: which web origins may read answers.
package struct CORSConfig: Equatable, Sendable {
  package enum Origins: Equatable, Sendable {
    /// `*`: any.
    case any
    /// These, as browsers write them in `Origin` (RFC 6454 §6.1), each once; maybe none.
    case listed([String])
  }

  package var origins: Origins
  /// Seconds for which a browser may remember a preflight.
  package var maxAgeSeconds: Int

  init(reading reader: ConfigReader) {
    maxAgeSeconds = reader.integer(.corsMaxAgeSeconds)
    let texts = reader.texts(.corsOrigins) ?? []
    if texts == ["*"] {
      origins = .any
      return
    }
    var listed: [String] = []
    for (index, text) in texts.enumerated() {
      if let fault = OriginFault(of: text) {
        reader.error(
          .corsOrigins, at: "[\(index)]", "\(JSONValue.text(text).brief): \(fault.problem)", hint: fault.hint)
      } else if listed.contains(text) {
        reader.warning(.corsOrigins, at: "[\(index)]", "\(JSONValue.text(text).brief) is there already")
      } else {
        listed.append(text)
      }
    }
    origins = .listed(listed)
  }
}

/// What keeps a text from being an origin as browsers write it, `scheme://host[:port]` (RFC 6454 §6.2).
struct OriginFault: Equatable {
  var problem: String
  var hint: String?

  private init(_ problem: String, hint: String? = nil) {
    self.problem = problem
    self.hint = hint
  }

  /// Nil when the text is an origin.
  init?(of text: String) {
    guard let fault = Self.find(in: text) else { return nil }
    self = fault
  }

  private static let defaultPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21]

  private static func find(in text: String) -> OriginFault? {
    if text == "*" { return OriginFault("`*` stands alone", hint: "write `origins: \"*\"`") }
    if text == "null" {
      return OriginFault("`null` is what sandboxed frames and local files of anybody send")
    }
    guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      return OriginFault(
        "an origin is ASCII without spaces", hint: "write an international name as browsers send it, `xn--…`")
    }
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return OriginFault("an origin begins with its scheme", hint: "write `https://\(text)`")
    }
    let scheme = String(text[..<colon])
    let rest = text[colon...].dropFirst(3)
    if text.contains(where: \.isUppercase) {
      return OriginFault("browsers send origins in lower case", hint: "write `\(text.lowercased())`")
    }
    guard scheme.first?.isLetter == true,
      scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
    else { return OriginFault("`\(scheme)` is no scheme") }
    if let end = rest.firstIndex(where: { "/?#".contains($0) }) {
      return OriginFault("an origin has no path", hint: "write `\(text[..<end])`")
    }
    if rest.contains("@") { return OriginFault("an origin has no user") }
    if rest.contains("*") {
      return OriginFault("an origin is exact", hint: "list each one, or allow any by `*`")
    }
    return findInAuthority(rest, scheme: scheme)
  }

  private static func findInAuthority(_ authority: Substring, scheme: String) -> OriginFault? {
    var host = authority
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
        String(port) == digits
      else { return OriginFault("`\(digits)` is no port") }
      if defaultPorts[scheme] == Int(port) {
        return OriginFault("browsers leave out the scheme's own port", hint: "write `\(scheme)://\(host)`")
      }
    }
    let isHost = host.hasPrefix("[") ? isIPv6Literal(host) : isName(host)
    return isHost ? nil : OriginFault("`\(host)` is no host")
  }

  /// Labels of letters, digits, `-` and `_` between dots; IPv4 addresses are among them.
  private static func isName(_ host: Substring) -> Bool {
    host.utf8.count <= 253
      && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.utf8.count)
          && label.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
          }
      }
  }

  private static func isIPv6Literal(_ host: Substring) -> Bool {
    host.hasSuffix("]") && IPAddress(host.dropFirst().dropLast(), form: .bare) != nil
      && host.contains(":")
  }
}
