/// `limits`: what a client may send, and how many clients there may be.
package struct LimitsConfig: Equatable, Sendable {
  /// Bytes of a request line.
  package var requestLineBytesMax: Int
  /// Bytes of a header section.
  package var headerSectionBytesMax: Int
  /// Lines of a header section.
  package var fieldCountMax: Int
  /// Bytes of a body that is read and dropped.
  package var bodyBytesMax: Int
  /// Connections at once, of all listeners together.
  package var connectionsMax: Int

  init(reading reader: ConfigReader) {
    requestLineBytesMax = reader.integer(.limitsRequestLineBytesMax)
    headerSectionBytesMax = reader.integer(.limitsHeaderSectionBytesMax)
    fieldCountMax = reader.integer(.limitsFieldCountMax)
    bodyBytesMax = reader.integer(.limitsBodyBytesMax)
    connectionsMax = reader.integer(.limitsConnectionsMax)
  }
}

/// `timeouts`: how long a client is waited for.
package struct TimeoutsConfig: Equatable, Sendable {
  /// From a head's first byte to its last.
  package var head: Duration
  /// From a head's end to its body's last byte.
  package var body: Duration
  /// Between two requests of a connection.
  package var idle: Duration
  /// For a client that takes nothing of its answer.
  package var writeStall: Duration
  /// For input that still comes when a connection is being closed.
  package var linger: Duration

  init(reading reader: ConfigReader) {
    head = reader.seconds(.timeoutsHeadSeconds)
    body = reader.seconds(.timeoutsBodySeconds)
    idle = reader.seconds(.timeoutsIdleSeconds)
    writeStall = reader.seconds(.timeoutsWriteStallSeconds)
    linger = reader.seconds(.timeoutsLingerSeconds)
  }
}

/// `drainSeconds`, `drainDelaySeconds`: how the service ends.
package struct DrainConfig: Equatable, Sendable {
  /// The longest that open connections are waited for.
  package var limit: Duration
  /// How long new connections are still taken while `/readyz` already says `503`.
  package var delay: Duration

  init(reading reader: ConfigReader) {
    limit = reader.seconds(.drainSeconds)
    delay = reader.seconds(.drainDelaySeconds)
  }
}
