import Testing

@testable import HTTPWire

@Suite struct FieldNameTests {
  @Test func namesAreComparedWithoutCase() {
    #expect(FieldName("X-Forwarded-For") == FieldName("x-forwarded-for"))
    #expect(FieldName("X-Forwarded-For") != FieldName("X_Forwarded_For"))
    #expect(Set([FieldName("Vary"), FieldName("VARY"), FieldName("Via")]).count == 2)
  }

  @Test(arguments: ["", " ", "X Y", "X:", "X\r\n", "X\0", "caf\u{E9}", "\"X\"", "(X)", "X/Y"])
  func whatIsNoTokenIsNoName(_ text: String) {
    #expect(FieldName(text) == nil)
  }

  /// Names of one length, or of lengths that share a bit, are told apart all the same.
  @Test(arguments: [
    ("X-Viewer-aaaaa-Country", "X-Viewer-bbbbb-Country"), ("X", "Y"), ("Via", "Age"),
    ("Ab", "Ab" + String(repeating: "c", count: 64)),
  ]) func aSharedLengthIsNoMatch(_ sent: String, _ asked: String) throws {
    let head = RequestHead(fieldCountMax: 4)
    var parser = RequestParser()
    let (sentName, askedName) = (try #require(FieldName(sent.uppercased())), try #require(FieldName(asked)))
    #expect(sentName.lengthBit == askedName.lengthBit)
    try "GET / HTTP/1.1\r\nHost: a\r\n\(sent): DE\r\n\r\n".latin1.withUnsafeBytes { bytes in
      try #require(parser.parse(bytes, limits: WireLimits(), into: head) == .complete(consumed: bytes.count))
      #expect(head.has(sentName) && !head.has(askedName))
      guard case .value = head.single(sentName), case .absent = head.single(askedName) else {
        Issue.record("\(sent) is there, \(asked) is not")
        return
      }
    }
  }

  /// Every character of a name beside every byte, in each place that names are compared by: alone, in a word, at a
  /// word's end, in the last word.
  @Test(arguments: [1, 7, 8, 9, 17]) func onlyLettersHaveCase(_ length: Int) {
    let letters = [UInt8](repeating: 0x61, count: length)
    for character in UInt8.min...UInt8.max where FieldSyntax.isTokenCharacter(character) {
      for place in Set([0, length / 2, length - 1]) {
        var text = letters
        text[place] = character
        let name = FieldName(String(decoding: text, as: UTF8.self))
        let matching = (UInt8.min...UInt8.max).filter { byte in
          text[place] = byte
          return text.withUnsafeBytes { name?.matches($0) } == true
        }
        let isLetter = (0x41...0x5A).contains(character) || (0x61...0x7A).contains(character)
        #expect(matching == (isLetter ? [character & 0xDF, character | 0x20] : [character]))
      }
    }
  }

  /// Many names of few lengths: each is found as if it were alone.
  @Test func namesOfOneLengthAreToldApart() {
    let counts = (0..<120).map { [1, 2, 1, 3][$0 % 4] }
    let names = counts.indices.map { "X-Name-\($0)" }
    let lines = (0..<3).flatMap { turn in
      names.indices.filter { turn < counts[$0] }.map { "\(names[$0]): \($0).\(turn)\r\n" }
    }
    let head = RequestHead(fieldCountMax: lines.count)
    let limits = WireLimits(fieldCountMax: lines.count)
    var parser = RequestParser()
    "GET / HTTP/1.0\r\n\(lines.joined())\r\n".latin1.withUnsafeBytes { bytes in
      #expect(parser.parse(bytes, limits: limits, into: head) == .complete(consumed: bytes.count))
      for (number, (name, count)) in zip(names, counts).enumerated() {
        let name = FieldName(name.uppercased())!
        var values: [String] = []
        head.forEachValue(of: name) { values.append(String(decoding: $0, as: UTF8.self)) }
        #expect(values == (0..<count).map { "\(number).\($0)" })
        switch head.single(name) {
        case .value(let value): #expect(count == 1 && value.elementsEqual("\(number).0".utf8))
        case .repeated: #expect(count > 1)
        case .absent: Issue.record("\(name.text) is there")
        }
      }
      for number in 200..<400 {
        guard let name = FieldName("X-Name-\(number)"), case .absent = head.single(name), !head.has(name)
        else {
          Issue.record("\(number) is not there")
          continue
        }
      }
    }
  }
}
