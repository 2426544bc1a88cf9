import FoundationEssentials
import RegionModel
import TestFixtures
import Testing

@testable import ClientSignal

/// A field's text as a test compares it.
enum Found: Equatable {
  case absent
  case text(String)
  case invalid(UnknownReason)

  init(_ text: FieldText) {
    switch text {
    case .absent: self = .absent
    case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
    case .invalid(let reason): self = .invalid(reason)
    }
  }
}

@Suite struct EdgescapeListTests {
  @Test(arguments: [
    ("country_code=US", Found.text("US")),
    ("georegion=246,country_code=US,region_code=CA,city=SANJOSE", .text("US")),
    ("georegion=1, country_code=US ,x=y", .text("US ")), ("COUNTRY_CODE=US", .text("US")),
    ("country_code=", .text("")), ("country_code=reserved,zip=reserved", .text("reserved")),
    ("country_code=US=CA", .text("US=CA")), ("", .absent), (",,", .absent), ("country_code", .absent),
    ("country_codes=US", .absent), ("xcountry_code=US", .absent), ("zip=country_code", .absent),
    ("zip=1,country_code,x", .absent), ("country_code=US,country_code=US", .invalid(.invalid)),
    ("country_code=US,Country_Code=KR", .invalid(.invalid)),
    ("country_code=,country_code=KR", .invalid(.invalid)),
  ])
  func keysAreFound(list: String, expected: Found) {
    #expect(
      withGuarded(list.utf8) { Found(EdgescapeList.value(of: "country_code", in: $0)) } == expected)
  }
}

@Suite struct CommaListTests {
  @Test(arguments: [
    ("US,Mountain View", 0, Found.text("US")), ("US,Mountain View", 1, .text("Mountain View")),
    ("US", 0, .text("US")),
    ("US", 1, .absent), ("", 0, .text("")), ("", 1, .absent), (",", 0, .text("")), (",", 1, .text("")),
    (",", 2, .absent),
    ("a,b,c", 2, .text("c")), ("US, Paris", 1, .text(" Paris")),
  ])
  func elementsAreFound(list: String, index: Int, expected: Found) {
    #expect(withGuarded(list.utf8) { Found(CommaList.element(index, of: $0)) } == expected)
  }
}

@Suite struct NetlifyGeoTests {
  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
      text += (0...group.count).map { alphabet[bits >> (18 - 6 * $0) & 63] }
      text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func find(_ member: NetlifyGeo.Member, json: [UInt8]) -> Found { find(member, base64: base64(json)) }

  static func find(_ member: NetlifyGeo.Member, base64: String) -> Found {
    withGuarded(base64.utf8) { value in
      Scratch.lend(bytes: NetlifyGeo.jsonBytesMax) { Found(NetlifyGeo.text(of: member, in: value, room: $0)) }
    }
  }

  static let real = """
    {"city":"San Francisco","country":{"code":"US","name":"United States"},"subdivision":{"code":"CA",\
    "name":"California"},"timezone":"America/Los_Angeles","latitude":37.7749,"longitude":-122.4194,"postalCode":"94107"}
    """

  @Test func aRealValueIsRead() {
    let value = Array(Self.real.utf8)
    #expect(Self.find(.country, json: value) == .text("US"))
    #expect(Self.find(.subdivision, json: value) == .text("CA"))
    #expect(Self.find(.city, json: value) == .text("San Francisco"))
  }

  @Test(arguments: [
    (#"{}"#, Found.absent), (#" { } "#, .absent), (#"{"city":null}"#, .absent),
    (#"{"city": null }"#, .absent),
    (#"{"City":"x"}"#, .absent), (#"{"country":{"city":"x"}}"#, .absent), (#"{"a":[{"city":"x"}]}"#, .absent),
    (#"{"city":""}"#, .text("")), (#"{"city":"Évora"}"#, .text("Évora")),
    ("{\t\"city\"\r\n:\n\"x\" }", .text("x")),
    (#"{"city":"a\"b\\c\/d"}"#, .text(#"a"b\c/d"#)), (#"{"city":"\u00c9vora"}"#, .text("Évora")),
    (#"{"city":"\uD83D\uDE00"}"#, .text("😀")), (#"{"city":"\b\f\n\r\t"}"#, .text("\u{8}\u{C}\n\r\t")),
    (#"{"a":1,"b":-0.5e+10,"c":0,"d":1E9,"e":true,"f":false,"g":null,"city":"x"}"#, .text("x")),
    (#"{"a":[],"b":[1,[2,{}]],"c":{"d":{}},"city":"x"}"#, .text("x")),
    (#"{"a":1,"a":2,"city":"x"}"#, .text("x")),
    (#"{"city":"x","country":7}"#, .text("x")), (#"{"\u0061":1}"#, .invalid(.invalid)),
  ])
  func citiesAreFound(json: String, expected: Found) {
    #expect(Self.find(.city, json: Array(json.utf8)) == expected)
  }

  @Test(arguments: [
    (#"{"country":{}}"#, Found.absent), (#"{"country":null}"#, .absent),
    (#"{"country":{"code":null}}"#, .absent),
    (#"{"country":{"name":"Korea"}}"#, .absent), (#"{"code":"KR"}"#, .absent),
    (#"{"subdivision":{"code":"KR"}}"#, .absent),
    (#"{"country":{"name":{"code":"US"},"code":"KR"}}"#, .text("KR")),
    (#"{"country":"KR"}"#, .invalid(.invalid)),
    (#"{"country":["KR"]}"#, .invalid(.invalid)), (#"{"country":{"code":82}}"#, .invalid(.invalid)),
    (#"{"country":{"code":"KR","code":"KR"}}"#, .invalid(.invalid)),
    (#"{"country":{"code":null,"code":"KR"}}"#, .invalid(.invalid)),
    (#"{"country":{"code":"KR"},"country":{"code":"KR"}}"#, .invalid(.invalid)),
    (#"{"country":null,"country":{"code":"KR"}}"#, .invalid(.invalid)),
    (#"{"country":{"code":"KR"},"\u0063ountry":{"code":"US"}}"#, .invalid(.invalid)),
  ])
  func countriesAreFound(json: String, expected: Found) {
    #expect(Self.find(.country, json: Array(json.utf8)) == expected)
  }

  @Test(arguments: [
    "", " ", "null", "[]", "\"city\"", "{", "}", "{]", "{\"city\"}", "{\"city\":}", "{\"city\":\"x\"",
    "{\"city\":\"x",
    "{\"city\":\"x\",}", "{,}", "{\"city\" \"x\"}", "{city:\"x\"}", "{'city':'x'}", "{\"city\":\"x\"}}",
    "{\"city\":\"x\"}{}",
    "{\"city\":7}", "{\"city\":true}", "{\"city\":[\"x\"]}", "{\"city\":{}}",
    "{\"city\":\"x\",\"city\":\"x\"}",
    "{\"city\":\"\\x\"}", "{\"city\":\"\\u12\"}", "{\"city\":\"\\u12g4\"}", "{\"city\":\"\\uD800\"}",
    "{\"city\":\"\\uDC00\"}",
    "{\"city\":\"\\uD800\\n\"}", "{\"city\":\"\\uD800\\u0041\"}", "{\"city\":\"a\nb\"}", "{\"city\":\"x\\",
    "{\"a\":01}", "{\"a\":1.}",
    "{\"a\":.5}", "{\"a\":+1}", "{\"a\":-}", "{\"a\":1e}", "{\"a\":nul}", "{\"a\":nulll}", "{\"a\":True}",
    "{\"a\":NaN}", "{\"a\":[1,]}",
    "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":1 \"b\":2}", "// c\n{}", "{\"a\":\"\\u00e9\u{0}\"}", "\u{FEFF}{}",
  ])
  func brokenJSONIsInvalid(json: String) {
    #expect(Self.find(.city, json: Array(json.utf8)) == (json.isEmpty ? .absent : .invalid(.invalid)))
  }

  @Test func notUTF8IsInvalid() {
    #expect(
      Self.find(.city, json: Array("{\"city\":\"".utf8) + [0xC3] + Array("\"}".utf8)) == .invalid(.invalid))
    #expect(
      Self.find(.city, json: Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) == .invalid(.invalid))
  }

  @Test(arguments: ["{}", "e30", "e30=\n", "e3 0=", "%7B%7D", "ew=="])
  func brokenBase64IsInvalid(value: String) {
    #expect(Self.find(.city, base64: value) == .invalid(.invalid))
    #expect(Self.find(.city, base64: "e30=") == .absent)
  }

  @Test func depthAndLengthAreBounded() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        ("{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}").utf8)
    }
    #expect(Self.find(.city, json: nested(JSONScanner.depthMax)) == .absent)
    #expect(Self.find(.city, json: nested(JSONScanner.depthMax + 1)) == .invalid(.invalid))
    let frame = "{\"city\":\"\"}".utf8.count
    func long(_ count: Int) -> [UInt8] {
      Array("{\"city\":\"\(String(repeating: "x", count: count - frame))\"}".utf8)
    }
    #expect(Self.find(.city, json: long(1023)) == .text(String(repeating: "x", count: 1023 - frame)))
    #expect(Self.find(.city, json: long(1025)) == .invalid(.invalid))
  }

  /// A cut value is refused, and of a changed one nothing is read that a full JSON decoder would not read.
  @Test func damagedValuesAreReadAsADecoderReadsThemOrRefused() throws {
    let value = Array(Self.real.utf8)
    for count in 0..<value.count {
      #expect(Self.find(.city, json: Array(value[..<count])) == (count == 0 ? .absent : .invalid(.invalid)))
    }
    var generator = SeededGenerator(seed: 5)
    let bytes = Array("\"\\{}[]:,u09eE-+. \n\u{0}aé".utf8)
    var acceptedCount = 0
    for _ in 0..<2_000 {
      var damaged = value
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = bytes.randomElement(
          using: &generator)!
      }
      guard case .text(let city) = Self.find(.city, json: damaged) else { continue }
      acceptedCount += 1
      #expect(try JSONDecoder().decode(Decoded.self, from: Data(damaged)).city == city)
    }
    #expect((500...1_900).contains(acceptedCount))
  }

  private struct Decoded: Decodable {
    var city: String
  }
}
