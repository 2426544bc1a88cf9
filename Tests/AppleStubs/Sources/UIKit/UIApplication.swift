@_exported import Foundation

/// As far as it is called.
@MainActor public final class UIApplication {
  public enum State: Sendable {
    case active, inactive, background
  }

  public static let shared = UIApplication()
  public nonisolated static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
  public nonisolated static let willResignActiveNotification = Notification.Name("willResignActive")

  public var applicationState = State.active
}
