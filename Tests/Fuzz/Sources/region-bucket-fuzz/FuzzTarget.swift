/// One thing that is fuzzed: it takes any bytes, and ends the process where a rule does not hold for them.
struct FuzzTarget {
  let name: String
  /// libFuzzer's callback.
  let run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

  static var all: [FuzzTarget] {
    [
      FuzzTarget(name: "heads") { feed(HeadFuzzing.check, $0, $1) },
      FuzzTarget(name: "connections") { feed(ConnectionFuzzing.check, $0, $1) },
      FuzzTarget(name: "chunks") { feed(ChunkFuzzing.check, $0, $1) },
      FuzzTarget(name: "prefaces") { feed(PrefaceFuzzing.check, $0, $1) },
      FuzzTarget(name: "clients") { feed(ClientFuzzing.check, $0, $1) },
      FuzzTarget(name: "places") { feed(PlaceFuzzing.check, $0, $1) },
      FuzzTarget(name: "geo-json") { feed(GeoJSONFuzzing.check, $0, $1) },
      FuzzTarget(name: "config") { feed(ConfigFuzzing.check, $0, $1) },
      FuzzTarget(name: "inputs") { feed(InputFuzzing.check, $0, $1) },
      FuzzTarget(name: "databases") { feed(DatabaseFuzzing.check, $0, $1) },
      FuzzTarget(name: "planted-rule") { feed(PlantedFaults.breakARule, $0, $1) },
      FuzzTarget(name: "planted-read") { feed(PlantedFaults.readTooFar, $0, $1) },
    ]
  }
}

private func feed(_ check: ([UInt8]) -> Void, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  check([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the process, which libFuzzer takes for a finding, unless the rule holds.
func expect(_ holds: Bool, _ rule: @autoclosure () -> String) {
  if !holds { fatalError("broken rule: \(rule())") }
}

/// Lends a copy of the bytes in memory of exactly that size: a read behind it is a sanitizer's finding.
func exactly<Result>(
  _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: bytes)
  return try body(UnsafeRawBufferPointer(copy))
}

extension [UInt8] {
  /// A number that depends on the bytes alone (FNV-1a): what is drawn for an input is the same each time.
  var seed: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }

  /// The bytes cut at up to four places.
  func cut(using generator: inout some RandomNumberGenerator) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    let ends = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      Int.random(in: 0...count, using: &generator)
    }
    for end in ends.sorted() + [count] {
      pieces.append(self[start..<end])
      start = end
    }
    return pieces
  }

  /// The parts between separators, empty ones too.
  func parts(separatedBy separator: Character) -> [[UInt8]] {
    split(separator: separator.asciiValue!, omittingEmptySubsequences: false).map { [UInt8]($0) }
  }

  /// Without spaces and tabs at its ends.
  var trimmed: [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    return [UInt8](drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// ASCII letters in lower case.
  var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
}
