import ClientTestSupport
import ConsentOrder
import Testing

/// Sequences of events worked out by hand.
@Suite struct ConsentCaseTests {
  struct File: Decodable {
    let cases: [Case]
  }

  struct Case: Decodable {
    let name: String
    let sdkEnabled: Bool
    let identifierProvider: Bool
    let active: Bool
    let explainer: Bool
    let expanded: Bool
    let steps: [Step]
    let nonPersonalised: Bool
  }

  enum Event: String, CaseIterable, Decodable {
    case launched, refreshed, introFinished, formFinished, becameActive, resignedActive, explainerFinished
    case moreInformationChosen, trackingAnswered, detailsAnswered, detailsDismissed, consentChanged, askAgain
  }

  struct Step: Decodable {
    let event: Event
    let prompt: ConsentPrompt?
    let consent: AdConsent?
    let tracking: TrackingStatus?
    let accepted: Bool?
    let ran: Bool?
    let continues: Bool?
    let actions: [String]

    func consentEvent() throws -> ConsentEvent {
      switch event {
      case .launched: .launched
      case .refreshed:
        .refreshed(try #require(prompt), consent: try #require(consent), tracking: try #require(tracking))
      case .introFinished: .introFinished(accepted: try #require(accepted as Bool?))
      case .formFinished:
        .formFinished(
          ran: try #require(ran as Bool?), consent: try #require(consent), tracking: try #require(tracking))
      case .becameActive: .becameActive
      case .resignedActive: .resignedActive
      case .explainerFinished: .explainerFinished(accepted: try #require(accepted as Bool?))
      case .moreInformationChosen: .moreInformationChosen
      case .trackingAnswered: .trackingAnswered(try #require(tracking))
      case .detailsAnswered: .detailsAnswered(continues: try #require(continues as Bool?))
      case .detailsDismissed: .detailsDismissed
      case .consentChanged: .consentChanged(try #require(consent))
      case .askAgain: .askAgain(try #require(tracking))
      }
    }
  }

  @Test func everyCase() throws {
    let cases = try VectorFile("consent-order-cases", as: File.self).content.cases
    #expect(Set(cases.flatMap(\.steps).map(\.event)) == Set(Event.allCases))
    for entry in cases {
      var flow = ConsentFlow(
        settings: .init(
          isIdentifierSDKEnabled: entry.sdkEnabled, hasIdentifierProvider: entry.identifierProvider,
          hasExplainer: entry.explainer, canAskAgain: entry.expanded),
        isActive: entry.active)
      for (index, step) in entry.steps.enumerated() {
        let actions = flow.handle(try step.consentEvent()).map(\.vectorName)
        #expect(actions == step.actions, "\(entry.name), step \(index)")
      }
      #expect(flow.isNonPersonalised == entry.nonPersonalised, "\(entry.name)")
    }
  }
}
