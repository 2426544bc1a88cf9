import TestFixtures
import Testing

@testable import DatabaseBuild

/// Random databases of every record size and IP version, read by other people's readers.
@Suite struct ReaderDifferentialTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var ipVersion: IPVersion
    var recordSize: RecordSize
    var testDescription: String { "IPv\(ipVersion.rawValue), \(recordSize.rawValue) bits" }
  }

  static let shapes = [IPVersion.v4, .v6].flatMap { ipVersion in
    RecordSize.allCases.map { Shape(ipVersion: ipVersion, recordSize: $0) }
  }

  private static func model(_ shape: Shape, count: Int) -> (
    ModelDatabase, [(family: IPFamily, address: UInt128)]
  ) {
    var generator = SeededGenerator(
      seed: UInt64(shape.ipVersion.rawValue) << 8 | UInt64(shape.recordSize.rawValue))
    let model = ModelDatabase.random(shape.ipVersion, count: count, using: &generator)
    return (model, model.probes(using: &generator))
  }

  @Test(arguments: shapes)
  func libmaxminddbAgrees(_ shape: Shape) throws {
    let (model, probes) = Self.model(shape, count: 60)
    let database = TemporaryDirectory()
    let path = database.write(try model.encoded(shape.recordSize), to: "model.mmdb")
    let answers = MMDBLookup.answers(
      path, probes.map { addressText($0.family, $0.address) }, path: "shared iso_code")
    #expect(answers.count == probes.count)
    for (probe, answer) in zip(probes, answers) {
      let isThere = model.record(probe.family, probe.address) != nil
      #expect(answer == (isThere ? .string("KR") : .nothing), "\(addressText(probe.family, probe.address))")
    }
  }

  @Test(PythonReaders.areHere)
  func bothPythonReadersAgree() throws {
    let directory = TemporaryDirectory()
    var arguments: [String] = []
    for shape in Self.shapes {
      let (model, probes) = Self.model(shape, count: 250)
      let name = shape.testDescription
      let expected = probes.map {
        addressText($0.family, $0.address) + "\t" + (model.record($0.family, $0.address)?.json ?? "null")
          + "\n"
      }
      arguments.append(directory.write(try model.encoded(shape.recordSize), to: "\(name).mmdb"))
      arguments.append(directory.write(expected.joined(), to: "\(name).txt"))
    }
    let run = PythonReaders.compare(arguments)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasSuffix("differences 0\n"))
  }
}
