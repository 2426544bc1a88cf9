import RegionService

/// What the sockets need to know of the configuration. Times in milliseconds.
package struct ServerOptions: Equatable, Sendable {
  /// From a request's first byte to the end of its head.
  package var headMillisecondsMax: Int64 = 10_000
  /// From the end of the head to the end of the body.
  package var bodyMillisecondsMax: Int64 = 10_000
  /// Between requests, and before the first.
  package var idleMillisecondsMax: Int64 = 75_000
  /// Without any progress in sending an answer.
  package var writeStallMillisecondsMax: Int64 = 10_000
  /// After a last answer, for the client to finish reading it.
  package var lingerMillisecondsMax: Int64 = 2_000
  /// Open connections of all loops together.
  package var connectionsMax = 16_384
  /// Event loops; each has a thread of its own.
  package var loopCount = 1
  /// From the signal to the end, at most.
  package var drainMillisecondsMax: Int64 = 20_000
  /// From the signal to the closing of the listeners.
  package var drainDelayMilliseconds: Int64 = 0

  package init() {}

  /// How often deadlines are looked at: a quarter of the shortest, between 10 ms and a second.
  var sweepMilliseconds: Int64 {
    let shortest = min(
      headMillisecondsMax, bodyMillisecondsMax, idleMillisecondsMax, writeStallMillisecondsMax,
      lingerMillisecondsMax)
    return min(max(shortest / 4, 10), 1000)
  }
}
