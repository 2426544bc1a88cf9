#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Builds a MaxMind DB file of countries (and subdivisions and cities, where given) from text files.
///
/// Blocks; one build at a time per value, any number of values on any threads.
package struct DatabaseBuilder: Sendable {
  /// A file to read.
  package struct Input: Equatable, Sendable {
    /// Its path; pipes are fine.
    package var path: String
    /// How it is written; nil lets its content tell.
    package var format: InputFormat?

    /// An input from its parts.
    package init(path: String, format: InputFormat? = nil) {
      self.path = path
      self.format = format
    }
  }

  /// The files to read. Where lines are equal in rank, those of earlier files hold.
  package var inputs: [Input]
  /// Whether the tree has room for IPv6.
  package var ipVersion = IPVersion.v6
  /// The size of a record of the tree; nil takes the smallest that fits.
  package var recordSize: RecordSize?
  /// The type in the metadata; nil makes it `RegionBucket-Country`, or `-City` when there are cities.
  package var databaseType: String?
  /// Whose data it is, for the description; nil takes what the inputs' comments say.
  package var attribution: String?
  /// What its licence is, for the description; nil takes what the inputs' comments say.
  package var license: String?
  /// When the data was made, in seconds since 1970-01-01 UTC; nil takes the oldest date in the inputs' comments.
  package var sourceEpoch: UInt64?
  /// The time of the build, in seconds since 1970-01-01 UTC: the database's date when no other is known.
  package var now: UInt64
  /// Whether a single wrong line refuses the whole build.
  package var isStrict = false
  /// The most lines that are kept of each problem.
  package var diagnosticsMax = 20

  /// A builder with defaults for everything else.
  package init(inputs: [Input], now: UInt64) {
    self.inputs = inputs
    self.now = now
  }

  /// Reads the inputs and puts the database in place of `path` (`AtomicFile.write`).
  ///
  /// `progress` is called on this thread, at most some hundred times.
  package func build(
    to path: String, progress: (BuildProgress) -> Void = { _ in }
  ) throws(BuildError) -> BuildReport {
    let (bytes, report) = try encoded(progress: progress)
    progress(BuildProgress(phase: .writing, fraction: 0))
    do throws(FileFailure) { try AtomicFile.write(bytes, to: path) } catch { throw .cannotWrite(error) }
    progress(BuildProgress(phase: .writing, fraction: 1))
    return report
  }

  /// Reads the inputs and makes the database's bytes. The same inputs and options give the same bytes, but that
  /// `now` counts where no source says a date.
  package func encoded(
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(BuildError) -> (bytes: [UInt8], report: BuildReport) {
    var collector = try read(progress: progress)
    if isStrict, collector.report.count(.error) > 0 { throw .wrongLines(collector.report) }
    progress(BuildProgress(phase: .settling, fraction: 0))
    let ipv4 = collector.settle(.ipv4)
    progress(BuildProgress(phase: .settling, fraction: 0.5))
    let ipv6 = collector.settle(.ipv6)
    progress(BuildProgress(phase: .settling, fraction: 1))
    // Again: what is wrong between lines shows only now.
    if isStrict, collector.report.count(.error) > 0 { throw .wrongLines(collector.report) }
    guard !ipv4.isEmpty || !ipv6.isEmpty else { throw .noNetworks(collector.report) }

    let provenance = Provenance(self, files: collector.report.files, hasCities: collector.hasCities)
    let file = DatabaseFile(
      metadata: provenance.metadata, ipVersion: ipVersion, recordSize: recordSize, records: collector.records,
      ipv4: ipv4, ipv6: ipv6)
    do throws(DatabaseWriterError) {
      let encoded = try file.encoded { progress(BuildProgress(phase: .building, fraction: $0)) }
      let report = BuildReport(
        input: collector.report, metadata: provenance.metadata, nodeCount: encoded.nodeCount,
        recordCount: encoded.recordCount, recordSize: encoded.recordSize, bytes: encoded.bytes.count)
      return (encoded.bytes, report)
    } catch { throw .cannotEncode(error) }
  }

  private func read(progress: (BuildProgress) -> Void) throws(BuildError) -> ClaimCollector {
    guard inputs.count <= ClaimRank.filesMax else { throw .tooManyInputs }
    // All are opened first: a wrong path shows before the work starts.
    var files: [Descriptor] = []
    var bytesTotal = 1
    do throws(FileFailure) {
      for input in inputs {
        let file = try Descriptor(path: input.path, flags: O_RDONLY)
        bytesTotal += try Int(file.status().st_size)
        files.append(file)
      }
    } catch { throw .cannotRead(error) }
    var collector = ClaimCollector(
      ipVersion: ipVersion, report: InputReport(paths: inputs.map(\.path), diagnosticsMax: diagnosticsMax))
    var bytesBefore = 0
    for (number, input) in inputs.enumerated() {
      try InputReader.read(files[number], input, number: number, into: &collector) { bytes in
        // A pipe has no size: its part of the way is unknown, and the rest never goes over the end.
        let fraction = Double(bytesBefore + bytes) / Double(max(bytesTotal, bytesBefore + bytes))
        progress(BuildProgress(phase: .reading, fraction: fraction))
      }
      bytesBefore += collector.report.files[number].bytes
    }
    return collector
  }
}

/// How far a build is.
package struct BuildProgress: Equatable, Sendable {
  /// The steps in their order.
  package enum Phase: String, CaseIterable, Sendable {
    case reading, settling, building, writing
  }

  /// The step.
  package let phase: Phase
  /// The part of it that is done, 0 to 1.
  package let fraction: Double
}

/// What a build made, and of what.
package struct BuildReport: Equatable, Sendable {
  /// What was found in the inputs.
  package let input: InputReport
  /// What the database says of itself.
  package let metadata: DatabaseMetadata
  /// Nodes of the tree.
  package let nodeCount: Int
  /// Distinct records.
  package let recordCount: Int
  /// The size of a record of the tree.
  package let recordSize: RecordSize
  /// The size of the file.
  package let bytes: Int
}
