/// Drives a `ConsentFlow`: carries its actions out by an app's own parts, and tells it what came of them.
///
/// Make one per process and keep it. Lives on the main actor, as what it drives does.
@MainActor
public final class ConsentRunner {
  private var flow: ConsentFlow
  private let consentSDK: any ConsentSDK
  private let screens: any ConsentScreens
  private let tracking: any TrackingAuthoriser
  private let ads: any AdStarter
  private let activity: any AppActivity

  /// A runner before the launch.
  ///
  /// - Parameters:
  ///   - isIdentifierSDKEnabled: the ad SDK that uses the identifier is enabled; no other one counts.
  ///   - hasIdentifierProvider: there is a provider that waits until tracking is decided.
  ///   - hasExplainer: the app shows its own explainer before the system's prompt.
  public init(
    isIdentifierSDKEnabled: Bool, hasIdentifierProvider: Bool = false, hasExplainer: Bool = false,
    consentSDK: any ConsentSDK, screens: any ConsentScreens, tracking: any TrackingAuthoriser,
    activity: any AppActivity, ads: any AdStarter
  ) {
    let settings = ConsentFlow.Settings(
      isIdentifierSDKEnabled: isIdentifierSDKEnabled, hasIdentifierProvider: hasIdentifierProvider,
      hasExplainer: hasExplainer, canAskAgain: tracking.canAskAgain)
    flow = ConsentFlow(settings: settings, isActive: activity.isActive)
    self.consentSDK = consentSDK
    self.screens = screens
    self.tracking = tracking
    self.activity = activity
    self.ads = ads
    activity.observe { [weak self] in self?.send($0 ? .becameActive : .resignedActive) }
  }

  /// Begins. Calling it again does nothing.
  public func launch() { send(.launched) }

  /// Asks for tracking again: at a moment that makes sense to the person, such as a switch in the app's settings,
  /// and never at start. Safe to call at any time; without anything to ask it does nothing.
  public func askAgain() { send(.askAgain(tracking.status)) }

  /// The person changed the consent after the start, by the consent SDK's own means.
  public func consentChanged(_ consent: AdConsent) { send(.consentChanged(consent)) }

  /// How to mark a request for an ad made now.
  public var isNonPersonalised: Bool { flow.isNonPersonalised }

  /// What the consent allows, as last heard; `adsBlocked` before.
  public var consent: AdConsent { flow.consent }

  private func send(_ event: ConsentEvent) {
    for action in flow.handle(event) { perform(action) }
  }

  private func perform(_ action: ConsentAction) {
    switch action {
    case .refreshConsent:
      Task {
        let found = await consentSDK.refresh()
        send(.refreshed(found.prompt, consent: found.consent, tracking: tracking.status))
      }
    case .showIntro: Task { send(.introFinished(accepted: await screens.showIntro())) }
    case .runForm:
      Task {
        let result = await consentSDK.runForm()
        // Read behind the form: it may have put the system's question itself.
        send(.formFinished(ran: result.ran, consent: result.consent, tracking: tracking.status))
      }
    case .awaitActive: break
    case .showExplainer: Task { send(.explainerFinished(accepted: await screens.showExplainer())) }
    case .requestTracking: Task { await requestTracking() }
    case .showDetails:
      Task {
        send(.detailsAnswered(continues: await screens.showDetails()))
        send(.detailsDismissed)
      }
    case .offerSettings: screens.offerSettings()
    case .startAds(let nonPersonalised): ads.startAds(nonPersonalised: nonPersonalised)
    case .startIdentifierAds(let nonPersonalised): ads.startIdentifierAds(nonPersonalised: nonPersonalised)
    }
  }

  /// A stream takes what any thread says without a lock, so that information chosen before the return is known
  /// before the answer is looked at; what is said later comes as an event of its own.
  private func requestTracking() async {
    let (chosen, choice) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let status = await tracking.request { [weak self] in
      if case .terminated = choice.yield() {
        Task { @MainActor in self?.send(.moreInformationChosen) }
      }
    }
    choice.finish()
    for await _ in chosen { send(.moreInformationChosen) }
    send(.trackingAnswered(status))
  }
}
