/// What a transport is to do: one GET, once.
public struct RegionRequest: Sendable {
  /// Where.
  public let endpoint: RegionEndpoint
  /// Time for all of it, from the look-up of the name to the last byte.
  public let timeout: Duration
  /// The longest body to read, in bytes. A transport stops reading there.
  public let bodyBytesMax: Int

  /// A request from its parts; for tests of a transport.
  public init(endpoint: RegionEndpoint, timeout: Duration, bodyBytesMax: Int) {
    self.endpoint = endpoint
    self.timeout = timeout
    self.bodyBytesMax = bodyBytesMax
  }
}

/// A whole response, not yet believed.
public struct RegionResponse: Equatable, Sendable {
  /// The status code of the final response; a redirect is not followed but reported.
  public var status: Int
  /// The value of `Content-Type`, several lines joined by `, `; nil if there is none.
  public var contentType: String?
  /// The body, without any content coding.
  public var body: [UInt8]

  /// A response from its parts.
  public init(status: Int, contentType: String?, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// Why there is no whole response. A closed set; holds nothing of what was received.
public enum RegionTransportError: Error, Equatable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// The time was over.
  case timedOut
  /// Head or body went over its limit.
  case tooLarge
  /// No TLS handshake, or a certificate that is not to be trusted.
  case secureConnectionFailed
  /// Not connected, broken off, or not HTTP.
  case connectionFailed
}

/// How bytes travel: a value that an app or a test may replace.
///
/// A transport makes one connection and one request, follows no redirect, sends no cookie or credential, stores
/// nothing, retries nothing, and stops reading at the limit. Usable from any thread.
public struct RegionTransport: Sendable {
  /// Makes the exchange.
  public let exchange: @Sendable (RegionRequest) async throws(RegionTransportError) -> RegionResponse

  /// A transport from its function.
  public init(
    _ exchange: @escaping @Sendable (RegionRequest) async throws(RegionTransportError) -> RegionResponse
  ) {
    self.exchange = exchange
  }
}
