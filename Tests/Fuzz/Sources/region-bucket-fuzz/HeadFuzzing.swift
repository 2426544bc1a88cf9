import TestFixtures

@testable import HTTPWire

/// Heads: the parser says the same however the bytes come, and a head that it takes is one to a simple reader as well.
enum HeadFuzzing {
  static func check(_ bytes: [UInt8]) { check(bytes, reader: SimpleHead.init) }

  static func check(_ bytes: [UInt8], reader: ([UInt8]) -> SimpleHead?) {
    let small = WireLimits(
      requestLineBytesMax: 24, headerSectionBytesMax: 64, fieldCountMax: 3, bodyBytesMax: 9)
    for limits in [WireLimits(), small] {
      var generator = SeededGenerator(seed: bytes.seed)
      let whole = Seen(bytes, endingAt: [bytes.count], limits)
      let bytewise = Seen(bytes, endingAt: Array(0...bytes.count), limits)
      let ends = bytes.cut(using: &generator).map(\.endIndex)
      expect(bytewise == whole, "byte by byte it is what it is whole")
      expect(Seen(bytes, endingAt: ends, limits) == whole, "in pieces it is what it is whole")
      guard whole.progress != .needMore else { continue }
      let glued = bytes + Array("GET /next HTTP/1.1\r\nHost: b\r\n\r\n".utf8)
      expect(Seen(glued, endingAt: [glued.count], limits) == whole, "what follows changes nothing")
      guard case .complete(let consumed) = whole.progress else { continue }
      checkTaken(whole, Array(bytes[..<consumed]), limits, reader)
    }
  }

  private static func checkTaken(
    _ seen: Seen, _ text: [UInt8], _ limits: WireLimits, _ reader: ([UInt8]) -> SimpleHead?
  ) {
    guard let simple = reader(text) else { return expect(false, "a simple reader takes it too") }
    expect(simple.fields == seen.fields, "a simple reader finds the same fields")
    expect(seen.fields.count <= limits.fieldCountMax, "there are no more fields than may be")
    let lengths = simple.values(of: "content-length")
    let codings = simple.values(of: "transfer-encoding")
    expect(simple.values(of: "host").count == (seen.hasHost ? 1 : 0), "there is one Host, or none")
    expect(seen.hasHost || simple.version == "HTTP/1.0", "only HTTP/1.0 needs no Host")
    switch seen.framing {
    case .none: expect(lengths.isEmpty && codings.isEmpty, "no framing, no framing field")
    case .length(let length):
      expect(codings.isEmpty && lengths.count == 1, "a length is said once, and nothing else")
      expect(Int(String(decoding: lengths[0], as: UTF8.self)) == length, "the length is the number")
      expect(length <= limits.bodyBytesMax, "the length is within the limit")
    case .chunked:
      expect(lengths.isEmpty && codings.map(\.lowercased) == [Array("chunked".utf8)], "chunked alone")
      expect(simple.version != "HTTP/1.0", "HTTP/1.0 has no transfer coding")
    }
    let target = seen.target
    expect(
      simple.target.starts(with: target) || target == [0x2F] || contains(simple.target, target),
      "the path stands in the target")
    expect(target.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3F }, "the path is visible ASCII")
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    part.count <= text.count && (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
  }

  /// All that one way of feeding made of the bytes.
  struct Seen: Equatable {
    var progress = HeadProgress.needMore
    var method = RequestMethod.other
    var version = HTTPVersion.http11
    var target: [UInt8] = []
    var hasHost = false
    var keepsAlive = false
    var framing = BodyFraming.none
    var expectsContinue = false
    var hasUnknownExpectation = false
    /// Lower-case names with their values, by name.
    var fields: [SimpleHead.Field] = []

    init(_ bytes: [UInt8], endingAt ends: [Int], _ limits: WireLimits) {
      let head = RequestHead(fieldCountMax: limits.fieldCountMax)
      var parser = RequestParser()
      for end in ends {
        exactly(bytes[..<end]) { input in
          progress = parser.parse(input, limits: limits, into: head)
          if case .rejected = progress {
            expect(parser.parse(input, limits: limits, into: head) == progress, "a refusal lasts")
            method = head.method
          }
          if case .complete(let consumed) = progress { note(head, Array(bytes[..<consumed])) }
        }
        if progress != .needMore { return }
      }
    }

    private mutating func note(_ head: RequestHead, _ text: [UInt8]) {
      method = head.method
      version = head.version
      target = [UInt8](head.target)
      hasHost = head.hasHost
      keepsAlive = head.keepsAlive
      framing = head.framing
      expectsContinue = head.expectsContinue
      hasUnknownExpectation = head.hasUnknownExpectation
      // A head lends values by name only: the names are those that stand before a colon.
      let lines = text.parts(separatedBy: "\n").map {
        String(decoding: $0.prefix { $0 != 0x3A }, as: UTF8.self)
      }
      for name in Set(lines.compactMap { FieldName($0) }) {
        head.forEachValue(of: name) { fields.append(.init(name: name.lowercased, value: [UInt8]($0))) }
      }
      expect(fields.count == head.fieldCount, "every line is found by its name")
      fields = SimpleHead.sorted(fields)
    }
  }
}

/// A head as a reader finds it that cuts at line ends, spaces and colons and knows nothing else.
struct SimpleHead {
  struct Field: Equatable {
    var name: [UInt8]
    var value: [UInt8]
  }

  var target: [UInt8]
  var version: String
  /// By name, those of one name in the order of the lines.
  var fields: [Field] = []

  init?(_ text: [UInt8]) {
    var lines = text.parts(separatedBy: "\n")
    guard lines.popLast()?.isEmpty == true, lines.allSatisfy({ $0.last == 0x0D }) else { return nil }
    lines = lines.map { Array($0.dropLast()) }
    guard lines.allSatisfy({ !$0.contains(0x0D) && !$0.contains(0x00) }), lines.popLast()?.isEmpty == true
    else { return nil }
    if lines.first?.isEmpty == true { lines.removeFirst() }
    guard let words = lines.first?.parts(separatedBy: " "), words.count == 3 else { return nil }
    target = words[1]
    version = String(decoding: words[2], as: UTF8.self)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: 0x3A), colon > 0 else { return nil }
      let name = Array(line[..<colon])
      guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
      fields.append(Field(name: name.lowercased, value: Array(line[(colon + 1)...]).trimmed))
    }
    fields = Self.sorted(fields)
  }

  func values(of name: String) -> [[UInt8]] { fields.filter { $0.name == Array(name.utf8) }.map(\.value) }

  /// The sort is stable: values of one name keep their order.
  static func sorted(_ fields: [Field]) -> [Field] {
    fields.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}
