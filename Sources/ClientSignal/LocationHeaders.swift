import HTTPWire
import RegionModel

/// The source `cdn`: reads a place from the headers that a CDN writes.
///
/// Immutable; usable from any thread. Allocates nothing, but see `BucketPolicy.city(_:in:)`.
package final class LocationHeaders: Sendable {
  private let country: LocationField
  private let subdivision: LocationField?
  private let city: LocationField?
  private let gate: LocationGate
  /// Whether a part has to be decoded before it can be found.
  private let decodes: Bool

  /// A reader for a CDN; nil when the preset says nothing of where the country is.
  package init?(_ preset: CDNPreset) {
    guard let country = preset.country else { return nil }
    self.country = country
    subdivision = preset.subdivision
    city = preset.city
    gate = LocationGate(
      noDataMarkers: preset.noDataMarkers, notACountryMarkers: preset.notACountryMarkers,
      subdivisionForm: preset.subdivisionForm, cityEncoding: preset.cityEncoding)
    decodes = [country, subdivision, city].contains {
      if case .netlifyGeo? = $0?.form { true } else { false }
    }
  }

  /// The place that the headers name, as far as the policy asks for it. Headers that it does not ask for are
  /// not looked at, however broken they are. For trusted requests only.
  package func read(_ head: RequestHead, policy: BucketPolicy) -> SignalOutcome {
    guard decodes else {
      return read(head, policy: policy, room: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
    return Scratch.lend(bytes: NetlifyGeo.jsonBytesMax) { read(head, policy: policy, room: $0) }
  }

  /// The fields that are looked at for some country of these policies, each once.
  package func fields(for policies: [BucketPolicy]) -> [FieldName] {
    let parts = [
      country, policies.contains(where: \.needsOfAnyCountry.subdivision) ? subdivision : nil,
      policies.contains(where: \.needsOfAnyCountry.city) ? city : nil,
    ]
    return parts.compactMap { $0?.name }.uniqued
  }

  /// One part of a place that `read` asks for, and where.
  package struct Look: Equatable, Sendable {
    /// `country`, `subdivision` or `city`.
    package var part: String
    /// The field that would hold it; nil when none is known.
    package var field: FieldName?
    /// Whether the request has that field.
    package var isThere: Bool
  }

  /// What `read` asks for, in its order: where the outcome is invalid or absent, the last look is the reason.
  /// For people: not for each request.
  package func looks(_ head: RequestHead, policy: BucketPolicy) -> [Look] {
    var looks: [Look] = []
    Scratch.lend(bytes: NetlifyGeo.jsonBytesMax) { room in
      func look(_ part: String, _ field: LocationField?) -> FieldText {
        looks.append(Look(part: part, field: field?.name, isThere: field.map { head.has($0.name) } ?? false))
        return field.map { Self.text(of: $0, in: head, room: room) } ?? .absent
      }
      _ = gate.outcome(
        policy: policy, country: look("country", country), subdivision: { look("subdivision", subdivision) },
        city: { look("city", city) })
    }
    return looks
  }

  @inline(__always)
  private func read(
    _ head: RequestHead, policy: BucketPolicy, room: UnsafeMutableRawBufferPointer
  ) -> SignalOutcome {
    // One part at a time has the room: the gate is through with one before it asks for the next.
    gate.outcome(
      policy: policy,
      country: Self.text(of: country, in: head, room: room),
      subdivision: { subdivision.map { Self.text(of: $0, in: head, room: room) } ?? .absent },
      city: { city.map { Self.text(of: $0, in: head, room: room) } ?? .absent })
  }

  private static func text(
    of field: LocationField, in head: RequestHead, room: UnsafeMutableRawBufferPointer
  ) -> FieldText {
    switch head.single(field.name) {
    case .absent: return .absent
    case .repeated: return .invalid(.repeatedHeader)
    case .value(let value):
      switch field.form {
      case .whole: return .text(value)
      case .edgescape(let key): return EdgescapeList.value(of: key, in: value)
      case .commaElement(let index): return CommaList.element(index, of: value)
      case .netlifyGeo(let member): return NetlifyGeo.text(of: member, in: value, room: room)
      }
    }
  }
}
