import ClientTestSupport
import ConsentOrder
import Testing

/// The runner with parts that do what a test tells them.
@Suite @MainActor struct ConsentRunnerTests {
  @MainActor final class Parts: ConsentSDK, ConsentScreens, TrackingAuthoriser, AppActivity, AdStarter {
    var log: [String] = []
    var found = ConsentRefresh(prompt: .formOnly, consent: .adsBlocked)
    var formResult = ConsentFormResult(ran: true, consent: .personalised)
    var wantsToGoOn = true
    var status = TrackingStatus.notDetermined
    var canAskAgain = false
    var isActive = true
    var change: (@MainActor (Bool) -> Void)?
    /// What the system does with a request; gets the information action.
    var system: @MainActor (Parts, @escaping @Sendable () -> Void) async -> TrackingStatus = { parts, _ in
      parts.status = .authorized
      return .authorized
    }

    func refresh() async -> ConsentRefresh {
      log.append("refresh")
      return found
    }
    func runForm() async -> ConsentFormResult {
      log.append("form")
      return formResult
    }
    func showIntro() async -> Bool {
      log.append("intro")
      return wantsToGoOn
    }
    func showExplainer() async -> Bool {
      log.append("explainer")
      return wantsToGoOn
    }
    func showDetails() async -> Bool {
      log.append("details")
      return wantsToGoOn
    }
    func offerSettings() { log.append("settings") }
    func request(moreInformation: @escaping @Sendable () -> Void) async -> TrackingStatus {
      log.append("request")
      return await system(self, moreInformation)
    }
    func observe(_ change: @escaping @MainActor (Bool) -> Void) { self.change = change }
    func startAds(nonPersonalised: Bool) { log.append("ads \(nonPersonalised)") }
    func startIdentifierAds(nonPersonalised: Bool) { log.append("identifier \(nonPersonalised)") }
  }

  private func runner(_ parts: Parts, explainer: Bool = false) -> ConsentRunner {
    ConsentRunner(
      isIdentifierSDKEnabled: true, hasIdentifierProvider: true, hasExplainer: explainer, consentSDK: parts,
      screens: parts, tracking: parts, activity: parts, ads: parts)
  }

  @Test func wholeStart() async throws {
    let parts = Parts()
    parts.found.prompt = .introThenForm
    let runner = runner(parts, explainer: true)
    #expect(runner.consent == .adsBlocked)
    runner.launch()
    runner.launch()
    try await eventually { parts.log.last == "identifier false" }
    #expect(
      parts.log == ["refresh", "intro", "form", "ads true", "explainer", "request", "identifier false"])
    #expect(!runner.isNonPersonalised && runner.consent == .personalised)
  }

  @Test func formMayHaveAskedItself() async throws {
    let parts = Parts()
    parts.status = .denied
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "identifier true" }
    #expect(parts.log == ["refresh", "form", "ads true", "identifier true"])
  }

  @Test func waitsUntilActive() async throws {
    let parts = Parts()
    parts.isActive = false
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "ads true" }
    parts.change?(true)
    try await eventually { parts.log.last == "identifier false" }
    #expect(parts.log == ["refresh", "form", "ads true", "request", "identifier false"])
    withExtendedLifetime(runner) {}
  }

  @Test func informationFromAnotherThreadBeforeTheReturn() async throws {
    let parts = Parts()
    parts.system = { parts, moreInformation in
      guard parts.log.filter({ $0 == "request" }).count == 1 else { return .authorized }
      await Task.detached {
        moreInformation()
        moreInformation()
      }.value
      return .notDetermined
    }
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "identifier false" }
    #expect(
      parts.log == ["refresh", "form", "ads true", "request", "details", "request", "identifier false"])
    withExtendedLifetime(runner) {}
  }

  @Test func informationBehindTheReturn() async throws {
    let parts = Parts()
    let late = Gate<@Sendable () -> Void>()
    parts.system = { parts, moreInformation in
      guard parts.log.filter({ $0 == "request" }).count == 1 else { return .authorized }
      await late.open(moreInformation)
      return .notDetermined
    }
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "identifier true" }
    let chooseInformation = await late.pass()
    await Task.detached { chooseInformation() }.value
    try await eventually { !runner.isNonPersonalised }
    #expect(parts.log == ["refresh", "form", "ads true", "request", "identifier true", "details", "request"])
  }

  @Test func detailsLeft() async throws {
    let parts = Parts()
    parts.wantsToGoOn = false
    parts.system = { _, moreInformation in
      moreInformation()
      return .notDetermined
    }
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "identifier true" }
    #expect(parts.log == ["refresh", "form", "ads true", "request", "details", "identifier true"])
    withExtendedLifetime(runner) {}
  }

  @Test func askAgainAndChangeOfConsent() async throws {
    let parts = Parts()
    parts.status = .denied
    parts.formResult.consent = .nonPersonalised
    let runner = runner(parts)
    runner.launch()
    try await eventually { parts.log.last == "identifier true" }
    runner.askAgain()
    #expect(parts.log.last == "settings")
    parts.status = .authorized
    runner.askAgain()
    #expect(runner.isNonPersonalised)
    runner.consentChanged(.personalised)
    #expect(!runner.isNonPersonalised)
    #expect(parts.log == ["refresh", "form", "ads true", "identifier true", "settings"])
  }
}
