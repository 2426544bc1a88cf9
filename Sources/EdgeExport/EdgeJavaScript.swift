import RegionModel

/// The decision in JavaScript, which CloudFront's function and Cloudflare's Worker share. No loop of it depends on
/// more than a header's length; nothing is evaluated, kept or logged.
struct EdgeJavaScript {
  let policy: BucketPolicy
  /// Whether the runtime folds the case of every letter (ECMA-262 §22.1.3.28), not of ASCII's alone.
  let foldsUnicode: Bool
  private let places: EdgePlaces

  init(policy: BucketPolicy, foldsUnicode: Bool) {
    self.policy = policy
    self.foldsUnicode = foldsUnicode
    places = EdgePlaces(policy)
  }

  /// Whether some country depends on its subdivision.
  var needsSubdivision: Bool { places.needsSubdivision }
  /// Whether some country depends on its city.
  var needsCity: Bool { places.needsCity }

  /// A string literal; what is not printable ASCII goes in by number.
  static func literal(_ text: String) -> String {
    let units = text.utf16.map { unit in
      switch unit {
      case 0x22, 0x5C: "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20..<0x7F: String(UnicodeScalar(UInt8(unit)))
      default:
        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
      }
    }
    return "\"" + units.joined() + "\""
  }

  /// The policy as constants, and `decide(country, subdivision, city)`.
  ///
  /// Each argument is a text, "" for none, or null for what must not be believed. The result is a bucket, "" when
  /// there is no country, or null when the city is one that only the service can fold.
  var text: String {
    var text = """
      const fingerprint = "\(policy.fingerprint)";
      const regional = \(Self.list(places.regional));
      const other = \(Self.list(places.other));

      """
    if !places.open.isEmpty {
      text += "// Countries that depend on more: their regional subdivisions and cities, case-folded.\n"
      text += "const open = {\n\(places.open.map(Self.row).joined())};\n"
    }
    text += """

      function trimmed(text) {
        return text.replace(/^[ \\t]+|[ \\t]+$/g, "");
      }


      """
    if needsSubdivision { text += Self.subdivisionGate }
    if needsCity { text += cityGate }
    return text + decide
  }

  /// In one string, for there is a limit to the code's size.
  private static func list(_ countries: [CountryCode]) -> String {
    "\"\(countries.map(\.letters).joined(separator: " "))\""
  }

  private static func row(_ open: EdgePlaces.OpenCountry) -> String {
    var members: [String] = []
    if let subdivisions = open.subdivisions {
      members.append("subdivisions: [\(subdivisions.map { literal($0.characters) }.joined(separator: ", "))]")
    }
    if let cities = open.cities {
      members.append("cities: [\(cities.map(literal).joined(separator: ", "))]")
    }
    return "  \(open.country.letters): { \(members.joined(separator: ", ")) },\n"
  }

  private static let subdivisionGate = """
    // CA, US-CA or USCA: listed, other, absent or invalid.
    function judgeSubdivision(text, country, listed) {
      if (text === null) return "invalid";
      let code = trimmed(text).toUpperCase();
      if (code === "") return "absent";
      if (code.length > 3) {
        if (code.slice(0, 2) !== country) return "invalid";
        code = code.slice(code[2] === "-" ? 3 : 2);
      }
      if (!/^[A-Z0-9]{1,3}$/.test(code)) return "invalid";
      return listed.indexOf(code) >= 0 ? "listed" : "other";
    }


    """

  private var cityGate: String {
    let beyondASCII =
      foldsUnicode
      ? """
        if (/[\\ud800-\\udfff]/u.test(name)) return "invalid";
          if (new TextEncoder().encode(name).length > \(CityName.utf8BytesMax)) return "invalid";
          const folded = fold(name);
          return listed.some((other) => other.normalize("NFC") === folded) ? "listed" : "other";
      """
      : "  return \"undecided\";"
    let fold = """
      // Upper case first, which takes what lower case alone would not; a final sigma is a sigma.
      function fold(text) {
        return text.toUpperCase().toLowerCase().replace(/\\u03c2/g, "\\u03c3").normalize("NFC");
      }


      """
    return (foldsUnicode ? fold : "") + """
      // Listed, other, absent, invalid, or undecided.
      function judgeCity(text, listed) {
        if (text === null) return "invalid";
        const name = trimmed(text);
        if (name === "") return "absent";
        if (/[\\u0000-\\u001f\\u007f-\\u009f]/.test(name)) return "invalid";
        if (/[^\\u0000-\\u007f]/.test(name)) {
        \(beyondASCII)
        }
        if (name.length > \(CityName.utf8BytesMax)) return "invalid";
        return listed.indexOf(name.toLowerCase()) >= 0 ? "listed" : "other";
      }


      """
  }

  private var decide: String {
    var text = """
      function decide(country, subdivision, city) {
        if (country === null) return "unknown";
        const code = trimmed(country);
        if (code === "") return "";
        if (!/^[A-Za-z]{2}$/.test(code)) return "unknown";
        const letters = code.toUpperCase();
        if (regional.indexOf(letters) >= 0) return "regionalMarket";
        if (other.indexOf(letters) >= 0) return "otherMarket";

      """
    if !places.open.isEmpty {
      text += """
          const needs = open[letters];
          if (!needs) return "unknown";
          const found = [];

        """
      if needsSubdivision {
        text += """
            if (needs.subdivisions) found.push(judgeSubdivision(subdivision, letters, needs.subdivisions));

          """
      }
      if needsCity { text += "  if (needs.cities) found.push(judgeCity(city, needs.cities));\n" }
      text += """
          if (found.indexOf("invalid") >= 0) return "unknown";
          if (found.indexOf("undecided") >= 0) return null;
          if (found.indexOf("listed") >= 0) return "regionalMarket";
          return found.indexOf("absent") >= 0 ? "unknown" : "otherMarket";

        """
    } else {
      text += "  return \"unknown\";\n"
    }
    return text + "}\n"
  }
}
