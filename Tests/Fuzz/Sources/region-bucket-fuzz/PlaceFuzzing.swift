import RegionModel
import TestFixtures

@testable import ClientSignal
@testable import HTTPWire

/// Places as CDNs write them: Edgescape's and other lists, percent-encoding, and the allow-lists behind them.
enum PlaceFuzzing {
  private static let readers = CDNPreset.all.compactMap { preset in
    LocationHeaders(preset).map { (reader: $0, fields: [preset.country, preset.subdivision, preset.city]) }
  }
  private static let policy: BucketPolicy = {
    do {
      let rules = try ["KR/Seoul", "US-CA", "FR/Orléans", "JP"].flatMap { try RegionRule.parse($0) }
      return try BucketPolicy(regional: rules, unclassified: [])
    } catch { fatalError("\(error)") }
  }()

  static func check(_ bytes: [UInt8]) {
    checkEdgescape(bytes)
    checkCommas(bytes)
    checkPercent(bytes)
    let value = bytes.parts(separatedBy: "\n")[0].trimmed
    for (reader, fields) in readers {
      for case let field? in fields {
        // Its value in one part, and a country in another where that is another header.
        let outcome = withHead(field.name, [value]) { reader.read($0, policy: policy) }
        if case .location(let location) = outcome {
          expect(CountryCode.all.contains(location.country), "a country is assigned")
        }
        let twice = withHead(field.name, [value, value]) { reader.read($0, policy: policy) }
        if case .location = twice { expect(false, "of two lines none is believed") }
      }
    }
  }

  private static func checkEdgescape(_ bytes: [UInt8]) {
    let pairs = bytes.parts(separatedBy: ",").compactMap { pair -> (key: [UInt8], value: [UInt8])? in
      guard let equals = pair.firstIndex(of: 0x3D) else { return nil }
      return (Array(pair[..<equals]).trimmed.lowercased, Array(pair[(equals + 1)...]))
    }
    for key in ["country_code", "city"] as [StaticString] {
      let values = pairs.filter { $0.key == Array("\(key)".utf8) }.map(\.value)
      exactly(bytes) { list in
        switch EdgescapeList.value(of: key, in: list) {
        case .absent: expect(values.isEmpty, "a key that is there is found")
        case .invalid: expect(values.count > 1, "only a doubled key is refused")
        case .text(let text): expect(values == [[UInt8](text)], "it is the key's value")
        }
      }
    }
  }

  private static func checkCommas(_ bytes: [UInt8]) {
    let parts = bytes.parts(separatedBy: ",")
    for index in 0..<3 {
      exactly(bytes) { list in
        switch CommaList.element(index, of: list) {
        case .text(let text):
          expect(index < parts.count && parts[index] == [UInt8](text), "it is the element")
        case .absent: expect(index >= parts.count, "an element that is there is found")
        case .invalid: expect(false, "no list is invalid")
        }
      }
    }
  }

  private static func checkPercent(_ bytes: [UInt8]) {
    for room in [bytes.count, 16] {
      let decoded = decode(bytes, room: room)
      let simple = simplyDecoded(bytes)
      expect(decoded == simple || decoded == nil && simple!.count > room, "a simple decoder says the same")
    }
    let digits = Array("0123456789abcdefABCDEF".utf8)
    let encoded = bytes.flatMap { [0x25, digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    expect(decode(encoded, room: bytes.count) == bytes, "what is encoded is decoded")
    expect(
      exactly(bytes) { UTF8Validation.isValid($0) } == (String(validating: bytes, as: UTF8.self) != nil),
      "the standard library judges UTF-8 in the same way")
  }

  private static func decode(_ text: [UInt8], room count: Int) -> [UInt8]? {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { room.deallocate() }
    return exactly(text) { PercentDecoding.decode($0, into: room) }.map { [UInt8](room[..<$0]) }
  }

  private static func simplyDecoded(_ text: [UInt8]) -> [UInt8]? {
    let parts = text.parts(separatedBy: "%")
    var decoded = parts[0]
    for part in parts.dropFirst() {
      guard part.count >= 2, part[..<2].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
        let byte = UInt8(String(decoding: part[..<2], as: UTF8.self), radix: 16)
      else { return nil }
      decoded += [byte] + part[2...]
    }
    return decoded
  }
}
