/// What the person's consent allows, as far as a plan of ad providers needs it.
///
/// The raw values are those of the test vectors that all clients share. Usable from any thread.
public enum ConsentState: String, CaseIterable, Sendable {
  /// Not known yet: the form is due, or its answer has not arrived.
  case pending
  /// Known, and ads of others may not be requested.
  case externalAdsBlocked
  /// Known, and ads may be requested.
  case adsAllowed
}
