import CLinux
import Glibc
import RegionService

extension EventLoop {
  enum SendResult {
    case sent
    /// The socket took a part; the rest is the connection's own now.
    case blocked
    /// The connection is gone.
    case failed
  }

  /// Sends what the output holds and empties it.
  ///
  /// - Parameter isLast: the socket is closed right after. MSG_MORE then holds the segment back until close(2)
  ///   adds the FIN to it.
  func send(_ index: Int, isLast: Bool) -> SendResult {
    let bytes = output.bytes
    defer { output.removeAll() }
    let sent = send(index, bytes, isLast: isLast)
    if sent < 0 { return .failed }
    if sent == bytes.count { return .sent }
    let slot = table[index]
    let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
    guard slot.pointee.pending.reserve(rest.count, budget) else {
      closeConnection(index)
      return .failed
    }
    slot.pointee.pending.append(rest)
    slot.pointee.pendingSent = 0
    return .blocked
  }

  /// How many bytes the socket took; -1 when the connection had to be closed.
  @inline(__always)
  private func send(_ index: Int, _ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
    var done = 0
    while done < bytes.count {
      let count = clinux_send(
        table[index].pointee.descriptor, bytes.baseAddress! + done, bytes.count - done, isLast ? 1 : 0)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        return done
      } else if errno != EINTR {
        closeConnection(index)
        return -1
      }
    }
    return done
  }

  /// Waits for the socket to take the rest.
  func beginWriting(_ index: Int) {
    let slot = table[index]
    slot.pointee.stage = .writing
    slot.pointee.deadline = now + options.writeStallMillisecondsMax
    // A connection that was just accepted is registered by who accepted it.
    if slot.pointee.isRegistered { register(index, wantsOutput: true) }
  }

  /// Goes on sending; then goes on with what was read before.
  func resumeWriting(_ index: Int) {
    let slot = table[index]
    let pending = slot.pointee.pending.bytes
    let rest = UnsafeRawBufferPointer(rebasing: pending[slot.pointee.pendingSent...])
    let sent = send(index, rest, isLast: false)
    if sent < 0 { return }
    slot.pointee.pendingSent += sent
    if sent > 0 { slot.pointee.deadline = now + options.writeStallMillisecondsMax }
    guard slot.pointee.pendingSent == pending.count else { return }
    slot.pointee.pending.free(budget)
    slot.pointee.stage = .open
    if slot.pointee.closesAfterWriting { return endSending(index, lingers: slot.pointee.lingersAfterWriting) }
    // Nothing was read while the answer waited: whatever is to come has its time from now on.
    slot.pointee.deadline = now + waitMilliseconds(slot.pointee.state.phase)
    if slot.pointee.input.count > 0 { process(index, slot.pointee.input.bytes) }
    // Input may have come while nobody read: its event is past.
    if slot.pointee.stage == .open { read(index, untilEnd: true) }
  }

  /// Sends a last answer and closes, as soon as the socket allows.
  func finish(_ index: Int, lingers: Bool) {
    let slot = table[index]
    switch send(index, isLast: !lingers) {
    case .sent: endSending(index, lingers: lingers)
    case .blocked:
      slot.pointee.closesAfterWriting = true
      slot.pointee.lingersAfterWriting = lingers
      beginWriting(index)
      if slot.pointee.stage == .writing, !slot.pointee.isRegistered { register(index, wantsOutput: true) }
    case .failed: break
    }
  }

  /// The answer is with the kernel: closes at once, or reads on for a while, since closing with unread input would
  /// reset the connection and could take the answer from the client (RFC 9112 §9.6).
  private func endSending(_ index: Int, lingers: Bool) {
    guard lingers else { return closeConnection(index) }
    let slot = table[index]
    guard shutdown(slot.pointee.descriptor, Int32(SHUT_WR)) == 0 else { return closeConnection(index) }
    slot.pointee.stage = .lingering
    slot.pointee.deadline = now + options.lingerMillisecondsMax
    if !slot.pointee.isRegistered {
      register(index, wantsOutput: false)
      guard slot.pointee.stage == .lingering else { return }
    }
    dropLingeringInput(index)
  }

  /// Reads to nowhere until the client closes or has had its share.
  func dropLingeringInput(_ index: Int) {
    let slot = table[index]
    while slot.pointee.lingerBytes < Self.lingerBytesMax {
      let count = clinux_receive(slot.pointee.descriptor, readBuffer.baseAddress, readBuffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { break }
      clinux_wipe(readBuffer.baseAddress, count)
      slot.pointee.lingerBytes += Int32(count)
    }
    closeConnection(index)
  }
}
