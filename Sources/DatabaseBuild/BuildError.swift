/// Why no database was built. The output file is as it was before.
package enum BuildError: Error, Equatable, Sendable {
  /// More than 65,536 input files.
  case tooManyInputs
  /// An input could not be read.
  case cannotRead(FileFailure)
  /// An input whose lines make sense in no known format.
  case unknownFormat(path: String)
  /// An input with a line of more than 16 MiB, which may be one that never ends.
  case endlessLine(path: String, line: Int)
  /// The inputs hold no network with a country; what they do hold is in the report.
  case noNetworks(InputReport)
  /// A strict build met lines that are wrong; the report tells which.
  case wrongLines(InputReport)
  /// The format has no room for it, or not in records of the size that was asked for.
  case cannotEncode(DatabaseWriterError)
  /// The output could not be written.
  case cannotWrite(FileFailure)
}

extension BuildError: CustomStringConvertible {
  /// A sentence without a full stop.
  package var description: String {
    switch self {
    case .tooManyInputs: "more than \(ClaimRank.filesMax) input files"
    case .cannotRead(let failure), .cannotWrite(let failure): failure.description
    case .unknownFormat(let path):
      "\(path): not in a known format (\(InputFormat.allCases.map(\.rawValue).joined(separator: ", ")))"
    case .endlessLine(let path, let line):
      "\(path): not text: line \(line) has no end within \(InputReader.unfinishedBytesMax >> 20) MiB"
    case .noNetworks: "the input holds no network with a country"
    case .wrongLines(let report): "a strict build takes no wrong lines, and there are \(report.count(.error))"
    case .cannotEncode(let error): error.description
    }
  }
}
