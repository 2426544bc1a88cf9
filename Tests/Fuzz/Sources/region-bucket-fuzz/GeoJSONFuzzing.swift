import Foundation
import RegionModel
import TestFixtures

@testable import ClientSignal

/// `x-nf-geo`: base64, then JSON. What is read from it a whole JSON decoder reads as well.
enum GeoJSONFuzzing {
  static func check(_ bytes: [UInt8]) {
    checkBase64(bytes)
    checkJSON(bytes)
  }

  private static func checkBase64(_ text: [UInt8]) {
    for room in [NetlifyGeo.jsonBytesMax, 6] {
      let decoded = withRoom(room) { room in
        exactly(text) { Base64Decoding.decode($0, into: room) }.map { [UInt8](room[..<$0]) }
      }
      guard let decoded else { continue }
      expect(decoded.count <= room, "no more is decoded than there is room for")
      // Strict: there is one spelling of each.
      expect(Array(Data(decoded).base64EncodedString().utf8) == text, "base64 is read as it is written")
    }
    if text.count <= 1024, !text.contains(0x3D), Data(base64Encoded: Data(text)) != nil {
      let count = withRoom(1024) { room in exactly(text) { Base64Decoding.decode($0, into: room) } }
      expect(count == text.count / 4 * 3, "what has no padding is decoded")
    }
  }

  private static func checkJSON(_ json: [UInt8]) {
    let city = find(.city, in: json)
    let country = find(.country, in: json)
    guard json.count <= NetlifyGeo.jsonBytesMax else {
      return expect(city == .invalid && country == .invalid, "what is too long is refused")
    }
    guard !json.isEmpty, city != .invalid else { return }
    guard let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else {
      return expect(mayOverflow(json), "a JSON decoder takes it too")
    }
    expect(city == Seen(object["city"]), "a JSON decoder finds the same city")
    guard country != .invalid else { return }
    expect(
      country == Seen((object["country"] as? [String: Any])?["code"]), "a JSON decoder finds the same country"
    )
  }

  /// Whether a number in it may be too large for a decoder, though it is a number: an exponent of three digits, or a
  /// number of three hundred.
  private static func mayOverflow(_ json: [UInt8]) -> Bool {
    var digitCount = 0
    var isExponent = false
    for byte in json {
      switch byte {
      case 0x30...0x39:
        digitCount += 1
        if digitCount >= (isExponent ? 3 : 300) { return true }
      case 0x2B, 0x2D: digitCount = 0
      default:
        digitCount = 0
        isExponent = byte & 0xDF == UInt8(ascii: "E")
      }
    }
    return false
  }

  private enum Seen: Equatable {
    case absent, invalid
    case text([UInt8])

    init(_ value: Any?) {
      switch value {
      case nil, is NSNull: self = .absent
      case let text as String: self = .text(Array(text.utf8))
      default: self = .invalid
      }
    }
  }

  private static func find(_ member: NetlifyGeo.Member, in json: [UInt8]) -> Seen {
    withRoom(NetlifyGeo.jsonBytesMax) { room in
      exactly(Array(Data(json).base64EncodedString().utf8)) { value in
        switch NetlifyGeo.text(of: member, in: value, room: room) {
        case .absent: .absent
        case .invalid: .invalid
        case .text(let text): .text([UInt8](text))
        }
      }
    }
  }

  private static func withRoom<Result>(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { room.deallocate() }
    return body(room)
  }
}
