/// Faults on purpose: the fuzzer must find them, or it would find nothing else either.
enum PlantedFaults {
  /// Heads, compared with a reader that is wrong about names with an underscore.
  static func breakARule(_ bytes: [UInt8]) {
    HeadFuzzing.check(bytes) { text in
      SimpleHead(text).flatMap { head in head.fields.contains { $0.name.contains(0x5F) } ? nil : head }
    }
  }

  /// A reader of `%XX` that looks one byte too far at the end of its text: no rule breaks, a sanitizer sees it.
  static func readTooFar(_ bytes: [UInt8]) {
    let digits = exactly(bytes) { text in
      var count = 0
      for index in 0..<text.count where text[index] == 0x25 {
        // The last place that is looked at is the one behind the text when `%` is the last byte but one.
        guard index + 1 < text.count, let base = text.baseAddress else { continue }
        count += base.load(fromByteOffset: index + 2, as: UInt8.self) == 0x41 ? 1 : 0
      }
      return count
    }
    expect(digits <= bytes.count, "there are no more digits than bytes")
  }
}
