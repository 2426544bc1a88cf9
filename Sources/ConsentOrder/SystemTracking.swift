#if canImport(AppTrackingTransparency)
  import AppTrackingTransparency

  /// The tracking permission of Apple's systems. Needs the SDK of iOS 27.2 to compile.
  @MainActor
  public final class SystemTracking: TrackingAuthoriser {
    private let prefersExpandedInterface: Bool

    /// - Parameter prefersExpandedInterface: use the expanded interface of iOS 27.2 where there is one. The system
    ///   decides whether it is shown; it is where a person may be asked a second time.
    public init(prefersExpandedInterface: Bool = true) {
      self.prefersExpandedInterface = prefersExpandedInterface
    }

    /// `ATTrackingManager.trackingAuthorizationStatus`.
    public var status: TrackingStatus { Self.status(ATTrackingManager.trackingAuthorizationStatus) }

    /// From iOS 27.2.
    public var canAskAgain: Bool {
      #if os(macOS) || os(tvOS) || os(visionOS)
        return false
      #else
        guard #available(iOS 27.2, *) else { return false }
        return prefersExpandedInterface
      #endif
    }

    /// `ATTrackingManager.requestTrackingAuthorization(usingExpandedInterface:additionalInformationAction:…)` or,
    /// before iOS 27.2, `requestTrackingAuthorization(completionHandler:)`. Call while the app is active.
    public func request(moreInformation: @escaping @Sendable () -> Void) async -> TrackingStatus {
      await withCheckedContinuation { continuation in
        // Sendable, so of no actor: the system calls back on a thread of its own, and an isolated closure traps there.
        let answered: @Sendable (ATTrackingManager.AuthorizationStatus) -> Void = {
          continuation.resume(returning: Self.status($0))
        }
        #if !os(macOS) && !os(tvOS) && !os(visionOS)
          if #available(iOS 27.2, *), prefersExpandedInterface {
            ATTrackingManager.requestTrackingAuthorization(
              usingExpandedInterface: true, additionalInformationAction: moreInformation,
              completionHandler: answered)
            return
          }
        #endif
        ATTrackingManager.requestTrackingAuthorization(completionHandler: answered)
      }
    }

    private nonisolated static func status(_ status: ATTrackingManager.AuthorizationStatus) -> TrackingStatus
    {
      switch status {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .authorized: .authorized
      // A later system's new status is none to track by, and nothing to ask about.
      @unknown default: .restricted
      }
    }
  }
#endif
