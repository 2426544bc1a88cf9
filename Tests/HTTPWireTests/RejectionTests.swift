import Testing

@testable import HTTPWire

/// The list of rejections is closed: each is reached, has its status, and names its section.
@Suite struct RejectionTests {
  private enum Example {
    case head(String)
    /// With ten bytes of request line at most.
    case smallHead(String)
    case chunked(String)
  }

  /// The shortest bytes that break each rule. A new case does not compile without one.
  private static func example(_ rejection: Rejection) -> Example {
    let start = "GET / HTTP/1.1\r\n"
    return switch rejection {
    case .tooManyEmptyLines: .head("\r\n\r")
    case .badMethodByte: .head("\u{16}")
    case .methodTooLong: .head(String(repeating: "M", count: 33))
    case .emptyTarget: .head("GET  ")
    case .badTargetByte: .head("GET \u{80}")
    case .fragmentInTarget: .head("GET /#")
    case .badPercentEncoding: .head("GET /% HTTP/1.1\r\n")
    case .unknownTargetForm: .head("GET a HTTP/1.1\r\n")
    case .invalidTargetAuthority: .head("GET http:// HTTP/1.1\r\n")
    case .asteriskWithoutOptions: .head("GET * HTTP/1.1\r\n")
    case .connectWithoutAuthority: .head("CONNECT / HTTP/1.1\r\n")
    case .missingVersion: .head("GET /\r")
    case .invalidVersion: .head("GET / X")
    case .versionNotSupported: .head("GET / HTTP/2.0\r\n")
    case .requestLineTooLong: .smallHead("GET /56789ab")
    case .bareLF: .head("\n")
    case .bareCR: .head("\rX")
    case .whitespaceBeforeFirstField: .head("\(start) ")
    case .obsoleteFolding: .head("\(start)A:\r\n ")
    case .emptyFieldName: .head("\(start):")
    case .badFieldNameByte: .head("\(start)(")
    case .missingColon: .head("\(start)A\r")
    case .spaceBeforeColon: .head("\(start)A ")
    case .badFieldValueByte: .head("\(start)A:\0")
    case .headerSectionTooLarge: .chunked("0\r\nA: " + String(repeating: "b", count: 32765))
    case .tooManyFields: .chunked("0\r\n" + String(repeating: "A:\r\n", count: 100) + "A")
    case .missingHost: .head("\(start)\r\n")
    case .repeatedHost: .head("\(start)Host:\r\nHost:\r\n")
    case .invalidHost: .head("\(start)Host: a b\r\n")
    case .invalidContentLength: .head("\(start)Content-Length: x\r\n")
    case .repeatedContentLength: .head("\(start)Content-Length: 1\r\nContent-Length: 1\r\n")
    case .invalidTransferCoding: .head("\(start)Transfer-Encoding: gzip\r\n")
    case .repeatedTransferEncoding:
      .head("\(start)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")
    case .unsupportedTransferCoding: .head("\(start)Transfer-Encoding: gzip, chunked\r\n")
    case .transferEncodingInHTTP10: .head("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n")
    case .lengthAndTransferEncoding: .head("\(start)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n")
    case .bodyTooLarge: .chunked("10001")
    case .invalidChunkSize: .chunked("x")
    case .invalidChunkExtension: .chunked("1;;")
    case .chunkExtensionsTooLong: .chunked("1;" + String(repeating: "a", count: 4096))
    case .missingChunkEnd: .chunked("1\r\nab")
    }
  }

  @Test(arguments: Rejection.allCases) func eachIsReachedByItsLastByteOnly(_ rejection: Rejection) {
    let head = RequestHead(fieldCountMax: 100)
    func progress(_ text: String, _ limits: WireLimits) -> HeadProgress {
      var parser = RequestParser()
      return text.latin1.withUnsafeBytes { parser.parse($0, limits: limits, into: head) }
    }
    func progress(ofBody text: String) -> BodyProgress {
      var dropper = BodyDropper(.chunked, limits: WireLimits())
      return text.latin1.withUnsafeBytes { dropper.drop($0) }
    }
    switch Self.example(rejection) {
    case .head(let text):
      #expect(progress(text, WireLimits()) == .rejected(rejection))
      #expect(progress(text.withoutLastByte, WireLimits()) == .needMore)
    case .smallHead(let text):
      let limits = WireLimits(requestLineBytesMax: 10)
      #expect(progress(text, limits) == .rejected(rejection))
      #expect(progress(text.withoutLastByte, limits) == .needMore)
    case .chunked(let text):
      #expect(progress(ofBody: text) == .rejected(rejection))
      #expect(progress(ofBody: text.withoutLastByte) == .needMore(consumed: text.utf8.count - 1))
    }
  }

  @Test func statusesAreTheOnesOfErrors() {
    #expect(Set(Rejection.allCases.map(\.status)) == [400, 413, 414, 431, 501, 505])
    for rejection in Rejection.allCases {
      #expect("\(rejection.rfcSection)".hasPrefix("RFC "))
    }
  }
}

extension String {
  /// Of a text of one-byte characters, `\r\n` among them.
  fileprivate var withoutLastByte: String { String(String.UnicodeScalarView(unicodeScalars.dropLast())) }
}
