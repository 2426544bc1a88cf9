import TestFixtures
import Testing

@testable import HTTPWire

/// What holds for the parser whatever the bytes are.
@Suite struct RequestParserTests {
  private static let host = "\r\nHost: a\r\n\r\n"

  @Test func aPipelineIsReadOneAfterTheOther() {
    let targets = ["/1", "/2", "/3"]
    let bytes = targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined(separator: "\r\n").latin1
    let head = RequestHead(fieldCountMax: 8)
    var parser = RequestParser()
    var seen: [String] = []
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let progress = parser.parse(
          UnsafeRawBufferPointer(rebasing: rest), limits: WireLimits(), into: head)
        guard case .complete(let consumed) = progress else {
          Issue.record("\(progress)")
          return
        }
        seen.append(String(decoding: head.target, as: UTF8.self))
        rest = rest.dropFirst(consumed)
      }
    }
    #expect(seen == targets)
  }

  /// Two connections in turn, one head object, as a loop has it.
  @Test func headsThatComeInPiecesDoNotMix() {
    let head = RequestHead(fieldCountMax: 8)
    var parsers = [RequestParser(), RequestParser()]
    let requests = ["GET /one HTTP/1.1\r\nHost: a\r\nX: 1\r\n\r\n", "PUT /two HTTP/1.0\r\nY: 2\r\n\r\n"].map(
      \.latin1)
    for count in 0...requests[0].count {
      for (index, request) in requests.enumerated() where count <= request.count {
        let progress = request[..<count].withUnsafeBytes {
          parsers[index].parse($0, limits: WireLimits(), into: head)
        }
        guard count == request.count else {
          #expect(progress == .needMore)
          #expect(head.fieldCount == 0 && !head.has(FieldName("X")), "nothing to be read yet")
          continue
        }
        #expect(progress == .complete(consumed: request.count))
        #expect(head.has(FieldName("X")) == (index == 0))
        #expect(head.has(FieldName("Y")) == (index == 1))
        #expect(head.method == (index == 0 ? .get : .put))
      }
    }
  }

  @Test func anUnfinishedHeadCannotBeRead() {
    let head = RequestHead(fieldCountMax: 8)
    var parser = RequestParser()
    let progress = "HEAD /x HTTP/1.1\r\nHost: a\r\nX: y\r\n".latin1.withUnsafeBytes {
      parser.parse($0, limits: WireLimits(), into: head)
    }
    #expect(progress == .needMore)
    #expect(head.fieldCount == 0 && !head.has(FieldName("Host")) && !head.hasHost)
    #expect(head.method == .other && head.target.elementsEqual("/".utf8) && !head.keepsAlive)
  }

  /// The answer to a refused HEAD has no content either.
  @Test(arguments: [
    ("HEAD / HTTP/1.1\r\n\r\n", RequestMethod.head, HeadProgress.rejected(.missingHost)),
    ("HEAD  / HTTP/1.1\r\n\r\n", .head, .rejected(.emptyTarget)),
    ("HEAD\t/ HTTP/1.1\r\n\r\n", .other, .rejected(.badMethodByte)),
    ("GET / HTTP/2.0\r\n\r\n", .get, .rejected(.versionNotSupported)),
  ]) func aRefusedHeadStillHasItsMethod(_ text: String, _ method: RequestMethod, _ progress: HeadProgress) {
    let head = RequestHead(fieldCountMax: 8)
    for counts in [[text.utf8.count], Array(0...text.utf8.count)] {
      var parser = RequestParser()
      var last = HeadProgress.needMore
      for count in counts where last == .needMore {
        last = text.latin1[..<count].withUnsafeBytes { parser.parse($0, limits: WireLimits(), into: head) }
      }
      #expect(last == progress)
      #expect(head.method == method)
      #expect(head.fieldCount == 0)
      parser.reset()
      let again = "GET / HTTP/1.1\(Self.host)".latin1.withUnsafeBytes {
        parser.parse($0, limits: WireLimits(), into: head)
      }
      #expect(again == .complete(consumed: 27), "reset forgets a refusal")
    }
  }

  @Test(arguments: [
    ("", false), ("\r", false), ("\r\n", false), ("\r\nG", true), ("G", true), ("GET / H", true),
  ])
  func anEmptyLineBeginsNoRequest(_ text: String, _ hasBegun: Bool) {
    let head = RequestHead(fieldCountMax: 8)
    var parser = RequestParser()
    for count in 0...text.utf8.count {
      _ = text.latin1[..<count].withUnsafeBytes { parser.parse($0, limits: WireLimits(), into: head) }
    }
    #expect(parser.hasBegun == hasBegun)
  }

  /// Random damage to good requests: never a crash or a look past the end, and the same whichever way the
  /// bytes come.
  @Test func damagedRequestsAreReadAlikeWhicheverWayTheyCome() {
    let requests = [
      "GET /v1/region?a=b HTTP/1.1\r\nHost: example.com:8080\r\nUser-Agent: curl/8.5\r\nAccept: */*\r\n\r\n",
      "POST http://[::1]:80/x%2F HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 5\r\n"
        + "Expect: 100-continue\r\n\r\nhello",
      "\r\nPUT /a HTTP/1.0\r\nConnection: TE, keep-alive\r\nX-Forwarded-For: 192.0.2.1, 2001:db8::1\r\n\r\n",
      "POST / HTTP/1.1\r\nhost:a\r\ntransfer-encoding:\tchunked \r\nConnection: close\r\n\r\n"
        + "5\r\nhello\r\n0\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
    ].map(\.latin1)
    let spice: [UInt8] = [UInt8]("\r\n\t :,;/?%#[]\"@0\0\u{7F}".utf8) + [0x80, 0xFF]
    var generator = SeededGenerator(seed: 9112)
    let feeder = HeadFeeder()
    var outcomes: Set<String> = []
    for round in 0..<6000 {
      var bytes = requests[round % requests.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] = spice.randomElement(using: &generator)!
        case 2: bytes.insert(spice.randomElement(using: &generator)!, at: place)
        case 3: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(12), at: place)
        }
      }
      let whole = feeder.feedWhole(bytes)
      let bytewise = feeder.feedBytewise(bytes)
      #expect(whole.progress == bytewise.progress, "\(bytes)")
      #expect(whole.head == bytewise.head && whole.values == bytewise.values, "\(bytes)")
      let split = feeder.feedSplit(bytes, using: &generator)
      #expect(whole.progress == split.progress && whole.head == split.head, "\(bytes)")
      if case .rejected(let rejection) = whole.progress { outcomes.insert("\(rejection)") }
      if case .complete = whole.progress { outcomes.insert("complete") }
    }
    #expect(outcomes.count > 25 && outcomes.contains("complete"), "the damage finds many rules")
  }
}
