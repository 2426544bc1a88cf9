import CLinux
import ClientSignal
import Glibc
import RegionService

extension EventLoop {
  /// Takes waiting connections and reads from each at once: most have already sent their request.
  ///
  /// Where nothing else has happened, only one: accept(2) makes a socket before it looks whether somebody waits, so
  /// to be told that nobody does costs more than to wait for the next event.
  func accept(from listener: Listener, isAlone: Bool) {
    for _ in 0..<(isAlone ? 1 : Self.acceptsPerTurnMax) {
      guard acceptOne(from: listener) else { return }
    }
  }

  /// False when none waits, or accepting has to pause.
  func acceptOne(from listener: Listener) -> Bool {
    guard !table.isFull else {
      // Even the places for those who get a `503` are taken: the next has to wait for one.
      pauseAccepting()
      return false
    }
    var storage = sockaddr_storage()
    defer { clinux_wipe(&storage, MemoryLayout<sockaddr_storage>.size) }
    var length = socklen_t(0)
    let descriptor = clinux_accept(listener.descriptor, &storage, &length)
    guard descriptor >= 0 else { return goesOn(afterAcceptError: errno) }
    core.clockNanoseconds = clinux_monotonic_ns()
    counters.add(.accepted)
    let index = table.take()
    let slot = table[index]
    slot.pointee.descriptor = descriptor
    slot.pointee.role = listener.role
    slot.pointee.stage = .open
    slot.pointee.deadline = now + idleMilliseconds
    // The operator's own requests are for when there are too many others.
    if listener.role == .service {
      guard admission.enter() else {
        refuse(index, .connectionLimit)
        return true
      }
      slot.pointee.isAdmitted = true
    }
    if listener.hasProxyProtocol {
      guard core.pipeline.maySendPreface(Peer(storage)) else {
        abort(index)
        return true
      }
      slot.pointee.isPrefaced = true
      slot.pointee.state.phase = .preface
      slot.pointee.deadline = now + options.headMillisecondsMax
    } else {
      slot.pointee.peer = core.pipeline.judge(Peer(storage))
    }
    read(index)
    if isOpenAndUnregistered(index) { register(index, wantsOutput: slot.pointee.stage == .writing) }
    return true
  }

  /// Closes a connection whose preface is missing, broken, or from whom it may not come.
  func abort(_ index: Int) {
    counters.add(.refused(.badPreface))
    closeConnection(index)
  }

  private func isOpenAndUnregistered(_ index: Int) -> Bool {
    table[index].pointee.stage != .free && !table[index].pointee.isRegistered
  }

  /// How long a connection may be without a request.
  var idleMilliseconds: Int64 {
    drainStartedAt == nil
      ? options.idleMillisecondsMax : min(options.idleMillisecondsMax, Self.drainIdleMilliseconds)
  }

  private func goesOn(afterAcceptError error: Int32) -> Bool {
    switch error {
    case EAGAIN: return false
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      counters.add(.refused(.descriptorLimit))
      pauseAccepting()
      return false
    default:
      // The connection that waited failed before it was accepted (accept(2), "Error handling"); the next may not.
      return true
    }
  }

  /// Stops watching the listeners for a moment: waiting connections would wake the loop again and again.
  private func pauseAccepting() {
    guard acceptResumesAt == nil else { return }
    acceptResumesAt = now + Self.acceptPauseMilliseconds
    for listener in listeners { _ = clinux_epoll_delete(epoll, listener.descriptor) }
  }

  /// Watches the listeners again when the pause is over.
  func resumeAcceptingIfDue() {
    guard let resumesAt = acceptResumesAt, now >= resumesAt else { return }
    acceptResumesAt = nil
    do throws(SystemError) { try watchListeners() } catch {
      // No memory for a watch: try again later rather than never.
      for listener in listeners { _ = clinux_epoll_delete(epoll, listener.descriptor) }
      acceptResumesAt = now + Self.acceptPauseMilliseconds
    }
  }
}
