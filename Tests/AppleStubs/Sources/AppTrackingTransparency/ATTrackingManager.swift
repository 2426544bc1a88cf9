import Synchronization

/// As far as it is called, with a system behind it that tests script.
public class ATTrackingManager {
  public enum AuthorizationStatus: UInt, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
  }

  public typealias Completion = @Sendable (AuthorizationStatus) -> Void

  /// What the scripted system saw and does.
  public struct System: Sendable {
    public var status = AuthorizationStatus.notDetermined
    /// `expanded` or `classic`, in order.
    public var requests: [String] = []
    /// The person's answers to the prompts to come; nil chooses more information.
    public var answers: [AuthorizationStatus?] = []

    public init() {}
  }

  public static let system = Mutex(System())

  public class var trackingAuthorizationStatus: AuthorizationStatus { system.withLock(\.status) }

  public class func requestTrackingAuthorization(completionHandler completion: @escaping Completion) {
    request("classic", information: nil, completion)
  }

  @available(iOS 27.2, macCatalyst 27.2, *)
  public class func requestTrackingAuthorization(
    usingExpandedInterface preferExpandedInterface: Bool, additionalInformationAction: (() -> Void)?,
    completionHandler completion: @escaping Completion
  ) {
    nonisolated(unsafe) let information = additionalInformationAction
    request(preferExpandedInterface ? "expanded" : "plain", information: { information?() }, completion)
  }

  /// Calls back on a thread of its own, as the real one does.
  private static func request(
    _ kind: String, information: (@Sendable () -> Void)?, _ completion: @escaping Completion
  ) {
    let (answer, status) = system.withLock { system in
      system.requests.append(kind)
      let answer = system.answers.removeFirst()
      if let answer { system.status = answer }
      return (answer, system.status)
    }
    Task.detached {
      if answer == nil { information?() }
      completion(status)
    }
  }
}
