/// The order of consent form, tracking request and start of ads: events in, actions out.
///
/// No clock, no task, no SDK; `ConsentRunner` carries the actions out. The consent SDK's explainer comes before the
/// app's request, since the system shows its prompt once and whoever asks first is the only one seen.
public struct ConsentFlow: Sendable {
  /// What the app has.
  public struct Settings: Equatable, Sendable {
    /// The ad SDK that uses the identifier is enabled. No other SDK's being enabled asks for anything.
    public var isIdentifierSDKEnabled: Bool
    /// There is a provider that must not start before tracking is decided.
    public var hasIdentifierProvider: Bool
    /// The app shows its own explainer before the system's prompt.
    public var hasExplainer: Bool
    /// The system may ask a second time, after a denial: the expanded interface of iOS 27.2.
    public var canAskAgain: Bool

    /// Settings from their parts.
    public init(
      isIdentifierSDKEnabled: Bool, hasIdentifierProvider: Bool = false, hasExplainer: Bool = false,
      canAskAgain: Bool = false
    ) {
      self.isIdentifierSDKEnabled = isIdentifierSDKEnabled
      self.hasIdentifierProvider = hasIdentifierProvider
      self.hasExplainer = hasExplainer
      self.canAskAgain = canAskAgain
    }
  }

  /// Where the start is.
  private enum Start: Equatable {
    case notLaunched, refreshing, intro, form, over
  }

  /// Where the question for tracking is.
  private enum Question: Equatable {
    case none
    case awaitingActive
    case explaining
    case requesting(Request)
    case details(continues: Bool)
  }

  private struct Request: Equatable {
    var statusBefore: TrackingStatus
    var wantsInformation = false
    /// The app resigned while the request was out: something of the system's was on the screen.
    var sawPrompt = false
  }

  private let settings: Settings
  private var start = Start.notLaunched
  private var question = Question.none
  private var isActive: Bool
  private var tracking = TrackingStatus.notDetermined
  private var formRan = false
  private var adsStarted = false
  private var identifierAdsStarted = false
  /// A question was put in this process; the start puts none again.
  private var hasAsked = false
  /// The explainer of the question at hand was accepted.
  private var explainerAccepted = false
  /// The last request returned without an answer and without a word of why, which may still come.
  private var mayLearnWhy = false

  /// What the consent allows, as last heard.
  public private(set) var consent = AdConsent.adsBlocked

  /// A flow before its launch.
  public init(settings: Settings, isActive: Bool) {
    self.settings = settings
    self.isActive = isActive
  }

  /// How a request for an ad made now must be marked: both the person's answer to tracking and the consent have to
  /// agree to personalised ones.
  public var isNonPersonalised: Bool { !(tracking == .authorized && consent == .personalised) }

  /// Takes an event; what to do comes back in order.
  public mutating func handle(_ event: ConsentEvent) -> [ConsentAction] {
    switch event {
    case .launched:
      guard start == .notLaunched else { return [] }
      start = .refreshing
      return [.refreshConsent]
    case .refreshed(let prompt, let consent, let tracking):
      guard start == .refreshing else { return [] }
      (self.consent, self.tracking) = (consent, tracking)
      return follow(prompt)
    case .introFinished(let accepted):
      guard start == .intro else { return [] }
      return accepted ? runForm() : finishStart()
    case .formFinished(let ran, let consent, let tracking):
      guard start == .form else { return [] }
      (self.consent, self.tracking, formRan) = (consent, tracking, ran)
      return finishStart()
    case .becameActive: return becomeActive()
    case .resignedActive:
      resignActive()
      return []
    case .explainerFinished(let accepted): return finishExplainer(accepted)
    case .moreInformationChosen: return chooseInformation()
    case .trackingAnswered(let status): return answer(status)
    case .detailsAnswered(let continues):
      if case .details = question { question = .details(continues: continues) }
      return []
    case .detailsDismissed:
      guard case .details(let continues) = question else { return [] }
      return continues && mayAsk ? ask() : endQuestion()
    case .consentChanged(let consent):
      self.consent = consent
      return start == .over ? startWhatIsDue() : []
    case .askAgain(let status): return askAgain(status)
    }
  }

  // MARK: The start

  private mutating func follow(_ prompt: ConsentPrompt) -> [ConsentAction] {
    switch prompt {
    case .refreshFailed: return finishStart()
    case .introThenForm:
      start = .intro
      return [.showIntro]
    case .none, .formOnly: return runForm()
    }
  }

  private mutating func runForm() -> [ConsentAction] {
    start = .form
    return [.runForm]
  }

  private mutating func finishStart() -> [ConsentAction] {
    start = .over
    return startWhatIsDue()
  }

  private mutating func startWhatIsDue() -> [ConsentAction] {
    guard allowsAds else { return [] }
    var actions: [ConsentAction] = []
    if mayAsk, question == .none, !hasAsked, tracking == .notDetermined { actions = ask() }
    if !adsStarted {
      adsStarted = true
      actions.append(.startAds(nonPersonalised: isNonPersonalised))
    }
    return actions + startIdentifierAdsIfDue()
  }

  private mutating func startIdentifierAdsIfDue() -> [ConsentAction] {
    guard settings.hasIdentifierProvider, allowsAds, adsStarted, !identifierAdsStarted, question == .none
    else {
      return []
    }
    identifierAdsStarted = true
    return [.startIdentifierAds(nonPersonalised: isNonPersonalised)]
  }

  private var allowsAds: Bool {
    switch consent {
    case .adsBlocked: false
    case .nonPersonalised, .personalised: true
    }
  }

  // MARK: The question

  private var mayAsk: Bool { formRan && settings.isIdentifierSDKEnabled && allowsAds }

  /// The next thing between here and an answer.
  private mutating func ask() -> [ConsentAction] {
    guard isActive else {
      question = .awaitingActive
      return [.awaitActive]
    }
    hasAsked = true
    if settings.hasExplainer, !explainerAccepted {
      question = .explaining
      return [.showExplainer]
    }
    mayLearnWhy = false
    question = .requesting(Request(statusBefore: tracking))
    return [.requestTracking]
  }

  private mutating func endQuestion() -> [ConsentAction] {
    question = .none
    return startIdentifierAdsIfDue()
  }

  private mutating func becomeActive() -> [ConsentAction] {
    isActive = true
    guard question == .awaitingActive else { return [] }
    return mayAsk ? ask() : endQuestion()
  }

  private mutating func resignActive() {
    isActive = false
    if case .requesting(var request) = question {
      request.sawPrompt = true
      question = .requesting(request)
    }
  }

  private mutating func finishExplainer(_ accepted: Bool) -> [ConsentAction] {
    guard question == .explaining else { return [] }
    explainerAccepted = accepted
    return accepted && mayAsk ? ask() : endQuestion()
  }

  private mutating func chooseInformation() -> [ConsentAction] {
    if case .requesting(var request) = question {
      request.wantsInformation = true
      question = .requesting(request)
      return []
    }
    guard question == .none, mayLearnWhy else { return [] }
    return showDetails()
  }

  private mutating func showDetails() -> [ConsentAction] {
    mayLearnWhy = false
    question = .details(continues: false)
    return [.showDetails]
  }

  private mutating func answer(_ status: TrackingStatus) -> [ConsentAction] {
    guard case .requesting(let request) = question else { return [] }
    tracking = status
    if status == .notDetermined {
      if request.wantsInformation { return showDetails() }
      mayLearnWhy = true
    }
    let stayedDenied = request.statusBefore == .denied && status == .denied
    return (stayedDenied && !request.sawPrompt ? [.offerSettings] : []) + endQuestion()
  }

  private mutating func askAgain(_ status: TrackingStatus) -> [ConsentAction] {
    guard start == .over, question == .none else { return [] }
    tracking = status
    guard mayAsk else { return [] }
    explainerAccepted = false
    switch status {
    case .authorized, .restricted: return []
    case .notDetermined: return ask()
    case .denied: return settings.canAskAgain ? ask() : [.offerSettings]
    }
  }
}
