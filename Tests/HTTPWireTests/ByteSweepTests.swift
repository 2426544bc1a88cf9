import Testing

@testable import HTTPWire

/// All 256 bytes at each place of a head, held against the grammar as the RFCs write it.
@Suite struct ByteSweepTests {
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  private static let digits = "0123456789"
  private static let token = "!#$%&'*+-.^_`|~" + digits + letters
  private static let unreserved = letters + digits + "-._~"
  private static let subDelimiters = "!$&'()*+,;="
  private static let pathCharacters = unreserved + subDelimiters + ":@/"

  @Test func classesAreTheGrammars() {
    let classes: [(ByteClass, String)] = [
      (.token, Self.token),
      (.registeredName, Self.unreserved + Self.subDelimiters),
      (.futureAddress, Self.unreserved + Self.subDelimiters + ":"),
      (.path, Self.pathCharacters),
    ]
    for (byteClass, characters) in classes {
      for byte in UInt8.min...UInt8.max {
        #expect(byteClass.contains(byte) == characters.utf8.contains(byte), "byte \(byte)")
      }
    }
    for byte in UInt8.min...UInt8.max {
      let hexDigit = Int(String(UnicodeScalar(byte)), radix: 16)
      #expect(FieldSyntax.hexadecimalDigit(byte) == hexDigit, "byte \(byte)")
      #expect(FieldSyntax.decimalDigit(byte) == hexDigit.flatMap { $0 < 10 ? $0 : nil }, "byte \(byte)")
    }
  }

  /// Puts every byte where `·` stands: accepted if it is one of the characters, and refused otherwise, by the
  /// rule if the byte is none of those that mean something else there.
  private func sweep(
    _ template: String, accepted: [UInt8], refusedBy rule: Rejection,
    except others: [UInt8: Rejection] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let feeder = HeadFeeder()
    let place = try #require(template.latin1.firstIndex(of: 0xB7))
    for byte in UInt8.min...UInt8.max {
      var bytes = template.latin1
      bytes[place] = byte
      let whole = feeder.feedWhole(bytes)
      let bytewise = feeder.feedBytewise(bytes)
      #expect(
        whole.progress == bytewise.progress && whole.head == bytewise.head, sourceLocation: sourceLocation)
      let expected: HeadProgress
      if let other = others[byte] {
        expected = .rejected(other)
      } else {
        expected = accepted.contains(byte) ? .complete(consumed: bytes.count) : .rejected(rule)
      }
      #expect(whole.progress == expected, "byte \(byte)", sourceLocation: sourceLocation)
    }
  }

  @Test func method() throws {
    let accepted = [UInt8](Self.token.utf8)
    try sweep(
      "·ET / HTTP/1.1\r\nHost: a\r\n\r\n", accepted: accepted, refusedBy: .badMethodByte,
      except: [0x0A: .bareLF, 0x0D: .bareCR])
    try sweep(
      "G·T / HTTP/1.1\r\nHost: a\r\n\r\n", accepted: accepted, refusedBy: .badMethodByte,
      except: [0x0A: .bareLF, 0x20: .invalidVersion])
  }

  @Test func target() throws {
    try sweep(
      "GET /a·b HTTP/1.1\r\nHost: a\r\n\r\n", accepted: [UInt8]((Self.pathCharacters + "?").utf8),
      refusedBy: .badTargetByte,
      except: [
        0x0A: .bareLF, 0x0D: .missingVersion, 0x20: .invalidVersion, 0x23: .fragmentInTarget,
        0x25: .badPercentEncoding,
      ])
    try sweep(
      "GET /%4· HTTP/1.1\r\nHost: a\r\n\r\n", accepted: [UInt8]("0123456789abcdefABCDEF".utf8),
      refusedBy: .badTargetByte, except: Self.percentExceptions)
    try sweep(
      "GET ·a HTTP/1.1\r\nHost: a\r\n\r\n", accepted: [0x2F], refusedBy: .badTargetByte,
      except: Dictionary(
        uniqueKeysWithValues: (Self.pathCharacters + "?%[]").utf8.filter { $0 != 0x2F }.map {
          ($0, .unknownTargetForm)
        }
      ).merging([0x0A: .bareLF, 0x0D: .emptyTarget, 0x20: .emptyTarget, 0x23: .fragmentInTarget]) { $1 })
  }

  /// Behind `/%4`, a character of a target that is no hex digit.
  private static let percentExceptions: [UInt8: Rejection] = Dictionary(
    uniqueKeysWithValues: (pathCharacters + "?%[]").utf8.filter {
      Int(String(UnicodeScalar($0)), radix: 16) == nil
    }
    .map { ($0, .badPercentEncoding) }
  ).merging([
    0x0A: .bareLF, 0x0D: .missingVersion, 0x20: .invalidVersion, 0x23: .fragmentInTarget,
  ]) { $1 }

  @Test func version() throws {
    for (index, character) in "HTTP/".enumerated() {
      var template = Array("HTTP/1.1")
      template[index] = "\u{B7}"
      try sweep(
        "GET / \(String(template))\r\nHost: a\r\n\r\n", accepted: [character.asciiValue!],
        refusedBy: .invalidVersion)
    }
    try sweep(
      "GET / HTTP/·.1\r\nHost: a\r\n\r\n", accepted: [0x31], refusedBy: .invalidVersion,
      except: Dictionary(uniqueKeysWithValues: "023456789".utf8.map { ($0, .versionNotSupported) }))
    try sweep(
      "GET / HTTP/1·1\r\nHost: a\r\n\r\n", accepted: [0x2E], refusedBy: .invalidVersion)
    try sweep(
      "GET / HTTP/1.·\r\nHost: a\r\n\r\n", accepted: [UInt8](Self.digits.utf8), refusedBy: .invalidVersion)
    try sweep(
      "GET / HTTP/1.1·\nHost: a\r\n\r\n", accepted: [0x0D], refusedBy: .invalidVersion,
      except: [0x0A: .bareLF])
    try sweep("GET / HTTP/1.1\r·Host: a\r\n\r\n", accepted: [0x0A], refusedBy: .bareCR)
  }

  @Test func fieldName() throws {
    let accepted = [UInt8](Self.token.utf8)
    try sweep(
      "GET / HTTP/1.1\r\nHost: a\r\n·y: z\r\n\r\n", accepted: accepted, refusedBy: .badFieldNameByte,
      except: [
        0x0A: .bareLF, 0x0D: .bareCR, 0x20: .obsoleteFolding, 0x09: .obsoleteFolding, 0x3A: .emptyFieldName,
      ])
    try sweep(
      "GET / HTTP/1.1\r\nHost: a\r\nx·y: z\r\n\r\n", accepted: accepted + [0x3A],
      refusedBy: .badFieldNameByte,
      except: [0x0A: .missingColon, 0x0D: .missingColon, 0x20: .spaceBeforeColon, 0x09: .spaceBeforeColon])
  }

  @Test func fieldValue() throws {
    let accepted = [0x09] + [UInt8](0x20...0x7E) + [UInt8](0x80...0xFF)
    for value in ["·", "a·", " ·a", "1234567·", "12345678·", "1·34567890123456", "123456789012345·7"] {
      try sweep(
        "GET / HTTP/1.1\r\nHost: a\r\nX:\(value)\r\n\r\n", accepted: accepted, refusedBy: .badFieldValueByte,
        except: [0x0A: .bareLF, 0x0D: .bareCR])
    }
    try sweep("GET / HTTP/1.1\r\nHost: a\r\nX: y\r·\r\n", accepted: [0x0A], refusedBy: .bareCR)
    try sweep("GET / HTTP/1.1\r\nHost: a\r\n\r·", accepted: [0x0A], refusedBy: .bareCR)
  }

  @Test func host() throws {
    try sweep(
      "GET / HTTP/1.1\r\nHost: a·1\r\n\r\n",
      accepted: [UInt8]((Self.unreserved + Self.subDelimiters + ":").utf8), refusedBy: .invalidHost,
      except: Self.valueExceptions)
    try sweep(
      "GET / HTTP/1.1\r\nHost: [::·]\r\n\r\n", accepted: [UInt8]("0123456789abcdefABCDEF".utf8),
      refusedBy: .invalidHost, except: Self.valueExceptions)
    try sweep(
      "GET / HTTP/1.1\r\nHost: a:8·\r\n\r\n", accepted: [UInt8]((Self.digits + " \t").utf8),
      refusedBy: .invalidHost, except: Self.valueExceptions)
  }

  @Test func contentLength() throws {
    try sweep(
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1·1\r\n\r\n", accepted: [UInt8](Self.digits.utf8),
      refusedBy: .invalidContentLength, except: Self.valueExceptions)
  }

  /// What is refused in any value, before what the value means is asked.
  private static let valueExceptions: [UInt8: Rejection] = Dictionary(
    uniqueKeysWithValues: ([UInt8](0x00...0x08) + [UInt8](0x0B...0x1F) + [0x7F]).map {
      ($0, .badFieldValueByte)
    }
  ).merging([0x0A: .bareLF, 0x0D: .bareCR]) { $1 }
}
