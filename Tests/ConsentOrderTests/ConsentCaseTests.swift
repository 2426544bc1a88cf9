import ClientTestSupport
import ConsentOrder
import Testing

/// Sequences of events worked out by hand.
@Suite struct ConsentCaseTests {
  struct File: Codable {
    let keyRows: [KeyRow]
    let cases: [Case]
  }

  /// Of the product; the generator holds these against its rules, and the product's test runs them.
  struct KeyRow: Codable {
    let name: String
    let row: [Value]
    let actions: [String]
    let nonPersonalised: Bool
  }

  enum Value: Codable {
    case word(String)
    case flag(Bool)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self =
        if let flag = try? value.decode(Bool.self) { .flag(flag) } else {
          .word(try value.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .word(let word): try value.encode(word)
      case .flag(let flag): try value.encode(flag)
      }
    }
  }

  struct Case: Codable {
    let name: String
    let sdkEnabled: Bool
    let identifierProvider: Bool
    let active: Bool
    let explainer: Bool
    let expanded: Bool
    let steps: [Step]
    let nonPersonalised: Bool
  }

  enum Event: String, CaseIterable, Codable {
    case launched, refreshed, introFinished, formFinished, becameActive, resignedActive, explainerFinished
    case moreInformationChosen, trackingAnswered, detailsAnswered, detailsDismissed, consentChanged, askAgain
  }

  struct Step: Codable {
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
    let file = try VectorFile("consent-order-cases", as: File.self)
    let cases = file.content.cases
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
    file.ran(rows: cases.count)
  }
}
