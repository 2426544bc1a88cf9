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

  /// Every line of which the number is a multiple of `step`.
  private static func lines(_ path: String, step: Int) throws -> [Line] {
    let bytes = try #require(TemporaryDirectory.bytes(of: path), "Debian's tor-geoipdb is not installed")
    let text = bytes.split(separator: 0x0A).filter { $0.first != 0x23 }
    return stride(from: 0, to: text.count, by: step).map { number in
      let fields = String(decoding: text[number], as: UTF8.self).split(separator: ",")
      let country = CountryCode(fields[2])
      func bound(_ field: Substring) -> UInt128 {
        UInt128(field) ?? Network(String(field))!.first
      }
      return Line(
        family: path.hasSuffix("6") ? .ipv6 : .ipv4, first: bound(fields[0]), last: bound(fields[1]),
        expected: country.map { .string($0.letters) } ?? .nothing)
    }
  }

  @Test func equalsTheTextAtStartsMiddlesAndEnds() throws {
    let directory = TemporaryDirectory()
    let database = directory.file("tor.mmdb")
    let builder = DatabaseBuilder(inputs: Self.paths.map { .init(path: $0) }, now: 0)
    let report = try builder.build(to: database)
    #expect(report.input.count(.error) == 0)
    #expect(report.input.files.map(\.format) == [.torGeoIP, .torGeoIP])
    #expect(report.metadata.description.contains("CC BY-SA 4.0"))
    #expect(report.metadata.description.contains("IPFire"))
    #expect(report.metadata.buildEpoch == report.input.files[0].header.generatedEpoch)

    var lines = try Self.lines(Self.paths[0], step: 997) + Self.lines(Self.paths[1], step: 1009)
    // 6to4 addresses are looked up by the IPv4 address inside, whatever the source says of all of them.
    lines.removeAll { $0.family == .ipv6 && $0.first >> 112 == 0x2002 }
    #expect(lines.count > 600)
    let probes = lines.flatMap { line in
      [line.first, line.first + (line.last - line.first) / 2, line.last].map {
        (address: addressText(line.family, $0), expected: line.expected)
      }
    }
    let answers = MMDBLookup.answers(database, probes.map(\.address), path: "country iso_code")
    #expect(answers.count == probes.count)
    for (probe, answer) in zip(probes, answers) where answer != probe.expected {
      Issue.record("\(probe.address): \(answer), not \(probe.expected)")
    }
  }
}
