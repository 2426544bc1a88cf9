import CLinux
import Glibc
import HTTPWire
import RegionService

/// One thread's connections: an epoll instance, its listeners, one read buffer and one output buffer for all.
///
/// Made, run and freed inside the block that runs it; only the mailbox and the counters are touched from outside.
final class EventLoop {
  /// What an event is for, in the high byte of its data.
  private enum Source: UInt64 {
    case mailbox
    case timer
    case listener
    case connection
  }

  /// Input that is dropped after a last answer before the connection is closed all the same.
  static let lingerBytesMax: Int32 = 1 << 20
  /// Connections beyond the limit that may wait for the end of their `503`.
  static let refusedCountMax = 256
  /// Memory for requests in parts and answers that wait, of all connections of the loop.
  static let bufferedBytesMax = 64 << 20
  /// Requests that are read from one connection before others have their turn.
  static let readsPerTurnMax = 16
  /// Connections that are accepted before others have their turn.
  static let acceptsPerTurnMax = 64
  /// How long accepting pauses when descriptors have run out.
  static let acceptPauseMilliseconds: Int64 = 100
  /// While draining, how long a connection without a request stays: one may be on its way.
  static let drainIdleMilliseconds: Int64 = 1000

  /// How long anything may lie on the stack after the functions that left it there.
  static let stackWipeMilliseconds: Int64 = 50

  let options: ServerOptions
  let mailbox: LoopMailbox
  let admission: Admission
  let counters: LoopCounters
  let accessLog: AccessLog
  let metrics: Metrics
  let epoll: Int32
  let core: ConnectionCore
  let output: OutputBuffer
  let budget = BufferBudget(usedBytesMax: EventLoop.bufferedBytesMax)
  var listeners: [Listener]
  let table: ConnectionTable
  var readBuffer: UnsafeMutableRawBufferPointer
  /// Monotonic milliseconds, as of the last wake-up.
  var now: Int64 = 0
  let unfinished = TurnQueue()
  var acceptResumesAt: Int64?
  var drainStartedAt: Int64?

  private let timer: LoopTimer
  private var nextSweepAt: Int64 = 0
  /// When the stack is to be wiped; never, while it is as the last wipe left it.
  private var stackWipeDueAt = Int64.max
  private let events: UnsafeMutablePointer<clinux_event>
  private static let eventsPerWaitMax = 256

  /// - Throws: `SystemError` of epoll_create1(2) or epoll_ctl(2).
  init(
    listeners: [Listener], options: ServerOptions, snapshot: ServiceSnapshot, mailbox: LoopMailbox,
    admission: Admission, counters: LoopCounters, log: Log, metrics: Metrics
  ) throws(SystemError) {
    self.options = options
    self.listeners = listeners
    self.mailbox = mailbox
    self.admission = admission
    self.counters = counters
    accessLog = AccessLog(log)
    self.metrics = metrics
    output = OutputBuffer(capacity: Self.outputBytes)
    core = ConnectionCore(
      pipeline: Pipeline(snapshot, counters: counters, accessLog: accessLog, metrics: metrics), output: output
    )
    table = ConnectionTable(capacity: options.connectionsMax + Self.refusedCountMax)
    readBuffer = .allocate(byteCount: Self.inputBytesMax(snapshot.limits), alignment: 64)
    events = .allocate(capacity: Self.eventsPerWaitMax)
    timer = try LoopTimer()
    epoll = clinux_epoll_create()
    guard epoll >= 0 else { throw SystemError("epoll_create1") }
    let timerKinds = CLINUX_EPOLLIN | CLINUX_EPOLLET
    guard clinux_epoll_add(epoll, mailbox.wakeDescriptor, CLINUX_EPOLLIN, Self.data(.mailbox, 0)) == 0,
      clinux_epoll_add(epoll, timer.descriptor, timerKinds, Self.data(.timer, 0)) == 0
    else { throw SystemError("epoll_ctl") }
    try watchListeners()
  }

  deinit {
    close(epoll)
    readBuffer.deallocate()
    events.deallocate()
  }

  private static let outputBytes = 1 << 16

  /// A whole head, and room behind it to drop a body through.
  static func inputBytesMax(_ limits: WireLimits) -> Int {
    limits.requestLineBytesMax + limits.headerSectionBytesMax + (1 << 14)
  }

  /// Runs until drained.
  func run() {
    while !isFinished {
      wakeOnce()
      wipeStackIfDue()
    }
    accessLog.handOverAll(unixSeconds: core.unixSeconds)
  }

  /// Waits for events and does what they make possible. Not inlined: all that it leaves lies below `run`'s frame.
  @inline(never)
  private func wakeOnce() {
    timer.wake(at: wakeDueAt)
    let count = clinux_epoll_wait(epoll, events, Int32(Self.eventsPerWaitMax), unfinished.isEmpty ? -1 : 0)
    readClocks()
    if count > 0 {
      for index in 0..<Int(count) { handle(events[index], isAlone: count == 1) }
    } else if count < 0, errno != EINTR {
      // Only a programmer's error can make epoll_pwait(2) fail otherwise.
      fatalError("epoll_pwait: errno \(errno)")
    }
    finishTurns()
    if now >= nextSweepAt {
      sweep()
      nextSweepAt = now + options.sweepMilliseconds
    }
    // Last: what was answered without input is not to take the time of the next wake-up's answers.
    if accessLog.isWaiting { accessLog.handOverIfDue(now: now, unixSeconds: core.unixSeconds) }
  }

  /// Copies of addresses and of parts of headers lie where functions that have returned had their frames. Wiping those
  /// once a while, rather than with each request, costs nothing; without new requests the loop wakes once more for it.
  private func wipeStackLater() { stackWipeDueAt = min(stackWipeDueAt, now + Self.stackWipeMilliseconds) }

  private func wipeStackIfDue() {
    guard now >= stackWipeDueAt else { return }
    stackWipeDueAt = .max
    clinux_wipe_stack()
  }

  private var isFinished: Bool { drainStartedAt != nil && listeners.isEmpty && table.openCount == 0 }

  /// When there will be something to do, whatever comes from outside; never, if that is how it looks.
  @inline(__always)
  private var wakeDueAt: Int64 {
    let isQuiet = table.openCount == 0 && acceptResumesAt == nil && drainStartedAt == nil
    return min(stackWipeDueAt, accessLog.handOverDueAt, isQuiet ? .max : nextSweepAt)
  }

  func readClocks() {
    core.clockNanoseconds = clinux_monotonic_ns()
    now = core.clockNanoseconds / 1_000_000
    core.unixSeconds = clinux_unix_seconds()
  }

  private static func data(_ source: Source, _ index: Int, generation: UInt32 = 0) -> UInt64 {
    source.rawValue << 56 | UInt64(index) << 32 | UInt64(generation)
  }

  @inline(__always)
  private func handle(_ event: clinux_event, isAlone: Bool) {
    let index = Int(event.data >> 32 & 0xFF_FFFF)
    let source = Source(rawValue: event.data >> 56)
    if source != .timer { wipeStackLater() }
    switch source {
    case .connection:
      let generation = UInt32(truncatingIfNeeded: event.data)
      if isCurrent(index, generation) { serve(index, event.events) }
    case .listener:
      if index < listeners.count { accept(from: listeners[index], isAlone: isAlone) }
    case .timer: timer.hasRung()
    case .mailbox:
      for command in mailbox.takeAll() { obey(command) }
    case nil: preconditionFailure("an event that nobody asked for")
    }
  }

  func isCurrent(_ index: Int, _ generation: UInt32) -> Bool {
    table[index].pointee.stage != .free && table[index].pointee.generation == generation
  }

  private func obey(_ command: LoopCommand) {
    switch command {
    case .adopt(let snapshot):
      letGoOfPrefaced()
      core.adopt(Pipeline(snapshot, counters: counters, accessLog: accessLog, metrics: metrics))
      let wanted = Self.inputBytesMax(snapshot.limits)
      if wanted != readBuffer.count {
        readBuffer.deallocate()
        readBuffer = .allocate(byteCount: wanted, alignment: 64)
      }
    case .drain: beginDraining()
    }
  }

  @inline(__always)
  private func finishTurns() {
    guard !unfinished.isEmpty else { return }
    wipeStackLater()
    // The event of the input's end may have come with the one that began the turn: only reading to the end tells.
    for (index, generation) in unfinished.takeAll() where isCurrent(index, generation) {
      serve(index, CLINUX_EPOLLIN | CLINUX_EPOLLRDHUP)
    }
  }

  /// Asks for events of a connection; edge-triggered, so that reading up to a short count is enough.
  func register(_ index: Int, wantsOutput: Bool) {
    let slot = table[index]
    let kinds =
      CLINUX_EPOLLIN | CLINUX_EPOLLRDHUP | CLINUX_EPOLLET | (wantsOutput ? CLINUX_EPOLLOUT : 0)
    let data = Self.data(.connection, index, generation: slot.pointee.generation)
    let status =
      slot.pointee.isRegistered
      ? clinux_epoll_modify(epoll, slot.pointee.descriptor, kinds, data)
      : clinux_epoll_add(epoll, slot.pointee.descriptor, kinds, data)
    slot.pointee.isRegistered = true
    // Out of memory or of watches: without events the connection would hang.
    if status != 0 { closeConnection(index) }
  }

  /// Watches all listeners; a shared one is watched by every loop, of which one wakes.
  func watchListeners() throws(SystemError) {
    for (index, listener) in listeners.enumerated() {
      let kinds = CLINUX_EPOLLIN | (listener.isShared ? CLINUX_EPOLLEXCLUSIVE : 0)
      guard clinux_epoll_add(epoll, listener.descriptor, kinds, Self.data(.listener, index)) == 0 else {
        throw SystemError("epoll_ctl")
      }
    }
  }

  /// Closes the socket and forgets the connection.
  func closeConnection(_ index: Int) {
    close(table[index].pointee.descriptor)
    if table[index].pointee.isAdmitted { admission.leave() }
    table.release(index, budget)
    counters.add(.closed)
  }
}
