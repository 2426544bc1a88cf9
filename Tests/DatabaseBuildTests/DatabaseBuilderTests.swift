import TestFixtures
import Testing

@testable import DatabaseBuild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct DatabaseBuilderTests {
  private let directory = TemporaryDirectory()

  private func builder(_ texts: String...) -> DatabaseBuilder {
    let inputs = texts.enumerated().map { number, text in
      DatabaseBuilder.Input(path: directory.write(text, to: "input \(number)"))
    }
    return DatabaseBuilder(inputs: inputs, now: 1_800_000_000)
  }

  private static let tor = """
    # Generated: Thu, 25 Jun 2026 04:33:59 GMT
    # Vendor: IPFire Project
    # License: CC BY-SA 4.0
    # This database has been obtained from https://location.example/
    16777216,16777471,AU
    16777472,16778239,KR

    """

  @Test func saysWhereTheDataCameFrom() throws {
    let metadata = try builder(Self.tor, Self.tor).encoded().report.metadata
    #expect(metadata.databaseType == "RegionBucket-Country")
    #expect(metadata.buildEpoch == 1_782_362_039)
    #expect(
      metadata.description == """
        Countries by network. Source: IPFire Project, https://location.example/. Data of 2026-06-25. \
        Licence: CC BY-SA 4.0. Converted by region-bucket; codes that are no country are left out.
        """)
  }

  @Test func takesTheOldestDate() throws {
    let older = "# Generated: 2025-01-02\n# Vendor: Another\n2.0.0.0/8,US\n"
    let metadata = try builder(Self.tor, "3.0.0.0/8,US\n", older).encoded().report.metadata
    #expect("\(CalendarDate(epoch: metadata.buildEpoch))" == "2025-01-02")
    #expect(metadata.description.contains("Source: IPFire Project, https://location.example/; Another. "))
  }

  @Test func takesTheOperatorsWordFirst() throws {
    var builder = builder(Self.tor)
    builder.databaseType = "Mine"
    builder.attribution = "me"
    builder.license = "mine"
    builder.sourceEpoch = 86_400
    let metadata = try builder.encoded().report.metadata
    #expect(metadata.databaseType == "Mine")
    #expect(metadata.buildEpoch == 86_400)
    #expect(
      metadata.description == """
        Countries by network. Source: me. Data of 1970-01-02. Licence: mine. Converted by region-bucket; \
        codes that are no country are left out.
        """)
  }

  @Test func datesDataWithoutADateByTheBuild() throws {
    let metadata = try builder("1.0.0.0/8,KR,KR-11,Seoul,\n").encoded().report.metadata
    #expect(metadata.buildEpoch == 1_800_000_000)
    #expect(metadata.databaseType == "RegionBucket-City")
    #expect(
      metadata.description
        == "Cities by network. Converted by region-bucket; codes that are no country are left out.")
  }

  @Test func makesTheSameBytesOfTheSameInput() throws {
    var builder = builder(Self.tor, "1.0.0.0/26,US,US-CA,Los Angeles,\n")
    let first = try builder.encoded()
    builder.now += 1_000_000
    let second = try builder.encoded()
    #expect(first.bytes == second.bytes)
    #expect(first.report == second.report)
  }

  @Test func laysNetworksOverRangesAndEarlierFilesOverLaterOnes() throws {
    let database = directory.file("out.mmdb")
    let inputs = (
      "1.0.0.0-1.0.0.127,JP\n1.0.3.0/24,\n", Self.tor + "16777216,16777217,DE\n",
      "1.0.0.0/25,US\n1.0.0.0/26,CN\n"
    )
    let report = try builder(inputs.0, inputs.1, inputs.2).build(to: database)
    let addresses = ["1.0.0.1", "1.0.0.64", "1.0.0.128", "1.0.1.1", "1.0.3.1"]
    #expect(
      MMDBLookup.answers(database, addresses, path: "country iso_code") == [
        .string("CN"), .string("JP"), .string("AU"), .string("KR"), .nothing,
      ])
    #expect(
      report.input.findings.keys.sorted { $0.rawValue < $1.rawValue } == [.overlap, .duplicate, .outOfOrder])
    let overlap = try #require(report.input.findings[.overlap]?.first.first)
    #expect(overlap.place == InputPlace(file: 1, line: 7))
    #expect(overlap.holder == InputPlace(file: 1, line: 5))
    let duplicate = try #require(report.input.findings[.duplicate]?.first.first)
    #expect(duplicate.place == InputPlace(file: 2, line: 1))
    #expect(duplicate.holder == InputPlace(file: 0, line: 1))
  }

  @Test func readsPipes() throws {
    let path = directory.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let text = directory.write(Self.tor, to: "text")
    // Opened for both directions, so that no end waits for the other.
    let writer = open(path, O_RDWR)
    let bytes = try #require(TemporaryDirectory.bytes(of: text))
    #expect(write(writer, bytes, bytes.count) == bytes.count)
    let reader = try Descriptor(path: path, flags: O_RDONLY)
    close(writer)
    var collector = ClaimCollector(ipVersion: .v6, report: InputReport(paths: [path], diagnosticsMax: 1))
    try InputReader.read(reader, .init(path: path), number: 0, into: &collector) { _ in }
    #expect(collector.report.files[0].networks == 2)
  }

  @Test func refusesWrongLinesWhenStrict() throws {
    let database = directory.write("as it was", to: "out.mmdb")
    for (text, problem): (String, InputProblem) in [
      (Self.tor + "x,y,KR\n", .badRange), (Self.tor + "16777216,16777217,DE\n", .overlap),
      ("1.0.0.0/8,KR\n1.0.0.0/8,KR\n", .duplicate),
    ] {
      var builder = builder(text)
      let tolerated = try builder.encoded().report.input
      #expect(tolerated.findings[problem]?.count == 1)
      builder.isStrict = true
      let error = #expect(throws: BuildError.self) { try builder.build(to: database) }
      guard case .wrongLines(let report) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(report.findings[problem]?.count == 1)
      #expect("\(BuildError.wrongLines(report))" == "a strict build takes no wrong lines, and there are 1")
    }
    #expect(TemporaryDirectory.bytes(of: database) == Array("as it was".utf8))
    // What is only worth knowing refuses nothing.
    var unsorted = builder("30,39,KR\n10,19,??\n2002::,2002::1,US\n")
    unsorted.isStrict = true
    #expect(try unsorted.encoded().report.input.count(.note) == 2)
  }

  @Test func saysWhyThereIsNoDatabase() throws {
    let database = directory.file("out.mmdb")
    func error(_ builder: DatabaseBuilder) -> String {
      do {
        _ = try builder.build(to: database)
        return "none"
      } catch { return "\(error)" }
    }
    let path = directory.file("input 0")
    #expect(error(builder("")) == "the input holds no network with a country")
    #expect(error(builder("# only a comment\n")) == "the input holds no network with a country")
    #expect(error(builder("1,2,EU\n")) == "the input holds no network with a country")
    #expect(error(builder("hello\n")) == "\(path): not in a known format (tor-geoip, csv, geofeed)")
    #expect(error(.init(inputs: [], now: 0)) == "the input holds no network with a country")
    let missing = directory.file("missing")
    #expect(
      error(.init(inputs: [.init(path: path), .init(path: missing)], now: 0))
        == "\(missing): cannot open: No such file or directory")
    #expect(
      error(.init(inputs: [.init(path: directory.path)], now: 0))
        == "\(directory.path): cannot read: Is a directory")
    #expect(TemporaryDirectory.bytes(of: database) == nil)
    let nowhere = directory.file("nowhere/out.mmdb")
    #expect(throws: BuildError.cannotWrite(FileFailure(.open, path: nowhere, code: ENOENT))) {
      try builder(Self.tor).build(to: nowhere)
    }
    var small = builder("1.0.0.0/8,KR\n")
    small.databaseType = String(repeating: "x", count: 200_000)
    #expect(throws: BuildError.cannotEncode(.metadataTooLarge)) { try small.encoded() }
  }

  @Test func leavesIPv6OutOfIPv4Databases() throws {
    var builder = builder("1.0.0.0/8,KR\n2001:db8::/32,KR\n")
    builder.ipVersion = .v4
    builder.recordSize = .bits32
    let database = directory.file("out.mmdb")
    let report = try builder.build(to: database)
    #expect(report.input.findings[.ipv6Skipped]?.count == 1)
    let info = try DatabaseInfo(path: database)
    #expect(info.ipVersion == .v4)
    #expect(info.recordSize == .bits32)
    #expect(info.nodeCount == report.nodeCount)
  }

  @Test func tellsItsProgress() throws {
    var steps: [BuildProgress] = []
    _ = try builder(Self.tor, Self.tor).build(to: directory.file("out.mmdb")) { steps.append($0) }
    var phases: [BuildProgress.Phase] = []
    for step in steps where phases.last != step.phase { phases.append(step.phase) }
    #expect(phases == BuildProgress.Phase.allCases)
    for (left, right) in zip(steps, steps.dropFirst()) where left.phase == right.phase {
      #expect(left.fraction <= right.fraction)
    }
    #expect(steps.allSatisfy { (0...1).contains($0.fraction) })
    #expect(steps.last == BuildProgress(phase: .writing, fraction: 1))
    #expect(steps.count < 300)
  }

  @Test func tellsTheFirstLinesOfEachProblem() throws {
    var builder = builder("10,20,KR\n15,30,US\nx\nx\nx\n40,50,EU\n60,60,EU\n70,70,??\n")
    builder.diagnosticsMax = 2
    let report = try builder.encoded().report.input
    let path = directory.file("input 0")
    #expect(
      report.diagnostics.map(report.text) == [
        "\(path):2: overlaps an earlier line, which holds (\(path):1)", "\(path):3: too few fields",
        "\(path):4: too few fields", "\(path):6: addresses before it are in no line",
        "\(path):7: addresses before it are in no line",
      ])
    #expect(report.findings[.missingFields]?.count == 3)
    #expect(report.findings[.gap]?.count == 3)
    #expect(report.count(.error) == 4)
    #expect(report.count(.warning) == 0)
    #expect(report.count(.note) == 3)
    #expect(report.leftOutCodes == [.init(code: "EU", lines: 2), .init(code: "??", lines: 1)])
  }

  @Test func boundsWhatItRemembers() throws {
    let text = (0..<5000).map { "\($0),\($0),\(String($0, radix: 36))!\n" }.joined() + "9999,9999,KR\n"
    let codes = try builder(text).encoded().report.input.leftOutCodes
    #expect(codes.count == 1001)
    #expect(codes.first == InputReport.LeftOutCode(code: InputReport.otherCodes, lines: 4000))
  }
}
