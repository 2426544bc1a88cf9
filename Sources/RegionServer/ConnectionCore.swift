import CLinux
import ClientSignal
import Glibc
import HTTPWire
import RegionService

/// Where a connection is between its bytes. Its owner frees it.
struct ConnectionState {
  enum Phase: UInt8 {
    /// In front of everything, where a balancer speaks first.
    case preface
    /// Between requests.
    case idle
    /// A part of a head has come.
    case head
    /// The head is whole and kept; its body is being dropped.
    case body
  }

  var phase = Phase.idle
  /// Of a request that has come in parts only; so an idle connection does without.
  fileprivate var progress: UnsafeMutablePointer<RequestProgress>?

  /// Whether an answer to the request that it is at may have content (RFC 9110 §9.3.2).
  var mayHaveContent: Bool {
    guard let progress else { return true }
    switch phase {
    case .preface, .idle: return true
    case .head: return progress.pointee.parser.method != .head
    case .body: return !progress.pointee.isHead
    }
  }

  /// Forgets the request that it was at.
  mutating func free() {
    Glibc.free(progress)
    self = ConnectionState()
  }
}

/// How far a request has been read. Plain memory, without references.
private struct RequestProgress {
  var parser = RequestParser()
  var dropper = BodyDropper(.none, limits: WireLimits())
  /// In `.body`: how many bytes at the start of the kept input are the head.
  var headCount = 0
  /// In `.body`: whether the request is HEAD, whose answers have no content. The loop's one head has been another's.
  var isHead = false
}

/// What to do when the given input has been used up as far as it goes.
struct InputResult {
  enum Next {
    /// Read more and give it together with what is kept.
    case read
    /// The output is full: send it, then give again what is kept.
    case flush
    /// Close at once: whoever is there has not kept to the protocol.
    case abort
    /// Send, then close. `lingers`: input may be unread, and closing at once could take the answer back.
    case close(lingers: Bool)
  }

  /// The part of the input that must be given again, from its start.
  var kept: Range<Int>
  var next: Next
}

private let continueBytes: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

/// Bytes in, answers out: the whole of a connection but its socket and its clock.
///
/// Owned by one loop, which feeds all its connections through it one after the other.
final class ConnectionCore {
  /// The pipeline in force; replaced as a whole.
  var pipeline: Pipeline { means.pipeline }
  /// Its generation, to be asked for each input without a count of references.
  var generation: UInt32 { uncountedMeans._withUnsafeGuaranteedRef { $0.generation } }
  /// Set while draining: answers then say `Connection: close`.
  var isDraining = false
  /// The current time in seconds since 1970, for `Date`.
  var unixSeconds: Int64 = 0
  /// The monotonic clock when the loop woke up, or was done with a connection since.
  var clockNanoseconds: Int64 = 0

  /// How many answers there have been.
  private(set) var answerCount = 0

  private var mayKeepAlive = true
  private let output: OutputBuffer
  private var means: Means
  /// The same, to be used without a count of references; `means` keeps it.
  private var uncountedMeans: Unmanaged<Means>
  /// For requests that come whole.
  private let spare = UnsafeMutablePointer<RequestProgress>.allocate(capacity: 1)
  /// Of the request that is being read: the connection's own, or the spare.
  private var progress: UnsafeMutablePointer<RequestProgress>

  init(pipeline: Pipeline, output: OutputBuffer) {
    self.output = output
    means = Means(pipeline: pipeline, head: RequestHead(fieldCountMax: pipeline.limits.fieldCountMax))
    uncountedMeans = .passUnretained(means)
    spare.initialize(to: RequestProgress())
    progress = spare
  }

  deinit { spare.deallocate() }

  /// Replaces the pipeline; connections in the middle of a request go on under the new one.
  func adopt(_ pipeline: Pipeline) {
    let fieldCountMax = pipeline.limits.fieldCountMax
    let isRoomRight = fieldCountMax == means.limits.fieldCountMax
    means = Means(
      pipeline: pipeline, head: isRoomRight ? means.head : RequestHead(fieldCountMax: fieldCountMax))
    uncountedMeans = .passUnretained(means)
  }

  /// Uses up as many whole requests as there are and as the output has room for.
  func consume(
    _ input: UnsafeRawBufferPointer, _ state: inout ConnectionState, peer: inout PeerVerdict,
    role: ListenerRole, mayKeepAlive: Bool = true
  ) -> InputResult {
    progress = state.progress ?? spare
    let result = uncountedMeans._withUnsafeGuaranteedRef {
      advance(input, &state, $0, peer: &peer, role: role, mayKeepAlive: mayKeepAlive)
    }
    let isInParts =
      switch result.next {
      case .read: state.phase == .head || state.phase == .body
      case .flush: state.phase == .body
      case .abort, .close: false
      }
    guard keepProgress(isInParts, &state) else {
      refuse(.overloaded, in: state)
      return close(hasMore: true, &state)
    }
    return result
  }

  /// False when there is no memory for it.
  @inline(__always)
  private func keepProgress(_ isInParts: Bool, _ state: inout ConnectionState) -> Bool {
    if !isInParts {
      if let own = state.progress {
        free(own)
        state.progress = nil
      }
      spare.pointee.parser.reset()
    } else if state.progress == nil {
      guard let memory = malloc(MemoryLayout<RequestProgress>.size) else { return false }
      let own = memory.bindMemory(to: RequestProgress.self, capacity: 1)
      own.initialize(to: spare.pointee)
      state.progress = own
      spare.pointee.parser.reset()
    }
    return true
  }

  /// What may be replaced between two calls, and only then: each look at a property that may change costs a count of
  /// references.
  private final class Means {
    let pipeline: Pipeline
    let head: RequestHead
    // The pipeline's own, at hand.
    let generation: UInt32
    let limits: WireLimits
    private let answerBytesMax: (public: Int, admin: Int)

    init(pipeline: Pipeline, head: RequestHead) {
      self.pipeline = pipeline
      self.head = head
      generation = pipeline.generation
      limits = pipeline.limits
      answerBytesMax = (pipeline.answerBytesMax(isAdmin: false), pipeline.answerBytesMax(isAdmin: true))
    }

    /// How much room an output buffer needs before it can take one more answer.
    func outputBytesMin(_ role: ListenerRole) -> Int {
      (role == .admin ? answerBytesMax.admin : answerBytesMax.public) + continueBytes.utf8CodeUnitCount
    }
  }

  private func advance(
    _ input: UnsafeRawBufferPointer, _ state: inout ConnectionState, _ means: Means, peer: inout PeerVerdict,
    role: ListenerRole, mayKeepAlive: Bool
  ) -> InputResult {
    var start = 0
    if state.phase == .preface {
      switch ProxyPreface.parse(input) {
      case .needMore: return InputResult(kept: 0..<input.count, next: .read)
      case .malformed: return InputResult(kept: 0..<0, next: .abort)
      case .complete(let consumed, let named):
        peer = means.pipeline.judge(named)
        state.phase = .idle
        start = consumed
      }
    }
    self.mayKeepAlive = mayKeepAlive && !isDraining
    while true {
      if start == input.count, state.phase != .body {
        state.phase = .idle
        return InputResult(kept: 0..<0, next: .read)
      }
      guard output.room >= means.outputBytesMin(role) else {
        return InputResult(kept: start..<input.count, next: .flush)
      }
      let rest = UnsafeRawBufferPointer(rebasing: input[start...])
      if state.phase != .body {
        switch progress.pointee.parser.parse(rest, limits: means.limits, into: means.head) {
        case .needMore:
          // An old client's extra CRLF is no request yet.
          state.phase = progress.pointee.parser.hasBegun ? .head : .idle
          return InputResult(kept: start..<input.count, next: .read)
        case .rejected(let rejection): return reject(rejection, means, isHead: means.head.method == .head)
        case .complete(let consumed):
          if case .none = means.head.framing {
            start += consumed
            if !respond(means, peer, role) { return close(hasMore: start < input.count, &state) }
            continue
          }
          beginBody(&state, means, headCount: consumed, hasBody: consumed < rest.count)
        }
      }
      switch dropBody(rest, &state, means, peer, role) {
      case .used(let count): start += count
      case .ended(var result):
        result.kept = (start + result.kept.lowerBound)..<(start + result.kept.upperBound)
        return result
      }
    }
  }

  /// Counts the time that the answers since took, each by itself as long as all of them together. It begins when the
  /// loop woke up, or was done with the connection before.
  @inline(__always)
  func recordLatency(answersBefore: Int) {
    let answers = answerCount - answersBefore
    let endedAt = clinux_monotonic_ns()
    defer { clockNanoseconds = endedAt }
    guard answers > 0 else { return }
    uncountedMeans._withUnsafeGuaranteedRef {
      $0.pipeline.recordLatency(
        nanoseconds: endedAt - clockNanoseconds, answers: answers, unixSeconds: unixSeconds)
    }
  }

  /// A problem that no input caused: a time-out, the connection limit.
  func refuse(_ problem: Problem, in state: ConnectionState) {
    answerCount += 1
    pipeline.refuse(problem, includesBody: state.mayHaveContent, seconds: unixSeconds, to: output)
  }

  private enum BodyStep {
    /// The request is answered: so many bytes are used up.
    case used(Int)
    /// Nothing more can be done with this input.
    case ended(InputResult)
  }

  private func beginBody(_ state: inout ConnectionState, _ means: Means, headCount: Int, hasBody: Bool) {
    state.phase = .body
    progress.pointee.headCount = headCount
    progress.pointee.isHead = means.head.method == .head
    progress.pointee.dropper = BodyDropper(means.head.framing, limits: means.limits)
    if means.head.expectsContinue, !hasBody {
      continueBytes.withUTF8Buffer { output.append(UnsafeRawBufferPointer($0)) }
    }
  }

  private func dropBody(
    _ rest: UnsafeRawBufferPointer, _ state: inout ConnectionState, _ means: Means, _ peer: PeerVerdict,
    _ role: ListenerRole
  ) -> BodyStep {
    let headCount = progress.pointee.headCount
    switch progress.pointee.dropper.drop(UnsafeRawBufferPointer(rebasing: rest[headCount...])) {
    case .needMore: return .ended(InputResult(kept: 0..<headCount, next: .read))
    case .rejected(let rejection): return .ended(reject(rejection, means, isHead: progress.pointee.isHead))
    case .complete(let consumed):
      // Other requests may have passed through the one head since this one's was read.
      progress.pointee.parser.reset()
      switch progress.pointee.parser.parse(rest, limits: means.limits, into: means.head) {
      case .complete: break
      // Limits were tightened by a reload in between.
      case .rejected(let rejection):
        return .ended(reject(rejection, means, isHead: progress.pointee.isHead))
      case .needMore: return .ended(reject(.headerSectionTooLarge, means, isHead: progress.pointee.isHead))
      }
      progress.pointee.parser.reset()
      state.phase = .idle
      let used = headCount + consumed
      if respond(means, peer, role) { return .used(used) }
      // Old clients send a CRLF behind a body (RFC 9112 §2.2), which may be on its way.
      return .ended(close(hasMore: true, &state))
    }
  }

  @inline(__always)
  private func respond(_ means: Means, _ peer: PeerVerdict, _ role: ListenerRole) -> Bool {
    answerCount += 1
    return means.pipeline.respond(
      to: means.head, from: peer, isAdmin: role == .admin, mayKeepAlive: mayKeepAlive, isDraining: isDraining,
      seconds: unixSeconds,
      into: output)
  }

  private func close(hasMore: Bool, _ state: inout ConnectionState) -> InputResult {
    state.phase = .idle
    // A client that has not asked for the end may have more on its way: another request, or the first bytes of a
    // tunnel that it took for granted.
    let mayHaveMore = hasMore || means.head.keepsAlive || means.head.method == .connect
    return InputResult(kept: 0..<0, next: .close(lingers: mayHaveMore))
  }

  private func reject(_ rejection: Rejection, _ means: Means, isHead: Bool) -> InputResult {
    answerCount += 1
    means.pipeline.refuse(
      Problem(status: rejection.status) ?? .badRequest, includesBody: !isHead,
      seconds: unixSeconds, to: output)
    return InputResult(kept: 0..<0, next: .close(lingers: true))
  }
}
