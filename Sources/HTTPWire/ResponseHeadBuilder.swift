/// What an answer says of its connection (RFC 9112 §9.3).
package enum ConnectionMode: UInt8, CaseIterable, Sendable {
  /// It stays open, as HTTP/1.1 has it: nothing to be said.
  case keepAlive
  /// It is closed after this answer.
  case close
  /// It stays open, as a client of HTTP/1.0 asked for.
  case http10KeepAlive
}

/// An answer's bytes, whole but for the time.
package struct RenderedAnswer: Equatable, Sendable {
  /// From the status line to the empty line.
  package let head: [UInt8]
  /// Where in the head the `HTTPDate.byteCount` bytes of `Date` stand.
  package let dateOffset: Int
  /// The content; an answer to HEAD is sent without it.
  package let body: [UInt8]
}

/// Puts an answer's head together (RFC 9112 §4, §5), once for each answer that there is.
///
/// What it is given comes from the source and from a checked configuration, never from a request; what
/// would break the framing of an answer or split it in two is a programmer's error.
package struct ResponseHeadBuilder {
  private let status: Int
  private var lines = ""
  private var contentLength: String?

  /// An answer with the status, which must be one that `StatusText` knows.
  package init(status: Int) { self.status = status }

  /// Adds a field line, behind those that there are.
  ///
  /// The name must be a token, and none that `render` writes or that frames in another way; the value must
  /// be one that RFC 9110 §5.5 allows a sender, in ASCII.
  package mutating func field(_ name: String, _ value: String) {
    guard let fieldName = FieldName(name) else { preconditionFailure("\(name) is no field name") }
    let isOwn = ["date", "connection", "transfer-encoding"].contains {
      fieldName.lowercased.elementsEqual($0.utf8)
    }
    precondition(!isOwn, "\(name) is not to be set")
    precondition(
      value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && value.utf8.first != 0x20
        && value.utf8.last != 0x20,
      "the value of \(name) is no field value")
    if fieldName == FieldName("Content-Length") {
      precondition(contentLength == nil, "Content-Length is there already")
      contentLength = value
    }
    lines += "\(name): \(value)\r\n"
  }

  /// The answer's bytes. `Date` stands first, with a time that has to be replaced, and Connection last.
  ///
  /// Content-Length must be the body's, and absent from 204 and 304, which have no body (RFC 9110 §8.6,
  /// §15.4.5).
  package func render(connection: ConnectionMode, body: [UInt8]) -> RenderedAnswer {
    let isBodiless = status == 204 || status == 304
    precondition(
      contentLength == (isBodiless ? nil : String(body.count)) && !(isBodiless && !body.isEmpty),
      "the length of the body of \(status) is not what Content-Length says")
    let start = "HTTP/1.1 \(status) \(StatusText.phrase(status))\r\nDate: "
    let end =
      switch connection {
      case .keepAlive: "\r\n"
      case .close: "Connection: close\r\n\r\n"
      case .http10KeepAlive: "Connection: keep-alive\r\n\r\n"
      }
    var head = Array(start.utf8)
    let dateOffset = head.count
    head += [UInt8](unsafeUninitializedCapacity: HTTPDate.byteCount) { buffer, count in
      HTTPDate.write(unixSeconds: 0, to: UnsafeMutableRawBufferPointer(buffer))
      count = HTTPDate.byteCount
    }
    head += Array("\r\n\(lines)\(end)".utf8)
    return RenderedAnswer(head: head, dateOffset: dateOffset, body: body)
  }
}
