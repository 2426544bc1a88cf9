import AppTrackingTransparency
import ConsentOrder
import Testing

@Suite(.serialized) @MainActor struct SystemTrackingTests {
  private func script(
    status: ATTrackingManager.AuthorizationStatus = .notDetermined,
    _ answers: [ATTrackingManager.AuthorizationStatus?]
  ) {
    ATTrackingManager.system.withLock { system in
      system = ATTrackingManager.System()
      system.status = status
      system.answers = answers
    }
  }

  private var requests: [String] { ATTrackingManager.system.withLock(\.requests) }

  @Test(arguments: [
    (ATTrackingManager.AuthorizationStatus.notDetermined, TrackingStatus.notDetermined),
    (.restricted, .restricted), (.denied, .denied), (.authorized, .authorized),
  ])
  func statusIsTheSystems(_ system: ATTrackingManager.AuthorizationStatus, _ expected: TrackingStatus) {
    script(status: system, [])
    #expect(SystemTracking().status == expected)
    #expect(requests == [])
  }

  @Test func expandedInterface() async {
    script([.authorized])
    let tracking = SystemTracking()
    #expect(tracking.canAskAgain)
    #expect(await tracking.request {} == .authorized)
    #expect(requests == ["expanded"])
  }

  @Test func classicInterface() async {
    script([.denied])
    let tracking = SystemTracking(prefersExpandedInterface: false)
    #expect(!tracking.canAskAgain)
    #expect(await tracking.request {} == .denied)
    #expect(requests == ["classic"])
  }

  @Test func informationOnAnotherThread() async {
    script([nil])
    let chosen = Counter()
    #expect(await SystemTracking().request { chosen.increment() } == .notDetermined)
    #expect(chosen.count == 1)
  }

  /// The whole order over the adapters: more information, details, asked again.
  @Test func wholeStart() async throws {
    script([nil, .authorized])
    let app = App()
    let runner = ConsentRunner(
      isIdentifierSDKEnabled: true, hasIdentifierProvider: true, consentSDK: app, screens: app,
      tracking: SystemTracking(), activity: SystemActivity(), ads: app)
    runner.launch()
    try await eventually { app.log.last == "identifier false" }
    #expect(app.log == ["ads true", "details", "identifier false"])
    #expect(requests == ["expanded", "expanded"])
    #expect(!runner.isNonPersonalised)
  }

  @MainActor private final class App: ConsentSDK, ConsentScreens, AdStarter {
    var log: [String] = []

    func refresh() async -> ConsentRefresh { ConsentRefresh(prompt: .none, consent: .personalised) }
    func runForm() async -> ConsentFormResult { ConsentFormResult(ran: true, consent: .personalised) }
    func showIntro() async -> Bool { true }
    func showExplainer() async -> Bool { true }
    func showDetails() async -> Bool {
      log.append("details")
      return true
    }
    func offerSettings() { log.append("settings") }
    func startAds(nonPersonalised: Bool) { log.append("ads \(nonPersonalised)") }
    func startIdentifierAds(nonPersonalised: Bool) { log.append("identifier \(nonPersonalised)") }
  }
}
