import Testing

@testable import HTTPWire

@Suite struct ResponseHeadBuilderTests {
  @Test(arguments: [
    (ConnectionMode.keepAlive, ""), (.close, "Connection: close\r\n"),
    (.http10KeepAlive, "Connection: keep-alive\r\n"),
  ]) func aWholeHead(_ mode: ConnectionMode, _ connection: String) {
    var head = ResponseHeadBuilder(status: 200)
    head.field("Content-Type", "application/json")
    head.field("content-length", "2")
    head.field("X-Empty", "")
    let answer = head.render(connection: mode, body: Array("{}".utf8))
    let text =
      "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: application/json\r\n"
      + "content-length: 2\r\nX-Empty: \r\n\(connection)\r\n"
    #expect(String(decoding: answer.head, as: UTF8.self) == text)
    #expect(answer.head[answer.dateOffset...].starts(with: "Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
    #expect(answer.body == Array("{}".utf8))
  }

  @Test(arguments: [204, 304]) func withoutABody(_ status: Int) {
    let answer = ResponseHeadBuilder(status: status).render(connection: .keepAlive, body: [])
    let text =
      "HTTP/1.1 \(status) \(StatusText.phrase(status))\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n"
    #expect(String(decoding: answer.head, as: UTF8.self) == text)
    #expect(answer.body.isEmpty)
  }

  /// RFC 9110 §15, RFC 6585.
  @Test(arguments: [
    (200, "OK"), (204, "No Content"), (304, "Not Modified"), (400, "Bad Request"), (403, "Forbidden"),
    (404, "Not Found"), (405, "Method Not Allowed"), (408, "Request Timeout"), (412, "Precondition Failed"),
    (413, "Content Too Large"), (414, "URI Too Long"), (417, "Expectation Failed"),
    (431, "Request Header Fields Too Large"), (501, "Not Implemented"), (503, "Service Unavailable"),
    (505, "HTTP Version Not Supported"),
  ]) func phrases(_ status: Int, _ phrase: String) {
    #expect("\(StatusText.phrase(status))" == phrase)
  }

  @Test func everyRefusalHasAPhrase() {
    for rejection in Rejection.allCases {
      #expect(StatusText.phrase(rejection.status).utf8CodeUnitCount > 0)
    }
  }

  // What would split an answer, or frame it wrongly, stops the program before it serves.

  @Test func aNameMustBeAToken() async {
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 200)
      head.field("X Y", "z")
    }
  }

  @Test func aValueMustNotEndTheLine() async {
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 200)
      head.field("X", "y\r\nSet-Cookie: z")
    }
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 200)
      head.field("X", "y ")
    }
  }

  @Test func theFramingIsNotTheCallers() async {
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 200)
      head.field("Transfer-Encoding", "chunked")
    }
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 200)
      head.field("Content-Length", "3")
      _ = head.render(connection: .keepAlive, body: [0x61])
    }
    await #expect(processExitsWith: .failure) {
      _ = ResponseHeadBuilder(status: 200).render(connection: .keepAlive, body: [])
    }
    await #expect(processExitsWith: .failure) {
      var head = ResponseHeadBuilder(status: 204)
      head.field("Content-Length", "0")
      _ = head.render(connection: .keepAlive, body: [])
    }
  }

  @Test func aStatusMustBeKnown() async {
    await #expect(processExitsWith: .failure) {
      _ = ResponseHeadBuilder(status: 299).render(connection: .close, body: [])
    }
  }
}

@Suite struct OutputBufferTests {
  @Test func bytesAreAddedUntilThereIsNoMoreRoom() {
    let output = OutputBuffer(capacity: 5)
    #expect(output.room == 5 && output.bytes.isEmpty)
    "abc".latin1.withUnsafeBytes { output.append($0) }
    output.append(UnsafeRawBufferPointer(start: nil, count: 0))
    "de".latin1.withUnsafeBytes { output.append($0) }
    #expect(output.room == 0 && output.bytes.elementsEqual("abcde".utf8))
    output.removeAll()
    #expect(output.room == 5 && output.bytes.isEmpty)
    "f".latin1.withUnsafeBytes { output.append($0) }
    #expect(output.bytes.elementsEqual("f".utf8))
  }

  @Test func moreThanThereIsRoomForIsAProgrammersError() async {
    await #expect(processExitsWith: .failure) {
      let output = OutputBuffer(capacity: 2)
      "abc".latin1.withUnsafeBytes { output.append($0) }
    }
  }
}
