/// What a refresh of the stored consent found.
public struct ConsentRefresh: Equatable, Sendable {
  /// What is to be shown.
  public var prompt: ConsentPrompt
  /// What the consent allows; after a failed refresh, what it allowed when last known.
  public var consent: AdConsent

  /// A finding from its parts.
  public init(prompt: ConsentPrompt, consent: AdConsent) {
    self.prompt = prompt
    self.consent = consent
  }
}

/// How the form flow ended.
public struct ConsentFormResult: Equatable, Sendable {
  /// The flow went its whole way, whether or not it had to show anything. False if it failed.
  public var ran: Bool
  /// What the consent allows now.
  public var consent: AdConsent

  /// A result from its parts.
  public init(ran: Bool, consent: AdConsent) {
    self.ran = ran
    self.consent = consent
  }
}

/// The SDK that keeps the consent, such as Google's UMP.
@MainActor
public protocol ConsentSDK: AnyObject {
  /// Refreshes the stored consent. Does not throw: a failure is `.refreshFailed` with the consent last known.
  func refresh() async -> ConsentRefresh
  /// Runs the form flow to its end. Where nothing is due it shows nothing and still runs.
  func runForm() async -> ConsentFormResult
}

/// What the app itself shows. Each call returns when its screen is gone.
@MainActor
public protocol ConsentScreens: AnyObject {
  /// The app's intro to the form. Returns whether the person wants to go on.
  func showIntro() async -> Bool
  /// The app's explainer of tracking. Returns whether the person wants to go on. Never called unless
  /// `ConsentFlow.Settings.hasExplainer`.
  func showExplainer() async -> Bool
  /// The details behind the system's information action. Returns whether the person wants to go on; only once the
  /// details have been dismissed, not while they animate away: the system's prompt would not come up.
  func showDetails() async -> Bool
  /// Offers the way to the app's page in Settings.
  func offerSettings()
}

/// The system's tracking permission.
@MainActor
public protocol TrackingAuthoriser: AnyObject {
  /// The stored answer. Asks nothing.
  var status: TrackingStatus { get }
  /// Whether the system may ask a second time after a denial.
  var canAskAgain: Bool { get }
  /// Asks, and returns the answer; `.notDetermined` if there was none.
  ///
  /// - Parameter moreInformation: to be called if the person chooses more information; on any thread, before or
  ///   behind the return.
  func request(moreInformation: @escaping @Sendable () -> Void) async -> TrackingStatus
}

/// Whether the app is active: in front, and not behind a prompt of the system.
@MainActor
public protocol AppActivity: AnyObject {
  /// Now.
  var isActive: Bool { get }
  /// From now on, every change.
  func observe(_ change: @escaping @MainActor (Bool) -> Void)
}

/// Whoever starts the ad providers.
@MainActor
public protocol AdStarter: AnyObject {
  /// Starts the providers that wait for nothing. Called once.
  func startAds(nonPersonalised: Bool)
  /// Starts the provider that needs the identifier. Called once, if the settings have one.
  func startIdentifierAds(nonPersonalised: Bool)
}
