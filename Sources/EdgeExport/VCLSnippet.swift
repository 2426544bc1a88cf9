import RegionModel

/// The policy as a subroutine in VCL, Varnish's or Fastly's.
struct VCLSnippet {
  enum Dialect {
    case varnish, fastly
  }

  let dialect: Dialect
  let policy: BucketPolicy
  let names: EdgeNames
  private let places: EdgePlaces

  init(_ dialect: Dialect, policy: BucketPolicy, names: EdgeNames) {
    self.dialect = dialect
    self.policy = policy
    self.names = names
    places = EdgePlaces(policy)
  }

  var text: String {
    switch dialect {
    case .varnish: head + "import std;\n\nsub region_bucket_edge {\n" + collecting + decision + "}\n"
    case .fastly:
      head + "sub region_bucket_edge {\n"
        + "  # A shield sees another point of presence for the client, and believes its word.\n"
        + "  if (req.restarts == 0 && fastly.ff.visits_this_service == 0) {\n"
        + Self.indented(asking + decision) + "  }\n}\n"
    }
  }

  private var head: String {
    let name = dialect == .varnish ? "varnish" : "fastly"
    var lines = [
      "Region Bucket in VCL: policy \(policy.fingerprint), written by `region-bucket export \(name)`.", "",
    ]
    switch dialect {
    case .varnish:
      lines += [
        "Include this file behind `vcl 4.1;`, and begin vcl_recv, that of varnish.vcl too, with",
        "    call region_bucket_edge;",
        "since further down what it reads may be gone: varnish.vcl itself removes it.",
        "It reads \(read.joined(separator: ", ")): what stands in front of Varnish, or a module, has to write each of",
        "them on every request, also when there is nothing to say; a client's own copy must not come through.",
      ]
    case .fastly:
      lines += [
        "Add this as a snippet of type `init`, and in vcl_recv, before the cache is asked:",
        "    call region_bucket_edge;",
        "It writes \(read.joined(separator: ", ")) from Fastly's own data, whatever a client sent.",
      ]
    }
    lines.append("Without a country it writes no bucket, and the service decides.")
    if places.needsCity {
      lines.append(
        "VCL folds the case of ASCII alone, so cities with any other character are left to the service.")
    }
    return lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined() + "\n"
  }

  /// The headers that are read.
  private var read: [String] {
    [names.country] + (places.needsSubdivision ? [names.subdivision] : [])
      + (places.needsCity ? [names.city] : [])
  }

  /// Two lines of a header become one text, which no pattern matches.
  private var collecting: String {
    read.map { "  std.collect(req.http.\($0), \",\");\n" }.joined()
  }

  private var asking: String {
    var text = "  set req.http.\(names.country) = client.geo.country_code;\n"
    if places.needsSubdivision { text += "  set req.http.\(names.subdivision) = client.geo.region;\n" }
    if places.needsCity { text += "  set req.http.\(names.city) = client.geo.city.utf8;\n" }
    return text
  }

  private var decision: String {
    var branches = [(Self.matches(names.country, PlacePatterns.absent), "    # Left to the service.\n")]
    if !places.regional.isEmpty { branches.append((isOneOf(places.regional), set(.regionalMarket))) }
    branches += places.open.map { (isOneOf([$0.country]), Self.indented(decision(on: $0))) }
    if !places.other.isEmpty { branches.append((isOneOf(places.other), set(.otherMarket))) }
    return "  unset req.http.\(names.bucket);\n  unset req.http.\(names.policy);\n"
      + Self.chain(branches, otherwise: set(.unknown)) + """
          if (req.http.\(names.bucket)) {
            set req.http.\(names.policy) = "\(policy.fingerprint)";
          }

        """
  }

  private func decision(on open: EdgePlaces.OpenCountry) -> String {
    var invalid: [String] = []
    var listed: [String] = []
    var absent: [String] = []
    if let subdivisions = open.subdivisions {
      let name = names.subdivision
      let form = PlacePatterns.subdivision(of: open.country)
      invalid.append(
        "(\(Self.matches(name, form, "!~")) && \(Self.matches(name, PlacePatterns.absent, "!~")))")
      listed.append(Self.matches(name, PlacePatterns.subdivisions(subdivisions, of: open.country)))
      absent.append(Self.matches(name, PlacePatterns.absent))
    }
    var branches: [(String, String)] = []
    if open.cities != nil {
      let name = names.city
      branches.append((Self.matches(name, PlacePatterns.beyondASCII), "    # Left to the service.\n"))
      invalid.append(
        "(\(Self.matches(name, PlacePatterns.city, "!~")) && \(Self.matches(name, PlacePatterns.absent, "!~")))"
      )
      if let cities = PlacePatterns.cities(open.asciiCities) { listed.append(Self.matches(name, cities)) }
      absent.append(Self.matches(name, PlacePatterns.absent))
    }
    branches.append((invalid.joined(separator: " || "), set(.unknown)))
    if !listed.isEmpty { branches.append((listed.joined(separator: " || "), set(.regionalMarket))) }
    branches.append((absent.joined(separator: " || "), set(.unknown)))
    return Self.chain(branches, otherwise: set(.otherMarket))
  }

  private func isOneOf(_ countries: [CountryCode]) -> String {
    Self.matches(names.country, PlacePatterns.countries(countries))
  }

  private func set(_ bucket: RegionBucket) -> String {
    "    set req.http.\(names.bucket) = \"\(bucket.rawValue)\";\n"
  }

  private static func matches(_ name: String, _ pattern: String, _ comparison: String = "~") -> String {
    "req.http.\(name) \(comparison) \"(?i)\(pattern)\""
  }

  private static func chain(_ branches: [(condition: String, body: String)], otherwise: String) -> String {
    "  " + branches.map { "if (\($0.condition)) {\n\($0.body)  }" }.joined(separator: " else ")
      + " else {\n\(otherwise)  }\n"
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \($0)\n" }.joined()
  }
}
