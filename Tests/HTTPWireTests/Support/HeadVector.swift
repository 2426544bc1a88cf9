import TestFixtures
import Testing

@testable import HTTPWire

/// All that a head says, as values that outlive it.
struct SeenHead: Equatable {
  var method = RequestMethod.get
  var version = HTTPVersion.http11
  var target = "/"
  var hasHost = true
  var keepsAlive = true
  var framing = BodyFraming.none
  var expectsContinue = false
  var hasUnknownExpectation = false
}

/// What is to come of a vector's bytes.
enum ExpectedHead {
  case accepted(SeenHead)
  /// Refused with the rule's name, and with the status that the rule has.
  case refused(Rejection, Int)
  /// Nothing wrong so far.
  case incomplete
}

/// One rule, tried with one request.
struct HeadVector: CustomTestStringConvertible {
  /// The section with the rule.
  let section: String
  let text: String
  let expected: ExpectedHead
  let limits: WireLimits

  /// `▲` in the text stands behind the byte at which a refusal is certain. A character up to U+00FF is one
  /// byte.
  init(_ section: String, _ text: String, _ expected: ExpectedHead, limits: WireLimits = WireLimits()) {
    self.section = section
    self.text = text
    self.expected = expected
    self.limits = limits
  }

  /// A request for `/` with a Host, its fields given.
  static func fields(
    _ section: String, _ lines: String, _ expected: ExpectedHead, version: String = "1.1"
  ) -> HeadVector {
    HeadVector(section, "GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n", expected)
  }

  var bytes: [UInt8] { text.replacing("▲", with: "").latin1 }
  /// How many bytes it takes to know.
  var decisiveCount: Int? { text.firstRange(of: "▲").map { text[..<$0.lowerBound].latin1.count } }
  var testDescription: String { "\(section): \(text.debugDescription.prefix(120))" }
}

extension StringProtocol {
  /// One byte a scalar.
  var latin1: [UInt8] { unicodeScalars.map { UInt8($0.value) } }
}

/// What one way of feeding made of the bytes.
struct FedHead: Equatable {
  var progress: HeadProgress
  var head: SeenHead?
  /// Every field's values, by lower-case name.
  var values: [[UInt8]: [[UInt8]]] = [:]
  /// How many bytes had come when it was decided.
  var fedCount: Int
}

/// Feeds heads to parsers, from memory that ends at a guard page.
final class HeadFeeder {
  private let buffer = GuardedBuffer(capacity: 1 << 17)
  private let head: RequestHead

  init(fieldCountMax: Int = 100) { head = RequestHead(fieldCountMax: fieldCountMax) }

  /// Feeds growing prefixes that end at the given counts, until something is decided.
  func feed(_ bytes: [UInt8], upTo counts: some Sequence<Int>, limits: WireLimits) -> FedHead {
    var parser = RequestParser()
    var last = FedHead(progress: .needMore, fedCount: 0)
    for count in counts {
      last = buffer.withBytes(bytes[..<count]) { prefix in
        let progress = parser.parse(prefix, limits: limits, into: head)
        guard case .complete(let consumed) = progress else {
          if case .rejected = progress {
            #expect(parser.parse(prefix, limits: limits, into: head) == progress, "a refusal lasts")
          }
          return FedHead(progress: progress, fedCount: count)
        }
        return FedHead(
          progress: progress, head: seen(), values: values(named: bytes[..<consumed]), fedCount: count)
      }
      if last.progress != .needMore { break }
    }
    return last
  }

  func feedWhole(_ bytes: [UInt8], limits: WireLimits = WireLimits()) -> FedHead {
    feed(bytes, upTo: [bytes.count], limits: limits)
  }

  func feedBytewise(_ bytes: [UInt8], limits: WireLimits = WireLimits()) -> FedHead {
    feed(bytes, upTo: 0...bytes.count, limits: limits)
  }

  func feedSplit(
    _ bytes: [UInt8], limits: WireLimits = WireLimits(), using generator: inout SeededGenerator
  ) -> FedHead {
    var counts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      Int.random(in: 0...bytes.count, using: &generator)
    }
    counts.append(bytes.count)
    return feed(bytes, upTo: counts.sorted(), limits: limits)
  }

  private func seen() -> SeenHead {
    SeenHead(
      method: head.method, version: head.version, target: String(decoding: head.target, as: UTF8.self),
      hasHost: head.hasHost, keepsAlive: head.keepsAlive, framing: head.framing,
      expectsContinue: head.expectsContinue, hasUnknownExpectation: head.hasUnknownExpectation)
  }

  /// What the head has for each name that the text has.
  private func values(named text: ArraySlice<UInt8>) -> [[UInt8]: [[UInt8]]] {
    var values: [[UInt8]: [[UInt8]]] = [:]
    for line in text.split(separator: 0x0A).dropFirst() {
      guard let name = FieldName(String(decoding: line.prefix { $0 != 0x3A }, as: UTF8.self)) else {
        continue
      }
      values[name.lowercased] = []
      head.forEachValue(of: name) { values[name.lowercased]?.append([UInt8]($0)) }
    }
    #expect(values.values.map(\.count).reduce(0, +) == head.fieldCount, "every line is found by its name")
    return values
  }
}

/// Feeds a vector in every way there is, and expects the same of all.
func check(_ vector: HeadVector, sourceLocation: SourceLocation = #_sourceLocation) {
  let feeder = HeadFeeder()
  let bytes = vector.bytes
  var generator = SeededGenerator(seed: UInt64(bytes.count))
  let whole = feeder.feedWhole(bytes, limits: vector.limits)
  switch vector.expected {
  case .accepted(let head):
    #expect(whole.head == head, sourceLocation: sourceLocation)
    #expect(whole.progress == .complete(consumed: bytes.count), sourceLocation: sourceLocation)
  case .refused(let rejection, let status):
    #expect(whole.progress == .rejected(rejection), sourceLocation: sourceLocation)
    #expect(rejection.status == status, sourceLocation: sourceLocation)
    #expect("\(rejection.rfcSection)" == vector.section, sourceLocation: sourceLocation)
  case .incomplete:
    #expect(whole.progress == .needMore, sourceLocation: sourceLocation)
  }

  let bytewise = feeder.feedBytewise(bytes, limits: vector.limits)
  #expect(bytewise.progress == whole.progress, sourceLocation: sourceLocation)
  #expect(bytewise.head == whole.head && bytewise.values == whole.values, sourceLocation: sourceLocation)
  #expect(bytewise.fedCount == vector.decisiveCount ?? bytes.count, sourceLocation: sourceLocation)
  for _ in 0..<20 {
    let split = feeder.feedSplit(bytes, limits: vector.limits, using: &generator)
    #expect(split.progress == whole.progress, sourceLocation: sourceLocation)
    #expect(split.head == whole.head && split.values == whole.values, sourceLocation: sourceLocation)
  }
  guard whole.progress != .needMore else { return }
  let glued = feeder.feedWhole(bytes + "PUT /next HTTP/1.1\r\nHost: b\r\n\r\n".latin1, limits: vector.limits)
  #expect(glued.progress == whole.progress, sourceLocation: sourceLocation)
  #expect(glued.head == whole.head && glued.values == whole.values, sourceLocation: sourceLocation)
}
