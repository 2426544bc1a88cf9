/// Makes lines of the access log. Belongs to who writes the log.
///
/// Whatever of a line is a closed word is rendered once, its time once a second; a line is then a copy and a number.
final class AccessLineRenderer {
  /// The words of a kind of record, with room for the time in front of them.
  private struct Words {
    var kind: UInt64 = 0
    var memory: UnsafeMutableRawPointer?
    var count = 0
    /// The second whose text stands there.
    var second = Int64.min
  }

  /// More than there are kinds: methods, routes, statuses and reasons allow some hundreds.
  private static let placeCount = 4096
  private static let timeBytesMax = 64

  private let isJSON: Bool
  private let words: UnsafeMutablePointer<Words>
  private var second = Int64.min
  private let timeText: UnsafeMutableRawBufferPointer
  private var timeCount = 0

  init(_ format: LineFormat) {
    isJSON = format == .json
    words = .allocate(capacity: Self.placeCount)
    words.initialize(repeating: Words(), count: Self.placeCount)
    timeText = .allocate(byteCount: Self.timeBytesMax, alignment: 8)
  }

  deinit {
    for place in 0..<Self.placeCount { words[place].memory?.deallocate() }
    words.deallocate()
    timeText.deallocate()
  }

  /// Appends a record's line; there must be room for a line.
  func append(_ record: AccessRecord, to lines: LineBuffer) {
    if second != record.unixSeconds { setTime(record.unixSeconds) }
    lines.appendLine(text(of: record), number: Int64(record.microseconds), isJSON: isJSON)
  }

  /// The time and the words of a line.
  private func text(of record: AccessRecord) -> UnsafeRawBufferPointer {
    let entry = words + place(of: record)
    let start = entry.pointee.memory! + Self.timeBytesMax - timeCount
    if entry.pointee.second != second {
      start.copyMemory(from: timeText.baseAddress!, byteCount: timeCount)
      entry.pointee.second = second
    }
    return UnsafeRawBufferPointer(start: start, count: timeCount + entry.pointee.count)
  }

  /// Where the words of the record's kind are; those that it meets first are rendered.
  private func place(of record: AccessRecord) -> Int {
    let kind = record.kind
    var place = Int((kind &* 0x9E37_79B9_7F4A_7C15) >> 52)
    while words[place].kind != kind {
      if words[place].kind == 0 {
        setWords(of: record, at: place)
        break
      }
      place = (place + 1) % Self.placeCount
    }
    return place
  }

  private func setWords(of record: AccessRecord, at place: Int) {
    let text = render(record)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.timeBytesMax + text.count, alignment: 1)
    text.withUnsafeBytes {
      (memory + Self.timeBytesMax).copyMemory(from: $0.baseAddress!, byteCount: text.count)
    }
    words[place] = Words(kind: record.kind, memory: memory, count: text.count)
  }

  private func setTime(_ unixSeconds: Int64) {
    second = unixSeconds
    let text = Array(((isJSON ? "{\"time\":\"" : "") + Timestamp.text(unixSeconds)).utf8)
    timeText.copyBytes(from: text)
    timeCount = text.count
  }

  /// All of a line between its time and the number at its end.
  private func render(_ record: AccessRecord) -> [UInt8] {
    var text: [UInt8] = []

    func append(_ part: StaticString) {
      text.append(contentsOf: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
    }
    func appendKey(_ key: StaticString) {
      append(isJSON ? ",\"" : " ")
      append(key)
      append(isJSON ? "\":" : "=")
    }
    func append(_ key: StaticString, _ word: StaticString) {
      appendKey(key)
      if isJSON { append("\"") }
      append(word)
      if isJSON { append("\"") }
    }

    append(isJSON ? "\",\"level\":\"info\",\"event\":\"access\"" : " info access")
    append("method", record.method?.name ?? "none")
    append("route", record.route.name)
    appendKey("status")
    text += String(record.status).utf8
    if let decision = record.decision {
      append("bucket", decision.bucket.name)
      append("source", decision.source.name)
      if let reason = decision.reason { append("reason", reason.name) }
    }
    appendKey("microseconds")
    return text
  }
}
