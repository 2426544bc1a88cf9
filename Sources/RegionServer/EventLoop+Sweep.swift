import CLinux
import Glibc
import RegionService

extension EventLoop {
  /// Looks at every deadline. At thousands of connections this takes microseconds, a few times a second at most,
  /// and spares each request the upkeep of a timer.
  func sweep() {
    resumeAcceptingIfDue()
    for index in 0..<table.highWater where table[index].pointee.deadline <= now {
      if table[index].pointee.stage != .free { expire(index) }
    }
    advanceDraining()
  }

  private func expire(_ index: Int) {
    let slot = table[index]
    switch (slot.pointee.stage, slot.pointee.state.phase) {
    case (.free, _): break
    case (.writing, _): close(index, after: .write)
    case (.lingering, _): close(index, after: .linger)
    case (.open, .idle): close(index, after: .idle)
    case (.open, .preface): close(index, after: .head)
    case (.open, .head): answerTimeout(index, .head)
    case (.open, .body): answerTimeout(index, .body)
    }
  }

  private func close(_ index: Int, after kind: Counter.Timeout) {
    counters.add(.timedOut(kind))
    closeConnection(index)
  }

  private func answerTimeout(_ index: Int, _ kind: Counter.Timeout) {
    counters.add(.timedOut(kind))
    table[index].pointee.input.free(budget)
    core.refuse(.requestTimeout, in: table[index].pointee.state)
    finish(index, lingers: true)
  }

  /// Connections whose peer a preface named are let go when what it was judged by changes: idle ones soon, others
  /// with their next answer.
  func letGoOfPrefaced() {
    for index in 0..<table.highWater {
      let slot = table[index]
      guard slot.pointee.isPrefaced, slot.pointee.stage == .open, slot.pointee.state.phase == .idle else {
        continue
      }
      slot.pointee.deadline = min(slot.pointee.deadline, now + Self.drainIdleMilliseconds)
    }
  }

  /// From now on each answer is its connection's last, and connections without a request are let go.
  func beginDraining() {
    guard drainStartedAt == nil else { return }
    drainStartedAt = now
    core.isDraining = true
    for index in 0..<table.highWater {
      let slot = table[index]
      guard slot.pointee.stage == .open, isSilent(slot.pointee) else { continue }
      slot.pointee.deadline = min(slot.pointee.deadline, now + idleMilliseconds)
    }
    advanceDraining()
  }

  /// Without a request, or even the beginning of a preface.
  private func isSilent(_ slot: ConnectionSlot) -> Bool {
    slot.state.phase == .idle || slot.state.phase == .preface && slot.input.count == 0
  }

  private func advanceDraining() {
    guard let drainStartedAt else { return }
    if now - drainStartedAt >= options.drainDelayMilliseconds, !listeners.isEmpty { closeListeners() }
    if now - drainStartedAt >= options.drainMillisecondsMax {
      for index in 0..<table.highWater where table[index].pointee.stage != .free { closeConnection(index) }
    }
  }

  /// Accepts what already waits, so that nobody who was let in is turned away, then closes.
  private func closeListeners() {
    for listener in listeners {
      while acceptOne(from: listener) {}
      _ = clinux_epoll_delete(epoll, listener.descriptor)
      listener.shut()
    }
    listeners = []
    acceptResumesAt = nil
  }
}
