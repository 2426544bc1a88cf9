import CLinux
import ClientSignal
import Glibc
import HTTPWire
import RegionService

extension EventLoop {
  /// Does what an event makes possible.
  func serve(_ index: Int, _ kinds: UInt32) {
    switch table[index].pointee.stage {
    case .open:
      // A short read would leave the end of the input unseen: its event came together with the data's.
      let isEnding = kinds & (CLINUX_EPOLLRDHUP | CLINUX_EPOLLHUP | CLINUX_EPOLLERR) != 0
      read(index, untilEnd: isEnding)
    case .writing: resumeWriting(index)
    case .lingering: dropLingeringInput(index)
    case .free: break
    }
  }

  /// Reads and answers until nothing more has come, or the connection's turn is over.
  func read(_ index: Int, untilEnd: Bool = false) {
    let slot = table[index]
    for _ in 0..<Self.readsPerTurnMax {
      guard let room = roomForInput(index) else { return refuse(index, .bufferLimit) }
      let count = clinux_receive(slot.pointee.descriptor, room.baseAddress, room.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { closeConnection(index) }
        return
      }
      // The end of the input: whatever is incomplete stays without an answer, as its sender has gone.
      if count == 0 { return closeConnection(index) }
      slot.pointee.mayHaveMore = untilEnd || count == room.count
      if slot.pointee.input.capacity == 0 {
        process(index, UnsafeRawBufferPointer(rebasing: readBuffer[..<count]))
        clinux_wipe(readBuffer.baseAddress, count)
      } else {
        slot.pointee.input.grew(by: count)
        process(index, slot.pointee.input.bytes)
      }
      guard slot.pointee.stage == .open, slot.pointee.mayHaveMore else { return }
    }
    unfinished.append(index, generation: slot.pointee.generation)
  }

  /// The loop's buffer, or what is left of the connection's own; nil when it may not grow.
  private func roomForInput(_ index: Int) -> UnsafeMutableRawBufferPointer? {
    let slot = table[index]
    let input = slot.pointee.input
    if input.capacity == 0 { return readBuffer }
    if input.count == input.capacity {
      let wanted = min(input.capacity * 2, readBuffer.count)
      guard wanted > input.capacity, slot.pointee.input.reserve(wanted, budget) else { return nil }
    }
    return slot.pointee.input.room
  }

  /// Answers what is whole in the input, keeps the rest, sends.
  func process(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
    let slot = table[index]
    let isStale = slot.pointee.peer.generation != core.generation
    if isStale, !slot.pointee.isPrefaced {
      slot.pointee.peer = core.pipeline.judge(Peer.of(slot.pointee.descriptor))
    }
    // Who was named by a preface cannot be asked for again: a request that was on its way when configuration or
    // database changed is answered as if it had come before, and is the connection's last.
    let mayKeepAlive = !(isStale && slot.pointee.isPrefaced && slot.pointee.state.phase != .preface)
    let answersBefore = core.answerCount
    let phaseBefore = slot.pointee.state.phase
    var input = bytes
    var start = 0
    while true {
      let result = core.consume(
        input, &slot.pointee.state, peer: &slot.pointee.peer, role: slot.pointee.role,
        mayKeepAlive: mayKeepAlive)
      let kept = (start + result.kept.lowerBound)..<(start + result.kept.upperBound)
      switch result.next {
      case .read:
        guard keep(index, bytes, kept) else { return refuse(index, .bufferLimit) }
        setDeadline(
          index, before: phaseBefore, isFresh: kept.lowerBound > 0 || core.answerCount != answersBefore)
        if send(index, isLast: false) == .blocked { beginWriting(index) }
      case .flush:
        switch send(index, isLast: false) {
        case .sent:
          start = kept.lowerBound
          input = UnsafeRawBufferPointer(rebasing: bytes[kept])
          continue
        case .blocked:
          guard keep(index, bytes, kept) else { return refuse(index, .bufferLimit) }
          beginWriting(index)
        case .failed: break
        }
      case .abort: abort(index)
      case .close(let lingers):
        _ = keep(index, bytes, 0..<0)
        finish(index, lingers: lingers)
      }
      core.recordLatency(answersBefore: answersBefore)
      return
    }
  }

  /// Makes a part of the given input the connection's own; false when there is no memory for it.
  @inline(__always)
  private func keep(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ kept: Range<Int>) -> Bool {
    let slot = table[index]
    if slot.pointee.input.capacity > 0 {
      if kept.isEmpty { slot.pointee.input.free(budget) } else { slot.pointee.input.keep(kept) }
      return true
    }
    if kept.isEmpty { return true }
    // Half as much again: the rest of a head is often small.
    let wanted = min(max(kept.count + kept.count / 2, 1024), readBuffer.count)
    guard slot.pointee.input.reserve(wanted, budget) else { return false }
    slot.pointee.input.append(UnsafeRawBufferPointer(rebasing: bytes[kept]))
    return true
  }

  /// A request that goes on keeps the deadline that it began with.
  @inline(__always)
  private func setDeadline(_ index: Int, before: ConnectionState.Phase, isFresh: Bool) {
    let slot = table[index]
    let phase = slot.pointee.state.phase
    if phase == before, phase != .idle, !isFresh { return }
    slot.pointee.deadline = now + waitMilliseconds(phase)
  }

  /// How long a connection may wait for more input.
  func waitMilliseconds(_ phase: ConnectionState.Phase) -> Int64 {
    switch phase {
    case .idle: idleMilliseconds
    case .preface, .head: options.headMillisecondsMax
    case .body: options.bodyMillisecondsMax
    }
  }

  /// Tells the client why not, and closes.
  func refuse(_ index: Int, _ reason: Counter.Refusal) {
    counters.add(.refused(reason))
    core.refuse(.overloaded, in: table[index].pointee.state)
    table[index].pointee.input.free(budget)
    finish(index, lingers: true)
  }
}
