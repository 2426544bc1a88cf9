import TestFixtures
import Testing

@testable import DatabaseBuild

/// The fixtures say what their comments say, to libmaxminddb as well.
@Suite struct DatabaseFixtureTests {
  struct Lookup: Sendable, CustomTestStringConvertible {
    var name: String
    var fixture: DatabaseFixture
    var path: String
    var answers: [(String, MMDBLookup.Answer)]
    var testDescription: String { name }
  }

  static let lookups = [
    Lookup(
      name: "country", fixture: .country, path: "country iso_code",
      answers: [
        ("168.126.63.1", .string("KR")), ("2001:220::1", .string("KR")), ("8.8.8.8", .string("US")),
        ("2001:4860::1", .string("US")), ("217.80.0.1", .string("DE")), ("217.96.0.0", .nothing),
        ("::ffff:168.126.63.1", .string("KR")), ("2002:a87e:3f01::", .string("KR")), ("::1", .nothing),
      ]),
    Lookup(
      name: "country names", fixture: .country, path: "country names ko",
      answers: [("168.126.63.1", .string("대한민국")), ("8.8.8.8", .string("미국"))]),
    Lookup(
      name: "city", fixture: .city, path: "city names en",
      answers: [
        ("168.126.0.1", .string("Seoul")), ("217.26.48.1", .string("Zürich")),
        ("8.8.8.8", .string("Los Angeles")),
      ]),
    Lookup(
      name: "subdivision", fixture: .city, path: "subdivisions 0 iso_code",
      answers: [
        ("168.126.0.1", .string("11")), ("168.126.63.1", .string("26")), ("212.58.0.1", .string("ENG")),
      ]),
    Lookup(
      name: "registered", fixture: .registeredOnly, path: "registered_country iso_code",
      answers: [("1.1.1.1", .string("KR")), ("1.1.2.1", .string("KR")), ("8.8.8.8", .string("KR"))]),
    Lookup(
      name: "flat", fixture: .flatCountry, path: "country",
      answers: [("168.126.0.1", .string("KR")), ("8.8.8.8", .string("US"))]),
    Lookup(
      name: "flat city", fixture: .flatCity, path: "country_code", answers: [("8.8.8.8", .string("US"))]),
    Lookup(
      name: "IPv4 only", fixture: .ipv4Only, path: "country iso_code",
      answers: [("168.126.63.1", .string("KR")), ("8.8.8.8", .string("US")), ("9.9.9.9", .nothing)]),
    Lookup(
      name: "without IPv4", fixture: .withoutIPv4, path: "country iso_code",
      answers: [("2001:220::1", .string("KR")), ("8.8.8.8", .nothing), ("::ffff:8.8.8.8", .nothing)]),
    Lookup(
      name: "empty", fixture: .empty, path: "country iso_code",
      answers: [("8.8.8.8", .nothing), ("2001:220::1", .nothing)]),
    Lookup(
      name: "operators", fixture: .operators, path: "autonomous_system_organization",
      answers: [("8.8.8.8", .string("Google LLC"))]),
    Lookup(
      name: "no countries", fixture: .notCountries, path: "country iso_code",
      answers: DatabaseFixture.notCountryCodes.filter { $0 != "K\0" }.map { code in
        ("1.0.\(DatabaseFixture.notCountryCodes.firstIndex(of: code)!).9", .string(code))
      }),
  ]

  @Test(arguments: lookups, [nil, RecordSize.bits28, .bits32])
  func libmaxminddbReads(_ lookup: Lookup, _ recordSize: RecordSize?) {
    let directory = TemporaryDirectory()
    var fixture = lookup.fixture
    fixture.recordSize = recordSize
    let path = fixture.write(in: directory)
    let answers = MMDBLookup.answers(path, lookup.answers.map(\.0), path: lookup.path)
    #expect(answers == lookup.answers.map(\.1))
  }

  @Test func recordsWithoutACountryHaveNone() {
    let directory = TemporaryDirectory()
    let path = DatabaseFixture.missingCountry.write(in: directory)
    let addresses = DatabaseFixture.missingCountry.networks.indices.map { "1.0.\($0).1" }
    for answer in MMDBLookup.answers(path, addresses, path: "country iso_code").dropLast() {
      guard case .failure = answer else {
        Issue.record("\(answer)")
        continue
      }
    }
  }
}
