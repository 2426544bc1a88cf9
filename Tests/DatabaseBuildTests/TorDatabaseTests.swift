import RegionModel
import TestFixtures
import Testing

@testable import DatabaseBuild

/// The whole of Debian's `tor-geoipdb`, built and looked up by libmaxminddb.
@Suite struct TorDatabaseTests {
  static let paths = ["/usr/share/tor/geoip", "/usr/share/tor/geoip6"]

  /// A line of the text files, taken apart without the parser under test.
  private struct Line {
    var family: IPFamily
    var first: UInt128
    var last: UInt128
    var expected: MMDBLookup.Answer
  }

  /// Every `step`-th line that is no comment.
  private static func lines(_ path: String, step: Int) -> [Line] {
    let run = Subprocess(["awk", "!/^#/ && ++count % \(step) == 0", path])
    return run.output.split(separator: "\n").map { line in
      let fields = line.split(separator: ",")
      func bound(_ field: Substring) -> UInt128 {
        UInt128(field) ?? Network(String(field))!.first
      }
      return Line(
        family: path.hasSuffix("6") ? .ipv6 : .ipv4, first: bound(fields[0]), last: bound(fields[1]),
        expected: CountryCode(fields[2]).map { .string($0.letters) } ?? .nothing)
    }
  }

  /// The database, built once for all tests.
  private static let built = Result {
    try DatabaseBuilder(inputs: paths.map { .init(path: $0) }, now: 0).encoded()
  }

  /// First, middle and last addresses of every `step`-th line with what the line says of them.
  private static func probes(step: Int) -> [(address: String, expected: MMDBLookup.Answer)] {
    var lines = paths.flatMap { Self.lines($0, step: step) }
    // 6to4 addresses are looked up by the IPv4 address inside, whatever the source says of all of them.
    lines.removeAll { $0.family == .ipv6 && $0.first >> 112 == 0x2002 }
    return lines.flatMap { line in
      [line.first, line.first + (line.last - line.first) / 2, line.last].map {
        (address: addressText(line.family, $0), expected: line.expected)
      }
    }
  }

  @Test func carriesSourceDateLicenceAndAttribution() throws {
    let report = try Self.built.get().report
    #expect(report.input.count(.error) == 0)
    #expect(report.input.files.map(\.format) == [.torGeoIP, .torGeoIP])
    #expect(report.metadata.description.contains("CC BY-SA 4.0"))
    #expect(report.metadata.description.contains("IPFire"))
    #expect(report.metadata.buildEpoch == report.input.files[0].header.generatedEpoch)
  }

  @Test func libmaxminddbAgreesAtStartsMiddlesAndEnds() throws {
    let probes = Self.probes(step: 331)
    #expect(probes.count > 5000)
    let directory = TemporaryDirectory()
    let path = directory.write(try Self.built.get().bytes, to: "tor.mmdb")
    let answers = MMDBLookup.answers(path, probes.map(\.address), path: "country iso_code")
    #expect(answers.count == probes.count)
    for (probe, answer) in zip(probes, answers) where answer != probe.expected {
      Issue.record("\(probe.address): \(answer), not \(probe.expected)")
    }
  }

  @Test(PythonReaders.areHere)
  func bothPythonReadersAgreeAtStartsMiddlesAndEnds() throws {
    let directory = TemporaryDirectory()
    let path = directory.write(try Self.built.get().bytes, to: "tor.mmdb")
    let probes = Self.probes(step: 31)
    #expect(probes.count > 60_000)
    let expected = probes.map { probe in
      guard case .string(let code) = probe.expected else { return "\(probe.address)\tnull\n" }
      return "\(probe.address)\t\(DatabaseFixture.country(code).json)\n"
    }
    let run = PythonReaders.compare([path, directory.write(expected.joined(), to: "expected")])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output == "lookups \(2 * probes.count) differences 0\n")
  }
}
