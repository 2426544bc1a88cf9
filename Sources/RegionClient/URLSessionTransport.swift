#if canImport(Darwin)
  import Foundation

  extension RegionTransport {
    /// What a resolver uses unless told otherwise.
    public static var system: RegionTransport { .urlSession() }

    /// Over URLSession: an ephemeral session for each exchange, without cookies, credentials or cache; TLS 1.2 or
    /// later; redirects reported, not followed. App Transport Security and the system's proxies apply.
    public static func urlSession() -> RegionTransport {
      RegionTransport { request throws(RegionTransportError) in
        guard let url = URL(string: request.endpoint.url) else { throw .connectionFailed }
        let exchange = URLSessionExchange(bodyBytesMax: request.bodyBytesMax)
        return try await exchange.run(url, timeout: request.timeout).get()
      }
    }
  }

  /// One request and what comes of it.
  ///
  /// Sendable unchecked: the mutable state belongs to `queue`, on which the session calls its delegate.
  final class URLSessionExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<RegionResponse, RegionTransportError>

    private let queue = OperationQueue()
    private let bodyBytesMax: Int
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var response: HTTPURLResponse?
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(bodyBytesMax: Int) {
      self.bodyBytesMax = bodyBytesMax
      queue.maxConcurrentOperationCount = 1
    }

    func run(_ url: URL, timeout: Duration) async -> Outcome {
      let seconds = TimeInterval(timeout / .seconds(1))
      let session = URLSession(
        configuration: Self.configuration(seconds: seconds), delegate: self, delegateQueue: queue)
      var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
      request.timeoutInterval = seconds
      request.httpShouldHandleCookies = false
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      // Nothing about the app, the device or its languages, which the session would add by itself.
      request.setValue("*", forHTTPHeaderField: "Accept-Language")
      request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      request.setValue("RegionClient", forHTTPHeaderField: "User-Agent")
      let task = session.dataTask(with: request)
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          queue.addOperation {
            self.continuation = continuation
            task.resume()
            // Breaks the session's hold on its delegate once the task has ended.
            session.finishTasksAndInvalidate()
          }
        }
      } onCancel: {
        task.cancel()
      }
    }

    private static func configuration(seconds: TimeInterval) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = seconds
      configuration.timeoutIntervalForResource = seconds
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
      configuration.httpMaximumConnectionsPerHost = 1
      configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
      return configuration
    }

    /// The redirect itself becomes the response.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    /// Certificates are checked as the system does; whatever else asks for credentials gets none.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      switch challenge.protectionSpace.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust: completionHandler(.performDefaultHandling, nil)
      default: completionHandler(.rejectProtectionSpace, nil)
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      self.response = response as? HTTPURLResponse
      // Unknown is -1.
      isTooLarge = response.expectedContentLength > Int64(bodyBytesMax)
      completionHandler(isTooLarge ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard data.count <= bodyBytesMax - body.count else {
        isTooLarge = true
        dataTask.cancel()
        return
      }
      body.append(contentsOf: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      continuation?.resume(returning: outcome(error))
      continuation = nil
    }

    private func outcome(_ error: (any Error)?) -> Outcome {
      if isTooLarge { return .failure(.tooLarge) }
      if let error { return .failure(Self.transportError(error)) }
      guard let response else { return .failure(.connectionFailed) }
      return .success(
        RegionResponse(
          status: response.statusCode, contentType: response.value(forHTTPHeaderField: "Content-Type"),
          body: body))
    }

    private static func transportError(_ error: any Error) -> RegionTransportError {
      switch (error as? URLError)?.code {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .secureConnectionFailed
      default: .connectionFailed
      }
    }
  }
#endif
