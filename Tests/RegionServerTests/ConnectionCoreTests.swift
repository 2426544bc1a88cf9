import HTTPWire
import RegionService
import Testing

@testable import RegionServer

/// A request, and what must come back for it, byte for byte.
struct Exchange: Sendable, CustomTestStringConvertible {
  var name: String
  var request: String
  var answers: [String]
  /// Nil: the connection stays open.
  var lingers: Bool?

  var testDescription: String { name }
}

private let date = "Date: Mon, 30 Nov 2026 00:00:00 GMT\r\n"
private let common =
  "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: cross-origin\r\n"
private let withheld = "Cache-Control: private, no-store\r\nVary: CloudFront-Viewer-Country\r\n"
private let anyOrigin = "Access-Control-Allow-Origin: *\r\n"

private func answer(_ bucket: String, connection: String = "", hasBody: Bool = true) -> String {
  let body = "{\"bucket\":\"\(bucket)\"}"
  return "HTTP/1.1 200 OK\r\n\(date)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    + "X-Region-Bucket: \(bucket)\r\nETag: \"1-\(bucket)\"\r\n\(withheld)\(anyOrigin)\(common)\(connection)\r\n"
    + (hasBody ? body : "")
}

private func problem(
  _ status: Int, _ title: String, allow: String? = nil, connection: String = "", hasBody: Bool = true
) -> String {
  let body = "{\"type\":\"about:blank\",\"title\":\"\(title)\",\"status\":\(status)}"
  return "HTTP/1.1 \(status) \(title)\r\n\(date)" + (allow.map { "Allow: \($0)\r\n" } ?? "")
    + "Content-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\n\(withheld)\(common)"
    + "\(anyOrigin)\(connection)\r\n" + (hasBody ? body : "")
}

private let close = "Connection: close\r\n"
private let regional = "GET /v1/region HTTP/1.1\r\nHost: a\r\nCloudFront-Viewer-Country: KR\r\n\r\n"
private let other = "GET /v1/region HTTP/1.1\r\nHost: a\r\nCloudFront-Viewer-Country: us\r\n\r\n"

let exchanges: [Exchange] = [
  Exchange(name: "regional", request: regional, answers: [answer("regionalMarket")]),
  Exchange(name: "other", request: other, answers: [answer("otherMarket")]),
  Exchange(
    name: "no header", request: "GET /v1/region HTTP/1.1\r\nHost: a\r\n\r\n", answers: [answer("unknown")]),
  Exchange(
    name: "two lines",
    request: "GET /v1/region HTTP/1.1\r\nHost: a\r\nCloudFront-Viewer-Country: KR\r\n"
      + "CloudFront-Viewer-Country: KR\r\n\r\n", answers: [answer("unknown")]),
  Exchange(
    name: "HEAD", request: "HEAD /v1/region HTTP/1.1\r\nHost: a\r\nCloudFront-Viewer-Country: KR\r\n\r\n",
    answers: [answer("regionalMarket", hasBody: false)]),
  Exchange(
    name: "pipelined", request: regional + other, answers: [answer("regionalMarket"), answer("otherMarket")]),
  Exchange(
    name: "asked to close",
    request:
      "GET /v1/region HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCloudFront-Viewer-Country: KR\r\n\r\n",
    answers: [answer("regionalMarket", connection: close)], lingers: false),
  Exchange(
    name: "HTTP/1.0", request: "GET /v1/region HTTP/1.0\r\n\r\n",
    answers: [answer("unknown", connection: close)],
    lingers: false),
  Exchange(
    name: "HTTP/1.0 kept alive", request: "GET /v1/region HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    answers: [answer("unknown", connection: "Connection: keep-alive\r\n")]),
  Exchange(
    name: "body by length",
    request: "GET /v1/region HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + regional,
    answers: [answer("unknown"), answer("regionalMarket")]),
  Exchange(
    name: "chunked body",
    request: "GET /v1/region HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      + regional, answers: [answer("unknown"), answer("regionalMarket")]),
  Exchange(
    name: "CONNECT", request: "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    answers: [problem(501, "Not Implemented", connection: close)], lingers: true),
  Exchange(
    name: "not found", request: "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n" + regional,
    answers: [problem(404, "Not Found"), answer("regionalMarket")]),
  Exchange(
    name: "wrong method", request: "POST /v1/region HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    answers: [problem(405, "Method Not Allowed", allow: "GET, HEAD, OPTIONS")]),
  Exchange(
    name: "after a refused request nothing is answered", request: "GET / HTTP/1.1\r\n\r\n" + regional,
    answers: [problem(400, "Bad Request", connection: close)], lingers: true),
  Exchange(
    name: "a refused HEAD has no content", request: "HEAD / HTTP/1.1\r\n\r\n",
    answers: [problem(400, "Bad Request", connection: close, hasBody: false)], lingers: true),
  Exchange(
    name: "bad chunk",
    request: "GET /v1/region HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n" + regional,
    answers: [problem(400, "Bad Request", connection: close)], lingers: true),
  Exchange(
    name: "unknown expectation", request: "GET /v1/region HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n",
    answers: [problem(417, "Expectation Failed")]),
]

@Suite struct ConnectionCoreTests {
  private func expect(_ connection: MemoryConnection, _ exchange: Exchange, _ way: String) {
    #expect(String(decoding: connection.answered, as: UTF8.self) == exchange.answers.joined(), "\(way)")
    #expect(connection.lingers == exchange.lingers, "\(way)")
  }

  @Test(arguments: exchanges) func fedWhole(_ exchange: Exchange) {
    let connection = MemoryConnection(snapshot(), peer: .loopback)
    connection.feed(exchange.request.utf8)
    // Bytes that come after a last answer are not looked at: whether they make closing linger depends on their
    // having come together with it.
    expect(connection, exchange, "whole")
  }

  @Test(arguments: exchanges) func fedByteByByte(_ exchange: Exchange) {
    let connection = MemoryConnection(snapshot(), peer: .loopback)
    for byte in exchange.request.utf8 { connection.feed([byte]) }
    expect(connection, exchange, "byte by byte")
  }

  @Test(arguments: exchanges) func fedInTwoPieces(_ exchange: Exchange) {
    let bytes = Array(exchange.request.utf8)
    for split in stride(from: 1, to: bytes.count, by: 7) {
      let connection = MemoryConnection(snapshot(), peer: .loopback)
      connection.feed(bytes[..<split])
      connection.feed(bytes[split...])
      expect(connection, exchange, "split at \(split)")
    }
  }

  @Test(arguments: exchanges.filter { $0.lingers == nil }) func gluedToItself(_ exchange: Exchange) {
    let connection = MemoryConnection(snapshot(), peer: .loopback)
    connection.feed((exchange.request + exchange.request + exchange.request).utf8)
    let once = exchange.answers.joined()
    #expect(String(decoding: connection.answered, as: UTF8.self) == once + once + once)
  }

  @Test func anOutputThatTakesOneAnswerAtATimeLosesNone() {
    let connection = MemoryConnection(snapshot(), peer: .loopback, outputBytes: 700)
    connection.feed(String(repeating: regional + other, count: 50).utf8)
    let expected = String(repeating: answer("regionalMarket") + answer("otherMarket"), count: 50)
    #expect(String(decoding: connection.answered, as: UTF8.self) == expected)
  }

  @Test func drainingClosesAfterTheAnswer() {
    let connection = MemoryConnection(snapshot(), peer: .loopback)
    connection.feed(regional.utf8.prefix(20))
    connection.drain()
    connection.feed(regional.utf8.dropFirst(20))
    #expect(
      String(decoding: connection.answered, as: UTF8.self) == answer("regionalMarket", connection: close))
    // The client did not ask for it, and may have sent more.
    #expect(connection.lingers == true)
  }

  @Test func phasesOfAConnection() {
    let connection = MemoryConnection(snapshot(), peer: .loopback)
    #expect(connection.phase == .idle)
    connection.feed("\r\n".utf8)
    #expect(connection.phase == .idle)
    connection.feed("GET /v1/region HTTP/1.1\r\n".utf8)
    #expect(connection.phase == .head)
    connection.feed("Host: a\r\nContent-Length: 3\r\n\r\n".utf8)
    #expect(connection.phase == .body)
    connection.feed("abc".utf8)
    #expect(connection.phase == .idle)
    #expect(String(decoding: connection.answered, as: UTF8.self) == answer("unknown"))
  }

  @Test func aStrangersHeadersAreNotBelieved() {
    let connection = MemoryConnection(snapshot(), peer: .stranger)
    connection.feed(regional.utf8)
    #expect(String(decoding: connection.answered, as: UTF8.self) == answer("unknown"))
  }
}

@Suite("A connection's memory") struct ConnectionMemoryTests {
  @Test("an idle connection's slot is two cache lines at most, without references") func slotSize() {
    #expect(MemoryLayout<ConnectionSlot>.stride <= 128)
    #expect(_isPOD(ConnectionSlot.self))
  }
}
