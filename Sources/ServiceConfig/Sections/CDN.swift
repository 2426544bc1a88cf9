import ClientSignal
import HTTPWire

/// Reads `cdn`: the row of a preset, and what the configuration says otherwise of it.
struct CDNReading {
  var reader: ConfigReader

  /// The row; that of `none` when an error was reported.
  func read() -> CDNPreset {
    var preset = named()
    preset.country = field(.cdnCountryHeader, .cdnCountryElement, unlessSet: preset.country)
    preset.subdivision = field(.cdnSubdivisionHeader, .cdnSubdivisionElement, unlessSet: preset.subdivision)
    preset.city = field(.cdnCityHeader, .cdnCityElement, unlessSet: preset.city)
    if let form = reader.text(.cdnSubdivisionForm) {
      preset.subdivisionForm = form == "prefixed" ? .prefixed : .bare
    }
    preset.cityEncoding = reader.optionalChoice(.cdnCityEncoding) ?? preset.cityEncoding
    preset.noDataMarkers = reader.texts(.cdnNoDataMarkers) ?? preset.noDataMarkers
    preset.notACountryMarkers = reader.texts(.cdnNotACountryMarkers) ?? preset.notACountryMarkers
    return preset
  }

  private func named() -> CDNPreset {
    let name = reader.text(.cdnPreset)!
    if let preset = CDNPreset.named(name) { return preset }
    reader.error(
      .cdnPreset, "\(JSONValue.text(name).brief) is no preset",
      hint: NearestName.hintOrAll(for: name, among: CDNPreset.all.map(\.name)))
    return CDNPreset.named(CDNPreset.noneName)!
  }

  private func field(
    _ headerKey: ConfigKey, _ elementKey: ConfigKey, unlessSet preset: LocationField?
  ) -> LocationField? {
    let element = reader.optionalInteger(elementKey)
    guard let name = reader.fieldName(headerKey) ?? preset?.name else {
      if element != nil {
        reader.contradiction([elementKey, headerKey], "there is no field that it could be an element of")
      }
      return nil
    }
    // The same field by the operator's word is still the CDN's own.
    var field = preset.flatMap { $0.name == name ? $0 : nil } ?? LocationField(name)
    if let element { field.form = .commaElement(element) }
    return field
  }
}

extension CDNPreset {
  /// The row that stands for no CDN, or for one that the configuration describes itself.
  static let noneName = "none"
}
