#if canImport(AppTrackingTransparency) && canImport(UIKit)
  import UIKit

  /// Whether an app with UIKit is active.
  @MainActor
  public final class SystemActivity: AppActivity {
    private var observations: [Observation] = []

    /// Observes nothing yet.
    public init() {}

    /// `UIApplication.applicationState`.
    public var isActive: Bool { UIApplication.shared.applicationState == .active }

    /// `didBecomeActiveNotification` and `willResignActiveNotification`, for as long as this object lives.
    public func observe(_ change: @escaping @MainActor (Bool) -> Void) {
      for (name, isActive) in [
        (UIApplication.didBecomeActiveNotification, true),
        (UIApplication.willResignActiveNotification, false),
      ] {
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          // UIKit posts on the main thread.
          MainActor.assumeIsolated { change(isActive) }
        }
        observations.append(Observation(token))
      }
    }
  }

  /// Ends with its owner; a class of its own because the owner's `deinit` is on no actor.
  private final class Observation {
    private let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }

    deinit { NotificationCenter.default.removeObserver(token) }
  }
#endif
