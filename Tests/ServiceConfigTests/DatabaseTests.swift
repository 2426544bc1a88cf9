import Testing

@testable import ServiceConfig

@Suite struct DatabaseTests {
  private func text(_ database: String, sources: String = "['database']") -> String {
    """
    { sources: \(sources), cdn: { preset: 'cloudfront' }, policy: { regional: ['KR'] }, \
    database: { \(database) } }
    """
  }

  @Test func defaultsAreThoseOfMaxMind() throws {
    let database = try #require(Loading().load(text("path: '/d.mmdb'")).config).database
    #expect(database.path == "/d.mmdb")
    #expect(database.countryField == "country.iso_code")
    #expect(database.subdivisionField == "subdivisions.0.iso_code")
    #expect(database.cityField == "city.names.en")
    #expect(!database.fallsBackToRegistered)
    #expect(database.maxAgeDays == 180)
    #expect(database.unknownAfterDays == nil)
    #expect(database.settle == .seconds(2))
  }

  @Test(arguments: [
    ("path: '/d'", "['database']", true), ("path: '/d', required: false", "['database']", false),
    ("path: '/d'", "['cdn', 'database']", false), ("path: '/d', required: true", "['cdn', 'database']", true),
  ]) func itIsRequiredWhenItIsAlone(keys: String, sources: String, isRequired: Bool) {
    #expect(Loading().load(text(keys, sources: sources)).config?.database.isRequired == isRequired)
  }

  @Test func relativePathsStartFromWhoeverSaysThem() throws {
    let file = text("path: '../d.mmdb'")
    #expect(try #require(Loading().load(file).config).database.path == "/etc/region-bucket/../d.mmdb")
    let moved = Loading(environment: ["REGION_BUCKET_DATABASE_PATH": "d.mmdb"])
    #expect(try #require(moved.load(file).config).database.path == "d.mmdb")
    let flagged = Loading(arguments: ["--database-path", "x/d.mmdb"])
    #expect(try #require(flagged.load(file).config).database.path == "x/d.mmdb")
  }

  @Test(
    arguments: [
      ("", ["error: database.path: `sources` has `database`, and no path is set"]),
      ("path: ''", ["error: FILE:1: database.path: the path is empty"]),
      (
        "path: '/d', fields: { country: 'a..b', city: '' }",
        [
          "error: FILE:1: database.fields.country: \"a..b\" is no field path; write names and indices "
            + "between dots",
          "error: FILE:1: database.fields.city: \"\" is no field path; write names and indices between "
            + "dots",
        ]
      ),
      (
        "path: '/d', maxAgeDays: 30, unknownAfterDays: 20",
        [
          "warning: FILE:1: database.maxAgeDays: the warning after 30 days comes later than `unknown` "
            + "after 20"
        ]
      ),
      ("path: '/d', unknownAfterDays: 20", []),
      ("path: '/d', maxAgeDays: 0, unknownAfterDays: 20", []),
      (
        "path: '/d', maxAgeDays: -1",
        ["error: FILE:1: database.maxAgeDays: expected a whole number from 0 to 36500, found -1"]
      ),
    ] as [(String, [String])]) func mistakesAreReported(keys: String, lines: [String])
  {
    #expect(Loading().diagnostics(text(keys)) == lines)
  }

  @Test func withoutItsSourceItIsIdle() {
    #expect(
      Loading().diagnostics(text("path: '/d'", sources: "['cdn']")) == [
        "warning: FILE:1: database.path: it is never read: `sources` has no `database`"
      ])
    #expect(
      Loading().diagnostics(text("required: true", sources: "['cdn']")) == [
        "error: FILE:1: database.required: `sources` has no `database` to require"
      ])
  }
}
