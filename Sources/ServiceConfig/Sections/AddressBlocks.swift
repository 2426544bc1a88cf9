import ClientSignal

/// A list of address blocks as the configuration has it.
struct AddressBlocks {
  /// The blocks of words, texts and files together.
  var blocks: [CIDRBlock] = []
  /// Whether the word `private` is among them.
  var hasPrivateWord = false

  /// How many bad lines of one file are reported one by one.
  private static let badLinesMax = 5

  /// Reads the list under a key, `file:PATH` included: there a block stands on each line, `#` begins a
  /// comment.
  init(reading reader: ConfigReader, _ key: ConfigKey) {
    for (index, text) in (reader.texts(key) ?? []).enumerated() {
      if text.hasPrefix("file:") {
        addFile(String(text.dropFirst("file:".count)), reader, key, "[\(index)]")
        continue
      }
      hasPrivateWord = hasPrivateWord || text == "private"
      do { blocks += try CIDRBlock.parse(text) } catch {
        let words = NearestName.hint(for: text, among: ["loopback", "private"])
        reader.error(key, at: "[\(index)]", "\(JSONValue.text(text).brief): \(error)", hint: words)
      }
    }
  }

  private mutating func addFile(_ path: String, _ reader: ConfigReader, _ key: ConfigKey, _ element: String) {
    let name = JSONValue.text("file:\(path)").brief
    let bytes: [UInt8]
    do { bytes = try reader.read(reader.resolved(path, of: key)) } catch {
      return reader.error(key, at: element, "\(name) cannot be read: \(error.text)")
    }
    var badLineCount = 0
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let content = String(decoding: line.prefix { $0 != UInt8(ascii: "#") && $0 != 0x0D }, as: UTF8.self)
        .trimmed
      guard !content.isEmpty else { continue }
      do { blocks += try CIDRBlock.parse(content) } catch {
        badLineCount += 1
        guard badLineCount <= Self.badLinesMax else { continue }
        reader.error(
          key, at: element, "\(name), line \(index + 1): \(JSONValue.text(content).brief): \(error)")
      }
    }
    if badLineCount > Self.badLinesMax {
      reader.error(key, at: element, "\(name): \(badLineCount - Self.badLinesMax) more bad lines")
    }
  }
}
