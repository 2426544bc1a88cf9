import ClientSignal
import HTTPWire
import RegionModel

/// `sources`, `cdn`, `edge`, `clientAddress`: what is asked about a request, and which fields answer.
package struct SignalsConfig: Sendable {
  /// What is asked, in this order; none twice, at least one.
  package var sources: [DecisionSource]
  /// The CDN in front, with what the configuration says otherwise of it.
  package var preset: CDNPreset
  /// Reads the CDN's fields; nil unless `cdn` is a source.
  package var locationHeaders: LocationHeaders?
  /// Reads the edge code's fields; nil unless `edge` is a source.
  package var edge: EdgeSignal?
  /// The fields that edge code writes the bucket and the policy's fingerprint into, whether or not it is asked.
  package var edgeFields: (bucket: FieldName, policy: FieldName)
  /// Reads the client's address; nil unless `database` is a source and a field is known.
  package var clientAddress: ClientAddressRule?
  /// Every field that is read, and those that `Vary` names.
  package var consultedFields: ConsultedFields

  init(reading reader: ConfigReader, trust: TrustConfig, policy: PolicyConfig) {
    sources = Self.sources(reader)
    preset = CDNReading(reader: reader).read()
    locationHeaders = sources.contains(.cdn) ? LocationHeaders(preset) : nil
    let bucketField = reader.fieldName(.edgeBucketHeader)
    let policyField = reader.fieldName(.edgePolicyHeader)
    edgeFields = (bucketField ?? FieldName("X-Region-Bucket"), policyField ?? FieldName("X-Region-Policy"))
    if sources.contains(.edge), let bucketField, let policyField {
      edge = EdgeSignal(
        bucketField: bucketField, policyField: policyField, fingerprint: policy.active.fingerprint)
    }
    let addressReading = ClientAddressReading(
      reader: reader, preset: preset, trustedPeers: trust.trustedPeers)
    let (field, rule) = addressReading.read()
    clientAddress = sources.contains(.database) ? rule : nil
    consultedFields = ConsultedFields(
      edge: edge, location: locationHeaders, policies: [policy.active] + (policy.shadow.map { [$0] } ?? []),
      clientAddress: clientAddress)
    if bucketField != nil, bucketField == policyField {
      reader.contradiction(
        [.edgePolicyHeader, .edgeBucketHeader], "bucket and policy stand in the same field")
    }
    check(reader, policy, addressField: clientAddress == nil ? nil : field)
    if sources.contains(.database) {
      addressReading.checkMissing(rule)
    } else {
      addressReading.warnOfIdleKeys()
    }
  }

  private static func sources(_ reader: ConfigReader) -> [DecisionSource] {
    var sources: [DecisionSource] = []
    let names = DecisionSource.allCases.filter { $0 != .none }.map(\.rawValue)
    for (index, text) in (reader.texts(.sources) ?? []).enumerated() {
      if let source = DecisionSource(rawValue: text), source != .none {
        if sources.contains(source) { reader.error(.sources, at: "[\(index)]", "`\(text)` is there already") }
        sources.append(source)
      } else {
        reader.error(
          .sources, at: "[\(index)]", "\(JSONValue.text(text).brief) is no source",
          hint: NearestName.hintOrAll(for: text, among: names))
      }
    }
    if sources.isEmpty {
      let list = "list what to ask, in order: `edge`, `cdn`, `database`"
      let file = "name a configuration by `--config FILE` or the variable \(ConfigName.fileVariable); or "
      reader.contradiction(
        [.sources], "nothing is asked",
        hint: reader.isFileNamed || reader.isSet(.sources) ? list : file + list)
    }
    return sources
  }

  private func check(_ reader: ConfigReader, _ policy: PolicyConfig, addressField: ClientAddressField?) {
    if sources.contains(.cdn), preset.country == nil {
      reader.contradiction(
        [.sources, .cdnPreset, .cdnCountryHeader],
        "`cdn` is asked, and `\(preset.name)` has no field that holds the country",
        hint: "set `cdn.preset`, or `cdn.country.header`")
    }
    checkCopies(reader, policy.active, addressField)
    checkNeeds(reader, policy.active)
  }

  /// Warns of fields that the CDN passes on as a client wrote them. Without a named CDN nobody knows what
  /// does.
  private func checkCopies(
    _ reader: ConfigReader, _ policy: BucketPolicy, _ addressField: ClientAddressField?
  ) {
    guard preset.name != CDNPreset.noneName else { return }
    let needs = policy.needsOfAnyCountry
    let isAsked = sources.contains(.cdn)
    let parts: [(ConfigKey, FieldName?, ClientCopy?, isRead: Bool)] = [
      (.cdnCountryHeader, preset.country?.name, preset.country?.clientCopy, isAsked),
      (
        .cdnSubdivisionHeader, preset.subdivision?.name, preset.subdivision?.clientCopy,
        isAsked && needs.subdivision
      ),
      (.cdnCityHeader, preset.city?.name, preset.city?.clientCopy, isAsked && needs.city),
      (.clientAddressHeader, addressField?.name, addressField?.clientCopy, addressField != nil),
    ]
    for (key, name, copy, isRead) in parts {
      guard isRead, let name, case .kept? = copy else { continue }
      reader.doubt(
        [reader.isSet(key) ? key : .cdnPreset, .sources],
        "`\(preset.name)` passes a client's own `\(name.text)` on unless a rule of yours writes it",
        hint: "let the rule write it on every request, also when there is nothing to say")
    }
  }

  /// Warns of rules that the CDN cannot settle, where it is asked first: once it has named a country, no other source
  /// is asked for the rest. Behind edge code it only stands in.
  private func checkNeeds(_ reader: ConfigReader, _ policy: BucketPolicy) {
    guard sources.first == .cdn else { return }
    for part in policy.needsOfAnyCountry.parts where !presetHas(part) {
      let consequence = consequence(of: part)
      reader.doubt(
        [.policyRegional, .sources, .cdnPreset],
        "a place needs a \(part.rawValue), and `\(preset.name)` has no field that holds it: \(consequence.problem)",
        hint: consequence.hint)
    }
  }

  /// What follows when the first source cannot tell a part that a rule needs, and what helps where a
  /// later one could tell it. Whether a database could is not known before it is opened.
  package func consequence(of part: BucketPolicy.Part) -> (problem: String, hint: String?) {
    let problem = "that country is `unknown`"
    guard sources.contains(.cdn), sources.contains(.database) else { return (problem, nil) }
    if sources.first == .cdn {
      return (
        problem + ", since `database` is asked only where `cdn` names no country",
        "if the database knows it, list `database` in front of `cdn`"
      )
    }
    guard presetHas(part) else { return (problem, nil) }
    return (
      problem + ", since `cdn` is asked only where `database` names no country",
      "list `cdn` in front of `database`"
    )
  }

  private func presetHas(_ part: BucketPolicy.Part) -> Bool {
    switch part {
    case .subdivision: preset.subdivision != nil
    case .city: preset.city != nil
    }
  }
}
