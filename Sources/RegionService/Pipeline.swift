import ClientSignal
import GeoLookup
import HTTPWire
import RegionModel

/// Request in, answer out, by one snapshot. Belongs to one loop.
package final class Pipeline {
  private let snapshot: ServiceSnapshot
  /// The snapshot's, to be used without a count of references, which all loops would write to.
  private let decider: Decider
  private let counters: LoopCounters
  /// Nil unless the snapshot wants it.
  private let accessLog: AccessLog?
  /// What the admin listener shows; nil where there is none.
  private let metrics: Metrics?
  private let writer: AnswerWriter
  private let cache = RecordCache()
  private let shadowCache = RecordCache()
  private let origin: FieldName = FieldName("Origin")
  private let requestMethod: FieldName = FieldName("Access-Control-Request-Method")
  private let entityTagList = EntityTagList()
  private let latencyBoundsNanoseconds = Counter.latencyBoundsMicroseconds.map { Int64($0) * 1000 }
  /// In memory of its own, which nobody has to count references to.
  private let entityTags = RegionBucket.allCases.map { bucket in
    let tag = AnswerTable.entityTag(bucket)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: tag.utf8.count)
    _ = bytes.initialize(from: tag.utf8)
    return bytes
  }

  /// A pipeline for one loop, which owns the counters and the access log.
  package init(
    _ snapshot: ServiceSnapshot, counters: LoopCounters, accessLog: AccessLog? = nil, metrics: Metrics? = nil
  ) {
    self.metrics = metrics
    self.snapshot = snapshot
    decider = snapshot.decider
    self.counters = counters
    self.accessLog = snapshot.logsAccess ? accessLog : nil
    writer = AnswerWriter(snapshot.answers)
  }

  deinit {
    for tag in entityTags { tag.deallocate() }
  }

  package var generation: UInt32 { snapshot.generation }
  package var limits: WireLimits { snapshot.limits }
  /// The room that an output buffer must have for one more answer.
  package func answerBytesMax(isAdmin: Bool) -> Int {
    isAdmin ? max(writer.answerBytesMax, MetricsPage.bytesMax) : writer.answerBytesMax
  }

  /// What is to be kept of a peer for as long as its connection and this snapshot last.
  package func judge(_ peer: Peer) -> PeerVerdict {
    var verdict = decider.judge(peer, generation: snapshot.generation, cache: cache)
    if let shadow = snapshot.shadow {
      verdict.shadowOwn = shadow.judge(peer, generation: snapshot.generation, cache: shadowCache).own
    }
    return verdict
  }

  /// Whether a peer may begin its connections with a PROXY protocol preface.
  package func maySendPreface(_ peer: Peer) -> Bool {
    switch peer {
    case .address(let address): snapshot.proxyProtocolPeers.contains(address)
    case .unixSocket: true
    case .unnamed: false
    }
  }

  /// Appends the answer to a request whose body, if any, has been dropped.
  ///
  /// - Returns: whether the connection stays open.
  package func respond(
    to head: RequestHead, from peer: PeerVerdict, isAdmin: Bool, mayKeepAlive: Bool, isDraining: Bool,
    seconds: Int64,
    into output: OutputBuffer
  ) -> Bool {
    let keepsAlive = mayKeepAlive && head.keepsAlive
    // By patterns: `==` of another module's type would be a call each time.
    let mode: ConnectionMode =
      switch head.version {
      case _ where !keepsAlive: .close
      case .http10: .http10KeepAlive
      case .http11: .keepAlive
      }
    let method = head.method
    let includesBody = if case .head = method { false } else { true }
    let route = Route.of(head.target, isAdmin: isAdmin)
    if case .metrics = route, Self.isRead(method) {
      writeMetrics(method, mode, includesBody: includesBody, seconds: seconds, to: output)
      return keepsAlive
    }
    var decision: Decision?
    let answer = answer(head, method, peer, route, isAdmin: isAdmin, isDraining: isDraining, &decision)
    accessLog?.note(method: method, route: route, status: answer.status, decision: decision)
    write(
      answer, mode, includesBody: includesBody, origin: listedOrigin(head), seconds: seconds, to: output)
    return keepsAlive
  }

  /// Appends a problem that ends the connection.
  package func refuse(_ problem: Problem, includesBody: Bool, seconds: Int64, to output: OutputBuffer) {
    accessLog?.note(method: nil, route: .none, status: problem.status, decision: nil)
    write(.problem(problem), .close, includesBody: includesBody, origin: nil, seconds: seconds, to: output)
  }

  @inline(__always)
  private static func isRead(_ method: RequestMethod) -> Bool {
    switch method {
    case .get, .head: true
    case .post, .put, .delete, .patch, .options, .connect, .trace, .other: false
    }
  }

  private func writeMetrics(
    _ method: RequestMethod, _ mode: ConnectionMode, includesBody: Bool, seconds: Int64,
    to output: OutputBuffer
  ) {
    guard let page = metrics?.page(snapshot, unixSeconds: seconds) else {
      write(
        .problem(.notFound), mode, includesBody: includesBody, origin: nil, seconds: seconds, to: output)
      return
    }
    accessLog?.note(method: method, route: .metrics, status: 200, decision: nil)
    MetricsPage.write(page, mode, includesBody: includesBody, seconds: seconds, to: output)
  }

  /// Notes how long answers took.
  package func recordLatency(nanoseconds: Int64, answers: Int, unixSeconds: Int64) {
    accessLog?.finish(nanoseconds: nanoseconds, unixSeconds: unixSeconds)
    var bound = 0
    while bound < latencyBoundsNanoseconds.count, nanoseconds > latencyBoundsNanoseconds[bound] { bound += 1 }
    counters.add(.latency(bound), UInt64(answers))
    counters.add(.latencyNanoseconds, UInt64(clamping: nanoseconds) * UInt64(answers))
  }

  @inline(__always)
  private func write(
    _ answer: Answer, _ mode: ConnectionMode, includesBody: Bool, origin: Int?, seconds: Int64,
    to output: OutputBuffer
  ) {
    writer.write(answer, mode, includesBody: includesBody, origin: origin, seconds: seconds, to: output)
    counters.add(.answer(answer))
  }

  @inline(__always)
  private func answer(
    _ head: RequestHead, _ method: RequestMethod, _ peer: PeerVerdict, _ route: Route, isAdmin: Bool,
    isDraining: Bool, _ decision: inout Decision?
  ) -> Answer {
    if head.hasUnknownExpectation { return .problem(.expectationFailed) }
    switch method {
    case .other, .connect: return .problem(.methodNotImplemented)
    case .get, .head, .post, .put, .delete, .patch, .options, .trace: break
    }
    switch route {
    case .none: return .problem(.notFound)
    case .server: return method == .options ? .serverOptions : .methodNotAllowed(route)
    case .health, .readiness, .metrics:
      guard Self.isRead(method) else { return .methodNotAllowed(route) }
      if route == .health { return .healthy }
      guard let reason = isDraining ? .draining : snapshot.unreadiness else { return .ready }
      return isAdmin ? .notReadyBecause(reason) : .notReady
    case .region: return region(head, method, peer, &decision)
    }
  }

  @inline(__always)
  private func region(
    _ head: RequestHead, _ method: RequestMethod, _ peer: PeerVerdict, _ decision: inout Decision?
  ) -> Answer {
    switch method {
    case .options:
      return .regionOptions(isPreflight: head.has(origin) && head.has(requestMethod))
    case .get, .head: break
    case .post, .put, .delete, .patch, .connect, .trace, .other: return .methodNotAllowed(.region)
    }
    let trace = decider.decide(head, from: peer, cache: cache)
    if case .refused = trace.trust { return .problem(.forbidden) }
    count(trace)
    countShadow(head, peer, live: trace.decision)
    decision = trace.decision
    let bucket = trace.decision.bucket
    // Not whenever the edge decided: an invalid field of its decides too, and a cache may not key by that one.
    let sharing: Sharing =
      snapshot.grantsSharing && trace.edge == .bucket(bucket) ? .shareable : .withheld
    counters.add(.sharing(sharing))
    switch entityTagList.evaluate(head, UnsafeRawBufferPointer(entityTags[bucket.index])) {
    case .met: return .region(bucket, sharing)
    case .failed: return .problem(.preconditionFailed)
    case .notModified: return .notModified(bucket, sharing)
    }
  }

  @inline(__always)
  private func count(_ trace: DecisionTrace) {
    counters.add(.decision(trace.decision.bucket, trace.decision.source))
    if let reason = trace.decision.reason { counters.add(.unknown(reason)) }
    if case .stale = trace.edge { counters.add(.staleEdge) }
    switch trace.secret {
    case .none: break
    case .first, .other: counters.add(.originSecret(isFirst: trace.secret == .first))
    }
  }

  /// What the edge computed says nothing of another policy.
  @inline(__always)
  private func countShadow(_ head: RequestHead, _ peer: PeerVerdict, live: Decision) {
    guard let shadow = snapshot.shadow, live.source != .edge else { return }
    let other = shadow.decide(head, from: peer.shadow, cache: shadowCache).decision
    counters.add(.shadow(live.bucket, other.bucket))
  }

  /// The place of the request's origin in the list; nil when there is no list, no origin or no such entry.
  @inline(__always)
  private func listedOrigin(_ head: RequestHead) -> Int? {
    guard !snapshot.listedOrigins.isEmpty, case .value(let value) = head.single(origin) else {
      return nil
    }
    return snapshot.listedOrigins.firstIndex { $0.elementsEqual(value) }
  }

}
