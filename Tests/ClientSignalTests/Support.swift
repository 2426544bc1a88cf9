import RegionModel
import TestFixtures
import Testing

@testable import ClientSignal
@testable import HTTPWire

/// One field line of a test, its value as bytes.
struct Line {
  var name: String
  var value: [UInt8]

  init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  /// A line from `Name: value`.
  init(_ text: String) {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))!
    name = String(text[..<colon])
    value = Array(text[text.index(after: colon)...].utf8.drop { $0 == 0x20 })
  }
}

/// Lends a head with these lines, as the parser would have left it, whose last value ends where memory ends.
func withHead<Result>(_ lines: [Line], _ body: (RequestHead) throws -> Result) rethrows -> Result {
  var bytes: [UInt8] = []
  let ranges = lines.map { line in
    let name = bytes.count
    bytes += line.name.utf8
    let value = bytes.count + 2
    bytes += Array(": ".utf8) + line.value
    return (name: name..<(value - 2), value: value..<bytes.count)
  }
  return try withGuarded(bytes) { buffer in
    let head = RequestHead(fieldCountMax: max(1, lines.count))
    head.reset(to: buffer)
    for range in ranges { head.append(name: range.name, value: range.value) }
    return try body(head)
  }
}

/// The same from `Name: value` texts.
func withHead<Result>(_ lines: [String], _ body: (RequestHead) throws -> Result) rethrows -> Result {
  try withHead(lines.map { Line($0) }, body)
}

/// An address of a test; nil when the text is none.
func address(_ text: String, _ form: AddressForm = .bare) -> IPAddress? {
  withGuarded(text.utf8) { IPAddress($0, form: form) }
}

/// A set of a test's blocks.
func set(_ texts: String...) throws -> CIDRSet {
  CIDRSet(try texts.flatMap { try CIDRBlock.parse($0) })
}

/// A policy of a test.
func policy(_ rules: String..., unclassified: String...) throws -> BucketPolicy {
  try BucketPolicy(
    regional: rules.flatMap { try RegionRule.parse($0) }, unclassified: unclassified.map { CountryCode($0)! })
}

/// The reader of a preset's headers.
func headers(of preset: String) throws -> LocationHeaders {
  let row = try #require(CDNPreset.named(preset))
  return try #require(LocationHeaders(row))
}

extension Location {
  /// `KR`, `US-CA`, each perhaps with `/listed` or `/other` behind it.
  static func text(_ text: String) -> Location {
    let parts = text.split(separator: "/")
    let place = parts[0].split(separator: "-")
    return Location(
      country: CountryCode(place[0])!,
      subdivision: place.count > 1 ? SubdivisionCode(Array(place[1].utf8)) : nil,
      city: parts.count < 2 ? .absent : parts[1] == "listed" ? .listed : .other)
  }
}
