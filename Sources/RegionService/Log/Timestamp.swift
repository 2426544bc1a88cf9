#if canImport(Glibc)
  import Glibc
#endif

/// RFC 3339 in UTC, to the second: finer times would help to match lines with a client.
package enum Timestamp {
  /// Such as `2026-01-31T23:59:59Z`.
  package static func text(_ unixSeconds: Int64) -> String {
    var seconds = time_t(unixSeconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) {
        strftime($0.baseAddress, $0.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
