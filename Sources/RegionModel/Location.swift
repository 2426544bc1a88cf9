/// A place as far as a policy needs it: a country, perhaps a subdivision, perhaps a city.
///
/// The city is held only as the policy's verdict on it, never as text: what a header or a record said is
/// compared in place and forgotten. Usable from any thread.
public struct Location: Equatable, Sendable {
  /// What a policy made of the city that a source named.
  public enum City: Equatable, Sendable {
    /// No source named one, or the policy did not ask.
    case absent
    /// A city that a rule of the policy names for this country.
    case listed
    /// A city, and no rule names it.
    case other
  }

  /// The country; a location without one is no location.
  public var country: CountryCode
  /// The subdivision, when the policy asked for it and the source gave it.
  public var subdivision: SubdivisionCode?
  /// The city, when the policy asked for it and the source gave it.
  public var city: City

  /// A location from its parts.
  public init(country: CountryCode, subdivision: SubdivisionCode? = nil, city: City = .absent) {
    self.country = country
    self.subdivision = subdivision
    self.city = city
  }
}
