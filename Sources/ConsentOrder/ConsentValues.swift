/// What a refresh of the stored consent says is to be shown.
///
/// The raw values of these enums are those of the test vectors. Usable from any thread.
public enum ConsentPrompt: String, CaseIterable, Sendable {
  /// The refresh failed: nothing is shown, and the consent last known counts until the next launch.
  case refreshFailed
  /// The app's own intro, and the form if the intro is accepted.
  case introThenForm
  /// Nothing is due. The form flow runs all the same, and shows nothing.
  case none
  /// The form.
  case formOnly
}

/// What the consent allows.
public enum AdConsent: String, CaseIterable, Sendable {
  /// No ads may be requested: refused, or not known.
  case adsBlocked
  /// Ads, without regard to the person.
  case nonPersonalised
  /// Ads, with regard to the person.
  case personalised
}

/// The system's answer to whether the app may track.
public enum TrackingStatus: String, CaseIterable, Sendable {
  /// The person has not been asked, or has not answered.
  case notDetermined
  /// The device does not let the person decide.
  case restricted
  /// The person, or the device for all apps, said no.
  case denied
  /// The person said yes.
  case authorized
}
