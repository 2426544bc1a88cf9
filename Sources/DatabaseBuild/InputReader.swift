/// Reads one input file into a collector.
struct InputReader {
  private let file: Int
  private let path: String
  private var format: InputFormat?
  private var listParser: NetworkListParser?
  private var unrecognisedCount = 0

  /// After this many lines that fit no format the file is taken for something else.
  static let unrecognisedMax = 20
  /// What has no end of a line for so long is not text: a device, or a file of another kind.
  static let unfinishedBytesMax = 16 << 20
  /// The size of a piece that is read at once.
  private static let pieceBytes = 1 << 18

  private init(file: Int, path: String, format: InputFormat?) {
    self.file = file
    self.path = path
    self.format = format
  }

  /// Reads a whole file, piece by piece, never mapped: it may be replaced or cut meanwhile.
  ///
  /// `progress` is told the bytes read so far.
  static func read(
    _ descriptor: Descriptor, _ input: DatabaseBuilder.Input, number: Int,
    into collector: inout ClaimCollector, progress: (Int) -> Void
  ) throws(BuildError) {
    var reader = InputReader(file: number, path: input.path, format: input.format)
    var splitter = LineSplitter()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      let count: Int
      do throws(FileFailure) { count = try descriptor.read(into: buffer) } catch { throw .cannotRead(error) }
      guard count > 0 else { break }
      total += count
      try splitter.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        (line, number) throws(BuildError) in
        try reader.take(line, number, into: &collector)
      }
      guard splitter.unfinishedBytes <= unfinishedBytesMax else {
        throw .endlessLine(path: input.path, line: splitter.number + 1)
      }
      progress(total)
    }
    try splitter.finish { (line, number) throws(BuildError) in
      try reader.take(line, number, into: &collector)
    }
    if reader.format == nil, reader.unrecognisedCount > 0 { throw .unknownFormat(path: input.path) }
    collector.report.files[number].format = reader.format
    collector.report.files[number].bytes = total
    collector.report.files[number].lines = splitter.number
  }

  private mutating func take(
    _ line: LineSplitter.Line, _ number: Int, into collector: inout ClaimCollector
  ) throws(BuildError) {
    let place = InputPlace(file: file, line: number)
    guard case .text(let raw) = line else {
      collector.report.add(.lineTooLong, at: place)
      if format == nil { try countUnrecognised() }
      return
    }
    var text = raw.field(0..<raw.count)
    guard let first = text.first else { return }
    guard first != UInt8(ascii: "#") else {
      if collector.report.files[file].networks == 0 {
        collector.report.files[file].header.read(text.field(1..<text.count))
      }
      return
    }
    guard let format = format ?? InputFormat.recognise(text) else {
      collector.report.add(.unrecognised, at: place)
      return try countUnrecognised()
    }
    self.format = format
    if format == .geofeed, let hash = text.index(of: UInt8(ascii: "#")) { text = text.field(0..<hash) }
    do throws(InputProblem) {
      if try parse(text, format, at: place, into: &collector) { collector.report.files[file].networks += 1 }
    } catch {
      let isText = String(validating: text, as: UTF8.self) != nil
      collector.report.add(isText ? error : .notUTF8, at: place)
    }
  }

  private mutating func countUnrecognised() throws(BuildError) {
    unrecognisedCount += 1
    if unrecognisedCount >= Self.unrecognisedMax { throw .unknownFormat(path: path) }
  }

  /// - Returns: whether the line speaks of a network.
  private mutating func parse(
    _ text: UnsafeRawBufferPointer, _ format: InputFormat, at place: InputPlace,
    into collector: inout ClaimCollector
  ) throws(InputProblem) -> Bool {
    switch format {
    case .torGeoIP:
      try RangeParser.parse(text, at: place, into: &collector)
      return true
    case .csv, .geofeed:
      var parser = listParser ?? NetworkListParser(format)
      defer { listParser = parser }
      return try parser.parse(text, at: place, into: &collector)
    }
  }
}
