/// Where a database's data came from, in the words of its metadata.
struct Provenance {
  /// The metadata.
  let metadata: DatabaseMetadata

  /// Takes the builder's own words, and for what it leaves open those of the files' comments.
  init(_ builder: DatabaseBuilder, files: [InputReport.File], hasCities: Bool) {
    let headers = files.map(\.header)
    let dates = headers.compactMap(\.generatedEpoch)
    // The oldest: the database is no fresher than its stalest part.
    let sourceEpoch = builder.sourceEpoch ?? dates.min()
    let sources = builder.attribution.map { [$0] } ?? Self.distinct(headers.map(\.attribution))
    let licenses = builder.license.map { [$0] } ?? Self.distinct(headers.map(\.licenseAndURL))
    var sentences = [hasCities ? "Cities by network." : "Countries by network."]
    if !sources.isEmpty { sentences.append("Source: \(sources.joined(separator: "; ")).") }
    if let sourceEpoch { sentences.append("Data of \(CalendarDate(epoch: sourceEpoch)).") }
    if !licenses.isEmpty { sentences.append("Licence: \(licenses.joined(separator: "; ")).") }
    sentences.append("Converted by region-bucket; codes that are no country are left out.")
    metadata = DatabaseMetadata(
      databaseType: builder.databaseType ?? (hasCities ? "RegionBucket-City" : "RegionBucket-Country"),
      description: sentences.joined(separator: " "), buildEpoch: sourceEpoch ?? builder.now)
  }

  private static func distinct(_ texts: [String?]) -> [String] {
    var distinct: [String] = []
    for case let text? in texts where !distinct.contains(text) { distinct.append(text) }
    return distinct
  }
}

extension SourceHeader {
  fileprivate var attribution: String? { Self.joined(vendor, sourceURL) }
  fileprivate var licenseAndURL: String? { Self.joined(license, licenseURL) }

  private static func joined(_ name: String?, _ url: String?) -> String? {
    let parts = [name, url].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
