import ConsentOrder
import Foundation
import Testing
import UIKit

@Suite(.serialized) @MainActor struct SystemActivityTests {
  @Test(arguments: [(UIApplication.State.active, true), (.inactive, false), (.background, false)])
  func state(_ state: UIApplication.State, _ isActive: Bool) {
    defer { UIApplication.shared.applicationState = .active }
    UIApplication.shared.applicationState = state
    #expect(SystemActivity().isActive == isActive)
  }

  @Test func changes() async throws {
    var changes: [Bool] = []
    var activity: SystemActivity? = SystemActivity()
    activity?.observe { changes.append($0) }
    NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: nil)
    NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
    try await eventually { changes == [false, true] }
    activity = nil
    NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: nil)
    try await Task.sleep(for: .milliseconds(50))
    #expect(changes == [false, true])
  }
}
