import RegionModel

/// The policy as nginx `map` blocks: country, subdivision and city in, bucket out. Every map names "" by itself,
/// since nginx tries no regular expression on it.
struct NginxMaps {
  let policy: BucketPolicy
  let names: EdgeNames
  private let places: EdgePlaces

  init(policy: BucketPolicy, names: EdgeNames) {
    self.policy = policy
    self.names = names
    places = EdgePlaces(policy)
  }

  var text: String {
    head + places.open.map(maps).joined()
      + """
      map $region_country $region_found {
          default unknown;
          "" "";
          "~\(PlacePatterns.absent)" "";
      \(row(places.regional, "regionalMarket"))\
      \(places.open.map { row([$0.country], "$\(prefix($0))") }.joined())\
      \(row(places.other, "otherMarket"))\
      }
      map $region_found $region_fingerprint {
          default \(policy.fingerprint);
          ""      "";
      }

      """
  }

  private var head: String {
    var lines = [
      "Region Bucket at nginx: policy \(policy.fingerprint), written by `region-bucket export nginx`.",
      "",
      "These maps go into `http`, in place of those of $region_found and $region_fingerprint in Config/nginx.conf.",
      "They read $region_country, which ngx_http_geoip2_module sets:",
      "    $region_country country iso_code;",
    ]
    if places.needsSubdivision { lines.append("    $region_subdivision subdivisions 0 iso_code;") }
    if places.needsCity { lines.append("    $region_city city names en;") }
    lines += [
      "Never a header that a client could have written. Where nothing else rewrites them, pass both on:",
      "    proxy_set_header \(names.bucket) $region_found;",
      "    proxy_set_header \(names.policy) $region_fingerprint;",
      "nginx leaves out what is empty: without a country the service decides.",
    ]
    if places.needsCity {
      lines.append(
        "nginx folds the case of ASCII alone, so cities with any other character are left to the service.")
    }
    return lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined() + "\n"
  }

  private func row(_ countries: [CountryCode], _ value: String) -> String {
    countries.isEmpty ? "" : "    \"~*\(PlacePatterns.countries(countries))\" \(value);\n"
  }

  private func prefix(_ open: EdgePlaces.OpenCountry) -> String {
    "region_\(open.country.letters.lowercased())"
  }

  /// The maps of one country: what its subdivision and its city are, and what both come to.
  private func maps(_ open: EdgePlaces.OpenCountry) -> String {
    let prefix = prefix(open)
    var text = ""
    var parts: [String] = []
    if let subdivisions = open.subdivisions {
      parts.append("$\(prefix)_subdivision")
      text += """
        map $region_subdivision $\(prefix)_subdivision {
            default invalid;
            "" absent;
            "~\(PlacePatterns.absent)" absent;
            "~*\(PlacePatterns.subdivisions(subdivisions, of: open.country))" listed;
            "~*\(PlacePatterns.subdivision(of: open.country))" other;
        }

        """
    }
    if open.cities != nil {
      parts.append("$\(prefix)_city")
      let listed = PlacePatterns.cities(open.asciiCities).map { "    \"~*\($0)\" listed;\n" } ?? ""
      text += """
        map $region_city $\(prefix)_city {
            default invalid;
            "" absent;
            "~\(PlacePatterns.absent)" absent;
            "~\(PlacePatterns.beyondASCII)" undecided;
        \(listed)\
            "~\(PlacePatterns.city)" other;
        }

        """
    }
    return text + """
      map "\(parts.joined(separator: " "))" $\(prefix) {
          default     otherMarket;
          ~invalid    unknown;
          ~undecided  "";
          ~listed     regionalMarket;
          ~absent     unknown;
      }

      """
  }
}
