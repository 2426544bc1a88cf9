import ClientSignal
import RegionModel
import TestFixtures

@testable import DatabaseBuild
@testable import GeoLookup

/// Inputs of the database builder, read as each of the formats: whatever they hold, the database that comes of them is
/// one, and says what its segments say.
enum InputFuzzing {
  static func check(_ bytes: [UInt8]) {
    let file = MemoryFile(bytes)
    for format in [nil] + InputFormat.allCases.map(Optional.some) {
      var builder = DatabaseBuilder(inputs: [.init(path: file.path, format: format)], now: 1_767_225_600)
      if bytes.count.isMultiple(of: 5) { builder.ipVersion = .v4 }
      do throws(BuildError) {
        let (database, report) = try builder.encoded()
        checkReport(report.input)
        checkDatabase(database, report, builder)
      } catch {
        switch error {
        case .noNetworks(let report): checkReport(report)
        case .unknownFormat: expect(format == nil, "a format that was named is known")
        default: expect(false, "nothing else goes wrong: \(error)")
        }
      }
    }
  }

  private static func checkReport(_ report: InputReport) {
    for (problem, finding) in report.findings {
      expect(finding.count >= finding.first.count && !finding.first.isEmpty, "\(problem) is counted")
      expect(finding.first.count <= report.diagnosticsMax, "only the first lines are kept")
      expect(
        finding.first.allSatisfy { (1...report.files[0].lines).contains($0.place.line) },
        "a line is the file's")
    }
  }

  private static func checkDatabase(_ bytes: [UInt8], _ report: BuildReport, _ builder: DatabaseBuilder) {
    var strict = builder
    strict.isStrict = true
    let again = try? strict.encoded().bytes
    expect(again == (report.input.count(.error) == 0 ? bytes : nil), "a strict build refuses errors alone")
    let file = MemoryFile(bytes)
    guard let database = try? MaxMindDatabase(path: file.path), let info = try? DatabaseInfo(path: file.path)
    else { return expect(false, "what was built can be opened") }
    expect(info.nodeCount == database.metadata.nodeCount && info.nodeCount == report.nodeCount, "nodes")
    expect(info.ipVersion == builder.ipVersion, "IP version")
    guard let path = FieldPath("country.iso_code") else { return }
    for address in addresses(in: builder) {
      guard case .record(let record) = database.lookup(address) else { continue }
      guard let text = database.text(at: record, path) else { return expect(false, "a record has a country") }
      expect(CountryCode(String(decoding: text, as: UTF8.self)) != nil, "a country is assigned")
    }
  }

  /// Ends of what the lines speak of, and what lies next to them.
  private static func addresses(in builder: DatabaseBuilder) -> [IPAddress] {
    var generator = SeededGenerator(seed: 7)
    let ipv4 = (0..<16).map { _ in IPAddress(ipv4: .random(in: 0 ... .max, using: &generator)) }
    let ipv6 = (0..<16).map { number in
      IPAddress(ipv6High: 0x2001_0DB8_0000_0000 &+ UInt64(number) << 40, low: generator.next())
    }
    return [0, 1, 0x0100_0000, 0x0100_00FF, .max].map { IPAddress(ipv4: $0) } + ipv4 + ipv6
  }
}
