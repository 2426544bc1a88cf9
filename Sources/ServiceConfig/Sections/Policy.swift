import RegionModel

/// `policy`: which places are regional.
package struct PolicyConfig: Sendable {
  /// The policy that answers.
  package var active: BucketPolicy
  /// A policy that is evaluated beside it, and whose differences are only counted; nil when there is none.
  package var shadow: BucketPolicy?

  init(reading reader: ConfigReader) {
    let regional = Self.rules(reader, .policyRegional)
    let unclassified = Self.countries(reader, .policyUnclassified)
    active = Self.policy(
      reader, regional, unclassified, keys: [.policyRegional, .policyUnclassified])
    let shadowKeys: [ConfigKey] = [.policyShadowRegional, .policyShadowUnclassified]
    if shadowKeys.contains(where: { reader.value($0) != .null }) {
      shadow = Self.policy(
        reader,
        reader.value(shadowKeys[0]) == .null ? regional : Self.rules(reader, .policyShadowRegional),
        reader.value(shadowKeys[1]) == .null
          ? unclassified : Self.countries(reader, .policyShadowUnclassified),
        keys: shadowKeys.filter { reader.value($0) != .null } + [.policyRegional, .policyUnclassified])
    }
    warn(reader)
  }

  private static func policy(
    _ reader: ConfigReader, _ regional: [RegionRule], _ unclassified: [CountryCode], keys: [ConfigKey]
  ) -> BucketPolicy {
    do { return try BucketPolicy(regional: regional, unclassified: unclassified) } catch {
      switch error {
      case .regionalAndUnclassified(let countries):
        reader.contradiction(
          keys, "\(countries.map(\.letters).joined(separator: ", ")): both regional and unclassified")
      }
      return empty
    }
  }

  /// What stands in for a policy that cannot be made: the load has failed by then.
  private static let empty: BucketPolicy = {
    do { return try BucketPolicy(regional: [], unclassified: []) } catch { fatalError("no rules, \(error)") }
  }()

  private static func rules(_ reader: ConfigReader, _ key: ConfigKey) -> [RegionRule] {
    var rules: [RegionRule] = []
    for (index, text) in (reader.texts(key) ?? []).enumerated() {
      do { rules += try RegionRule.parse(text) } catch {
        let explanation = PlaceExplanation(of: error, in: text)
        reader.error(key, at: "[\(index)]", explanation.problem, hint: explanation.hint)
      }
    }
    return rules
  }

  private static func countries(_ reader: ConfigReader, _ key: ConfigKey) -> [CountryCode] {
    var countries: [CountryCode] = []
    for (index, text) in (reader.texts(key) ?? []).enumerated() {
      do {
        for rule in try RegionRule.parse(text) {
          if case .country(let country) = rule {
            countries.append(country)
          } else {
            reader.error(key, at: "[\(index)]", "\(JSONValue.text(text).brief) is not a whole country")
          }
        }
      } catch {
        let explanation = PlaceExplanation(of: error, in: text)
        reader.error(key, at: "[\(index)]", explanation.problem, hint: explanation.hint)
      }
    }
    return countries
  }

  private func warn(_ reader: ConfigReader) {
    if active.regional.isEmpty {
      reader.doubt([.policyRegional], "no place is regional: no answer is ever `regionalMarket`")
    }
    let wholeCountries = active.regional.compactMap { rule -> CountryCode? in
      if case .country(let country) = rule { country } else { nil }
    }
    for rule in active.regional where wholeCountries.contains(rule.country) {
      if case .country = rule { continue }
      reader.doubt(
        [.policyRegional], "\(rule.canonicalText) adds nothing: all of \(rule.country.letters) is regional")
    }
  }
}

/// What is wrong with a text that names no place, and what was probably meant.
struct PlaceExplanation: Equatable {
  var problem: String
  var hint: String?

  init(of error: RegionRuleError, in text: String) {
    let found = JSONValue.text(text).brief
    let end = text.firstIndex { $0 == "/" || $0 == "-" } ?? text.endIndex
    let country = String(text[..<end])
    switch error {
    case .unknownCountry:
      let whole = country == text ? "" : "\(found): "
      problem = "\(whole)\(JSONValue.text(country).brief) is not a country of ISO 3166-1"
      hint = Self.meant(by: country).map { "did you mean \($0)?" }
    case .badSubdivision:
      problem = "\(found): behind `-` stands a subdivision of ISO 3166-2, from 1 to 3 letters or digits"
      hint = "a city is written `\(country)/Name`"
    case .badCity:
      problem =
        "\(found): behind `/` stands a city's name, of 512 bytes at most and without control characters"
    }
  }

  /// What people write who mean a country that is written otherwise.
  private static func meant(by text: String) -> String? {
    let upper = text.uppercased()
    if let successor = successors[upper] { return successor }
    if upper != text, upper == "EU" || upper == "EEA" { return "`\(upper)`" }
    return text.count == 2 ? nil : "its two letters (ISO 3166-1 alpha-2)"
  }

  /// Codes that were withdrawn, are reserved, or belong to another list.
  private static let successors = [
    "UK": "`GB`", "EL": "`GR`", "SU": "`RU`", "CS": "`CZ`, `SK`, `RS` or `ME`", "YU": "`RS` or `ME`",
    "AN": "`BQ`, `CW` or `SX`", "TP": "`TL`", "ZR": "`CD`", "BU": "`MM`", "FX": "`FR`", "NT": "`SA` or `IQ`",
    "AC": "`SH`", "TA": "`SH`", "CP": "`FR`", "DG": "`IO`", "EA": "`ES`", "IC": "`ES`",
    "KOR": "`KR`", "USA": "`US`", "GBR": "`GB`", "JPN": "`JP`", "CHN": "`CN`", "EUR": "`EU`",
  ]
}
