/// What happened, for `ConsentFlow`. One that does not fit the moment is ignored.
public enum ConsentEvent: Equatable, Sendable {
  /// The app has been launched. Counts once.
  case launched
  /// The consent has been refreshed, or could not be; `consent` is then the one last known.
  case refreshed(ConsentPrompt, consent: AdConsent, tracking: TrackingStatus)
  /// The person is through with the app's intro.
  case introFinished(accepted: Bool)
  /// The form flow has ended. `ran` is false if it failed before it could show what it had to.
  case formFinished(ran: Bool, consent: AdConsent, tracking: TrackingStatus)
  /// The app has become active.
  case becameActive
  /// The app is no longer active: in the background, or behind a prompt of the system.
  case resignedActive
  /// The person is through with the app's own explainer of tracking.
  case explainerFinished(accepted: Bool)
  /// The person chose more information in the system's prompt. May come before or behind `trackingAnswered`.
  case moreInformationChosen
  /// The tracking request has returned.
  case trackingAnswered(TrackingStatus)
  /// The person decided, in the app's details, to go on or not.
  case detailsAnswered(continues: Bool)
  /// The app's details are gone from the screen, not still moving.
  case detailsDismissed
  /// The person changed the consent, after the start.
  case consentChanged(AdConsent)
  /// The app wants to ask for tracking again, at a moment that makes sense to the person.
  case askAgain(TrackingStatus)
}

/// What to do next, for whoever drives a `ConsentFlow`.
public enum ConsentAction: Equatable, Sendable {
  /// Refresh the stored consent; then `refreshed`.
  case refreshConsent
  /// Show the app's intro; then `introFinished`.
  case showIntro
  /// Run the consent SDK's form flow; then `formFinished`.
  case runForm
  /// Nothing until `becameActive`: a request made earlier would return without a screen.
  case awaitActive
  /// Show the app's explainer of tracking; then `explainerFinished`.
  case showExplainer
  /// Ask the system for tracking; then `trackingAnswered`.
  case requestTracking
  /// Show the app's details on tracking; then `detailsAnswered` (if the person decided) and `detailsDismissed`.
  case showDetails
  /// Offer the way to Settings, where alone a refusal can be taken back.
  case offerSettings
  /// Start the providers that wait for nothing.
  case startAds(nonPersonalised: Bool)
  /// Start the provider that needs the identifier.
  case startIdentifierAds(nonPersonalised: Bool)
}
