import ClientTestSupport
import ConsentOrder
import Testing

/// The product of everything that can meet an app at start, acted out.
@Suite struct ConsentOrderVectorTests {
  struct File: Codable {
    let columns: [String]
    let outcomes: [Outcome]
    let rows: [Row]
  }

  struct Outcome: Codable {
    let actions: [String]
    let nonPersonalised: Bool
  }

  enum Tracking: String, CaseIterable, Codable {
    case undecidedThenAuthorized, undecidedThenDenied, restricted, denied, authorized
  }

  enum Expanded: String, CaseIterable, Codable {
    case absent, unused, continued, abandoned
  }

  enum Intro: String, CaseIterable, Codable {
    case accepted, dismissed
  }

  struct Row: Codable {
    static let columns = [
      "prompt", "intro", "sdkEnabled", "tracking", "active", "expanded", "identifierProvider", "consent",
      "outcome",
    ]
    let prompt: ConsentPrompt
    let intro: Intro
    let sdkEnabled: Bool
    let tracking: Tracking
    let active: Bool
    let expanded: Expanded
    let identifierProvider: Bool
    let consent: AdConsent
    let outcome: Int

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      prompt = try values.decode(ConsentPrompt.self)
      intro = try values.decode(Intro.self)
      sdkEnabled = try values.decode(Bool.self)
      tracking = try values.decode(Tracking.self)
      active = try values.decode(Bool.self)
      expanded = try values.decode(Expanded.self)
      identifierProvider = try values.decode(Bool.self)
      consent = try values.decode(AdConsent.self)
      outcome = try values.decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(prompt)
      try values.encode(intro)
      try values.encode(sdkEnabled)
      try values.encode(tracking)
      try values.encode(active)
      try values.encode(expanded)
      try values.encode(identifierProvider)
      try values.encode(consent)
      try values.encode(outcome)
    }
  }

  @Test func everyRow() throws {
    let vectors = try VectorFile("consent-order", as: File.self)
    let file = vectors.content
    #expect(file.columns == Row.columns)
    let combinations =
      ConsentPrompt.allCases.count * Intro.allCases.count * 2 * Tracking.allCases.count * 2
      * Expanded.allCases.count * 2 * AdConsent.allCases.count
    #expect(file.rows.count == combinations)
    for row in file.rows {
      var app = App(row)
      app.run()
      let outcome = file.outcomes[row.outcome]
      #expect(app.actions == outcome.actions, "\(row)")
      #expect(app.flow.isNonPersonalised == outcome.nonPersonalised, "\(row)")
    }
    vectors.ran(rows: file.rows.count)
  }

  /// Does what the flow says, as the row's person and device would.
  private struct App {
    let row: Row
    var flow: ConsentFlow
    var actions: [String] = []
    var requests = 0

    init(_ row: Row) {
      self.row = row
      flow = ConsentFlow(
        settings: .init(
          isIdentifierSDKEnabled: row.sdkEnabled, hasIdentifierProvider: row.identifierProvider,
          canAskAgain: row.expanded != .absent),
        isActive: row.active)
    }

    mutating func run() {
      var pending = flow.handle(.launched)
      while !pending.isEmpty {
        let action = pending.removeFirst()
        actions.append(action.vectorName)
        for event in reaction(to: action) { pending += flow.handle(event) }
      }
    }

    private var statusBefore: TrackingStatus {
      switch row.tracking {
      case .undecidedThenAuthorized, .undecidedThenDenied: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .authorized: .authorized
      }
    }

    private var decision: TrackingStatus { row.tracking == .undecidedThenAuthorized ? .authorized : .denied }

    private mutating func reaction(to action: ConsentAction) -> [ConsentEvent] {
      switch action {
      case .refreshConsent: [.refreshed(row.prompt, consent: row.consent, tracking: statusBefore)]
      case .showIntro: [.introFinished(accepted: row.intro == .accepted)]
      case .runForm: [.formFinished(ran: true, consent: row.consent, tracking: statusBefore)]
      case .awaitActive: [.becameActive]
      case .requestTracking: requestTracking()
      case .showDetails: [.detailsAnswered(continues: row.expanded == .continued), .detailsDismissed]
      case .startAds, .startIdentifierAds, .offerSettings, .showExplainer: []
      }
    }

    private mutating func requestTracking() -> [ConsentEvent] {
      requests += 1
      switch row.expanded {
      case .continued where requests == 1, .abandoned:
        return [.resignedActive, .moreInformationChosen, .becameActive, .trackingAnswered(.notDetermined)]
      case .absent, .unused, .continued:
        return [.resignedActive, .becameActive, .trackingAnswered(decision)]
      }
    }
  }
}

extension ConsentAction {
  /// As the vectors spell it.
  var vectorName: String {
    switch self {
    case .refreshConsent: "refreshConsent"
    case .showIntro: "showIntro"
    case .runForm: "runForm"
    case .awaitActive: "awaitActive"
    case .showExplainer: "showExplainer"
    case .requestTracking: "requestTracking"
    case .showDetails: "showDetails"
    case .offerSettings: "offerSettings"
    case .startAds(let nonPersonalised): "startAds \(nonPersonalised ? "nonPersonalised" : "personalised")"
    case .startIdentifierAds(let nonPersonalised):
      "startIdentifierAds \(nonPersonalised ? "nonPersonalised" : "personalised")"
    }
  }
}
