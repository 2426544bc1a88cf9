import HTTPWire
import RegionModel

/// The allow-lists that every place passes on its way in, from a header or a database alike.
///
/// Immutable; usable from any thread. Allocates nothing, but see `BucketPolicy.city(_:in:)`.
package struct LocationGate: Sendable {
  /// How a source writes a subdivision.
  package enum SubdivisionForm: Sendable {
    /// `CA` or `US-CA`; four or five characters may also be `USCA`.
    case bare
    /// Always with the country in front and no hyphen, `USCA` (Unicode CLDR): `ARC` is Argentina's `C`.
    case prefixed
  }

  /// How a source writes free text.
  package enum TextEncoding: String, CaseIterable, Sendable {
    /// Percent-encoded UTF-8; `+` is itself.
    case percent
    /// UTF-8 as it is.
    case utf8
    /// ASCII only: a byte above 0x7F is refused.
    case ascii
  }

  /// One value that went through a gate.
  enum Verdict<Value: Equatable & Sendable>: Equatable, Sendable {
    /// Nothing there, or the source's own word for nothing.
    case absent
    /// Something that is no such value, or is not to be believed.
    case invalid(UnknownReason)
    case value(Value)
  }

  private let noData: [[UInt8]]
  private let notACountry: [[UInt8]]
  private let subdivisionForm: SubdivisionForm
  private let cityEncoding: TextEncoding
  /// What it means when there is no country.
  private let absence: UnknownReason

  /// A gate of a source.
  ///
  /// - Parameters:
  ///   - noDataMarkers: what it writes when it knows nothing, in any case: absent. Empty text always is.
  ///   - notACountryMarkers: what it writes where a country belongs though it is none: invalid, even when the
  ///     letters are an assigned code.
  ///   - absence: the reason when there is no country.
  package init(
    noDataMarkers: [String] = [], notACountryMarkers: [String] = [],
    subdivisionForm: SubdivisionForm = .bare, cityEncoding: TextEncoding = .utf8,
    absence: UnknownReason = .noSignal
  ) {
    noData = noDataMarkers.map { $0.utf8.map { FieldSyntax.lowercased($0) } }
    notACountry = notACountryMarkers.map { $0.utf8.map { FieldSyntax.lowercased($0) } }
    self.subdivisionForm = subdivisionForm
    self.cityEncoding = cityEncoding
    self.absence = absence
  }

  /// The gate of databases: no marker of theirs (`EU`, `AP`, `A1`, `??`) is an assigned code, and none says
  /// "no data" in the way that a missing record does.
  package static let database = LocationGate(absence: .notInDatabase)

  /// The place that the texts name, as far as the policy asks for it.
  ///
  /// - Parameters:
  ///   - subdivision: called only if the policy needs the country's subdivision.
  ///   - city: called only if the policy needs the country's city, and after `subdivision`.
  package func outcome(
    policy: BucketPolicy, country: FieldText, subdivision: () -> FieldText, city: () -> FieldText
  ) -> SignalOutcome {
    let code: CountryCode
    switch verdict(country, { self.country($0) }) {
    case .absent: return .absent(absence)
    case .invalid(let reason): return .invalid(reason)
    case .value(let value): code = value
    }
    var location = Location(country: code)
    let needs = policy.needs(of: code)
    if needs.subdivision {
      switch verdict(subdivision(), { self.subdivision($0, of: code) }) {
      case .absent: break
      case .invalid(let reason): return .invalid(reason)
      case .value(let value): location.subdivision = value
      }
    }
    if needs.city {
      switch verdict(city(), { self.city($0, of: code, policy: policy) }) {
      case .absent: break
      case .invalid(let reason): return .invalid(reason)
      case .value(let value): location.city = value
      }
    }
    return .location(location)
  }

  /// A country: exactly two letters that are assigned, white space around them left out.
  func country(_ text: UnsafeRawBufferPointer) -> Verdict<CountryCode> {
    let text = FieldSyntax.trimmed(text)
    if isNoData(text) { return .absent }
    guard text.count == 2, !notACountry.contains(where: { Self.matches(text, $0) }),
      let code = CountryCode(text[0], text[1])
    else { return .invalid(.invalid) }
    return .value(code)
  }

  /// A subdivision of the country. One with another country's prefix is invalid.
  func subdivision(
    _ text: UnsafeRawBufferPointer, of country: CountryCode
  ) -> Verdict<SubdivisionCode> {
    let text = FieldSyntax.trimmed(text)
    if isNoData(text) { return .absent }
    var code = text[...]
    if text.count > 3 || subdivisionForm == .prefixed {
      guard text.count > 2, CountryCode(text[0], text[1]) == country else { return .invalid(.invalid) }
      code = text.dropFirst(text[2] == UInt8(ascii: "-") ? 3 : 2)
    }
    guard let subdivision = SubdivisionCode(code) else { return .invalid(.invalid) }
    return .value(subdivision)
  }

  /// What the policy makes of a city of the country.
  func city(
    _ text: UnsafeRawBufferPointer, of country: CountryCode, policy: BucketPolicy
  ) -> Verdict<Location.City> {
    let text = FieldSyntax.trimmed(text)
    if isNoData(text) { return .absent }
    guard cityEncoding == .percent, text.contains(UInt8(ascii: "%")) else {
      guard TextGate.admits(text), cityEncoding != .ascii || text.allSatisfy({ $0 < 0x80 }) else {
        return .invalid(.invalid)
      }
      return .value(policy.city(text, in: country))
    }
    return Scratch.lend(bytes: CityName.utf8BytesMax) { room in
      guard let count = PercentDecoding.decode(text, into: room) else { return .invalid(.invalid) }
      let decoded = UnsafeRawBufferPointer(rebasing: room[..<count])
      guard TextGate.admits(decoded) else { return .invalid(.invalid) }
      return .value(policy.city(decoded, in: country))
    }
  }

  private func verdict<Value>(
    _ place: FieldText, _ gate: (UnsafeRawBufferPointer) -> Verdict<Value>
  ) -> Verdict<Value> {
    switch place {
    case .absent: .absent
    case .invalid(let reason): .invalid(reason)
    case .text(let text): gate(text)
    }
  }

  @inline(__always)
  private func isNoData(_ text: UnsafeRawBufferPointer) -> Bool {
    text.isEmpty || noData.contains { Self.matches(text, $0) }
  }

  /// Whether a text is a marker, which is given in lower case.
  private static func matches(_ text: UnsafeRawBufferPointer, _ marker: [UInt8]) -> Bool {
    marker.withUnsafeBytes { FieldSyntax.matches(text, lowercased: $0) }
  }
}
