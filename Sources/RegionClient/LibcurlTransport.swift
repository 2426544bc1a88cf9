#if os(Linux)
  import CLibcurl
  import Dispatch

  extension RegionTransport {
    /// What a resolver uses unless told otherwise.
    public static var system: RegionTransport { .libcurl() }

    /// Over libcurl: HTTP/1.1, TLS 1.2 or later, no proxy. Sends `Host` and `Accept` and no other field. At most
    /// 16 KiB of head.
    ///
    /// - Parameter authoritiesFile: PEM file of the certificate authorities to trust instead of the system's.
    public static func libcurl(authoritiesFile: String? = nil) -> RegionTransport {
      RegionTransport { request throws(RegionTransportError) in
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            // Blocks, so not on a thread of the concurrency runtime.
            queue.async {
              continuation.resume(returning: perform(request, authoritiesFile, cancellation))
            }
          }
        } onCancel: {
          cancellation.cancel()
        }
        return try result.get()
      }
    }

    private static let queue = DispatchQueue(label: "RegionClient.libcurl", attributes: .concurrent)
    private static let headBytesMax = 16384

    private static func perform(
      _ request: RegionRequest, _ authoritiesFile: String?, _ cancellation: Cancellation
    ) -> Result<RegionResponse, RegionTransportError> {
      var raw = clibcurl_response()
      var outcome = CLIBCURL_CONNECTION_FAILED
      let body = [UInt8](unsafeUninitializedCapacity: request.bodyBytesMax) { buffer, count in
        outcome = request.endpoint.url.withCString { url in
          withOptionalCString(authoritiesFile) { authorities in
            var order = clibcurl_request(
              url: url, plain: request.endpoint.isPlain, authorities_file: authorities,
              timeout_ms: milliseconds(request.timeout), head_bytes_max: headBytesMax,
              body_bytes_max: request.bodyBytesMax, body: buffer.baseAddress)
            return clibcurl_get(&order, cancellation.flag, &raw)
          }
        }
        count = raw.body_bytes
      }
      if let error = error(outcome) { return .failure(error) }
      return .success(
        RegionResponse(status: Int(raw.status), contentType: contentType(raw), body: body))
    }

    private static func error(_ outcome: clibcurl_outcome) -> RegionTransportError? {
      switch outcome {
      case CLIBCURL_OK: nil
      case CLIBCURL_CANCELLED: .cancelled
      case CLIBCURL_TIMED_OUT: .timedOut
      case CLIBCURL_TOO_LARGE: .tooLarge
      case CLIBCURL_TLS_FAILED: .secureConnectionFailed
      default: .connectionFailed
      }
    }

    private static func contentType(_ response: clibcurl_response) -> String? {
      guard response.has_content_type else { return nil }
      return withUnsafeBytes(of: response.content_type) { bytes in
        String(decoding: bytes.prefix(response.content_type_bytes), as: UTF8.self)
      }
    }

    /// Rounded up: libcurl takes 0 for no limit.
    private static func milliseconds(_ duration: Duration) -> Int {
      let (seconds, attoseconds) = duration.components
      return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private static func withOptionalCString<Value>(
      _ text: String?, _ body: (UnsafePointer<CChar>?) -> Value
    ) -> Value {
      guard let text else { return body(nil) }
      return text.withCString { body($0) }
    }
  }

  /// Owns the flag that a transfer looks at.
  ///
  /// Sendable unchecked: the pointer is never changed, and what it points to is atomic on the C side.
  private final class Cancellation: @unchecked Sendable {
    let flag: OpaquePointer

    init() {
      guard let flag = clibcurl_cancellation_create() else { fatalError("out of memory") }
      self.flag = flag
    }

    deinit { clibcurl_cancellation_destroy(flag) }

    func cancel() { clibcurl_cancellation_cancel(flag) }
  }
#endif
