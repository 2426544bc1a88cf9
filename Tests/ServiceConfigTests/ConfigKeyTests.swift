import Testing

@testable import ServiceConfig

@Suite struct ConfigKeyTests {
  @Test(arguments: [
    (ConfigKey.listeners, "REGION_BUCKET_LISTENERS", "--listeners"),
    (.clientAddressHeader, "REGION_BUCKET_CLIENT_ADDRESS_HEADER", "--client-address-header"),
    (.cdnNotACountryMarkers, "REGION_BUCKET_CDN_NOT_A_COUNTRY_MARKERS", "--cdn-not-a-country-markers"),
    (
      .limitsHeaderSectionBytesMax, "REGION_BUCKET_LIMITS_HEADER_SECTION_BYTES_MAX",
      "--limits-header-section-bytes-max"
    ),
    (.drainSeconds, "REGION_BUCKET_DRAIN_SECONDS", "--drain-seconds"),
  ]) func namesAreMadeFromThePath(key: ConfigKey, variable: String, flag: String) {
    #expect(key.environmentVariable == variable)
    #expect(key.flag == flag)
  }

  @Test func theTableHasARowForEachKeyInItsOrder() {
    #expect(ConfigSchema.rows.map(\.key) == ConfigKey.allCases)
    #expect(Set(ConfigKey.allCases.map(\.environmentVariable)).count == ConfigKey.allCases.count)
    #expect(Set(ConfigKey.allCases.map(\.flag)).count == ConfigKey.allCases.count)
    #expect(!ConfigKey.allCases.map(\.environmentVariable).contains(ConfigName.fileVariable))
  }

  @Test func everyDefaultIsOfItsKind() {
    for row in ConfigSchema.rows where row.defaultValue != .null {
      #expect(row.kind.accepts(row.defaultValue), "\(row.key.path)")
    }
  }

  @Test func everyRowIsExplained() {
    for row in ConfigSchema.rows {
      #expect(row.help.first?.isLowercase == false && row.help.last == ".", "\(row.key.path)")
      #expect(!row.help.contains("\n"), "\(row.key.path)")
    }
    #expect(Set(ConfigSchema.rows.map(\.help)).count == ConfigSchema.rows.count)
  }

  @Test(arguments: [
    ("cleintAddress", "clientAddress"), ("clientadress", "clientAddress"), ("souces", "sources"),
    ("databse", "database"), ("drainSecond", "drainSeconds"), ("x", nil), ("", nil), ("tcpp", nil),
    ("client", "clientAddress"), ("drain", nil), ("so", nil), ("lgo", "log"),
    (String(repeating: "a", count: 200), nil),
  ]) func theNearestNameIsFound(written: String, meant: String?) {
    let names = ["clientAddress", "sources", "database", "drainSeconds", "drainDelaySeconds", "log"]
    #expect(NearestName.of(written, among: names) == meant)
  }
}
