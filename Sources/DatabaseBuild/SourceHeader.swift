/// What the comments at the head of an input file say of its source.
///
/// Lines such as `# Generated: Thu, 25 Jun 2026 04:33:59 GMT`, `# Vendor: …`, `# License: …`: the header of
/// the location data that Tor distributes. The first line of each kind counts.
package struct SourceHeader: Equatable, Sendable {
  /// When the data was made, in seconds since 1970-01-01 UTC.
  package var generatedEpoch: UInt64?
  /// Who made it.
  package var vendor: String?
  /// The licence it is given under.
  package var license: String?
  /// Where it can be had.
  package var sourceURL: String?
  /// Where the licence can be read.
  package var licenseURL: String?

  /// Longer comments, in bytes, are passed over.
  static let commentBytesMax = 256

  /// A header that says nothing.
  package init() {}

  /// Takes what a comment says; `text` is what stands behind the `#`. Other comments are passed over.
  mutating func read(_ text: UnsafeRawBufferPointer) {
    guard text.count <= Self.commentBytesMax, let comment = String(validating: text, as: UTF8.self),
      !comment.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return }
    for (phrase, value) in Self.phrases where comment.hasPrefix(phrase) {
      self[keyPath: value] = self[keyPath: value] ?? String(comment.dropFirst(phrase.count))
      return
    }
    guard let colon = comment.firstIndex(of: ":") else { return }
    let value = Self.trimmed(comment[comment.index(after: colon)...])
    guard !value.isEmpty else { return }
    switch Self.trimmed(comment[..<colon]).lowercased() {
    case "generated": generatedEpoch = generatedEpoch ?? Self.epoch(value)
    case "vendor": vendor = vendor ?? String(value)
    case "license", "licence": license = license ?? String(value)
    default: break
    }
  }

  /// What the header has in sentences.
  private static var phrases: [(String, WritableKeyPath<SourceHeader, String?>)] {
    [
      ("This database has been obtained from ", \.sourceURL),
      ("Find the full license terms at ", \.licenseURL),
    ]
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  /// The moment that an IMF-fixdate (RFC 9110 section 5.6.7) or a plain `2026-06-25` names.
  static func epoch(_ text: Substring) -> UInt64? {
    let parts = text.split(separator: " ")
    if parts.count == 1 { return CalendarDate(text)?.epoch }
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let day = CalendarDate.digits(parts[1], 2),
      let month = months.firstIndex(of: String(parts[2])), let year = CalendarDate.digits(parts[3], 4),
      let date = CalendarDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = CalendarDate.digits(clock[0], 2),
      let minute = CalendarDate.digits(clock[1], 2), let second = CalendarDate.digits(clock[2], 2), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return date.epoch + UInt64(hour * 3600 + minute * 60 + second)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
