import HTTPWire

/// A request as an operator gives it to `explain`: typed, or pasted from `curl -v` or a capture.
struct ExplainRequest {
  /// What becomes of a line.
  enum Step {
    case taken, end, notAHeader
  }

  /// Who sent it, unless somebody says so.
  static let assumedPeer = "127.0.0.1"

  private(set) var peer: String?
  private var headers: [String] = []
  private var hasRequestLine = false

  init(peer: String?) { self.peer = peer }

  /// Nobody has said anything yet.
  var isEmpty: Bool { peer == nil && headers.isEmpty }

  /// The request as it comes over the wire. Of what was given only the headers count.
  var text: String {
    let hasHost = headers.contains { $0.lowercased().hasPrefix("host:") }
    let lines = ["GET /v1/region HTTP/1.1"] + (hasHost ? [] : ["Host: explain"]) + headers
    return lines.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Adds a header; false when it is none.
  mutating func take(header line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":"), FieldName(String(line[..<colon])) != nil else { return false }
    headers.append(line)
    return true
  }

  /// Adds a line of a whole request: a request line, `peer: ADDRESS`, or a header.
  mutating func take(line: String) -> Step {
    // What `curl -v` says of itself.
    if line.hasPrefix("* ") { return .taken }
    let line = line == ">" ? "" : line.hasPrefix("> ") ? String(line.dropFirst(2)) : line
    if line.isEmpty { return .end }
    if line.lowercased().hasPrefix("peer:") {
      peer = String(line.dropFirst(5).drop { $0 == " " })
      return .taken
    }
    if !hasRequestLine, headers.isEmpty, Self.isRequestLine(line) {
      hasRequestLine = true
      return .taken
    }
    return take(header: line) ? .taken : .notAHeader
  }

  private static func isRequestLine(_ line: String) -> Bool {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[2].hasPrefix("HTTP/")
  }
}
