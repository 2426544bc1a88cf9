import HTTPWire
import RegionModel

/// What a line of the access log says of one answer: closed words and numbers, nothing that was sent. Plain memory.
struct AccessRecord {
  /// Since 1970.
  var unixSeconds: Int64 = 0
  /// How long the answer took.
  var microseconds: UInt32 = 0
  var status: UInt16
  /// Nil: the request was refused before it was read whole.
  var method: RequestMethod?
  var route: Route
  /// Nil where nothing had to be decided.
  var decision: Decision?

  /// All that is not a number of its own, as one number, which is never 0.
  @inline(__always)
  var kind: UInt64 {
    let request = UInt64(method?.rawValue ?? 0xFF) | UInt64(route.rawValue) << 8 | UInt64(status) << 16
    guard let decision else { return request }
    let reason = decision.reason?.index ?? 0x0F
    return request | UInt64(decision.bucket.index | decision.source.index << 4 | reason << 8 | 1 << 16) << 32
  }
}
