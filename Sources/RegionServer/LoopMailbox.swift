import CLinux
import Glibc
import RegionService
import Synchronization

/// What a loop is told from outside.
enum LoopCommand: Sendable {
  /// From the next request on, answer by this.
  case adopt(ServiceSnapshot)
  /// Finish what is open, accept what already waits, end.
  case drain
}

/// Commands for one loop, from any thread; an eventfd(2) wakes it.
final class LoopMailbox: Sendable {
  let wakeDescriptor: Int32
  private let commands = Mutex<[LoopCommand]>([])

  init() throws(SystemError) {
    wakeDescriptor = clinux_eventfd()
    guard wakeDescriptor >= 0 else { throw SystemError("eventfd") }
  }

  deinit { close(wakeDescriptor) }

  /// Leaves a command and wakes the loop.
  func post(_ command: LoopCommand) {
    commands.withLock { $0.append(command) }
    clinux_eventfd_signal(wakeDescriptor)
  }

  /// Takes all commands, in their order.
  func takeAll() -> [LoopCommand] {
    clinux_eventfd_clear(wakeDescriptor)
    return commands.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// How many connections all loops together have, against the limit.
final class Admission: Sendable {
  private let openCount = Atomic<Int>(0)
  private let openCountMax: Int

  init(openCountMax: Int) { self.openCountMax = openCountMax }

  /// Counts one more in; false, and not counted, when the limit is reached.
  func enter() -> Bool {
    if openCount.add(1, ordering: .relaxed).newValue <= openCountMax { return true }
    openCount.subtract(1, ordering: .relaxed)
    return false
  }

  func leave() { openCount.subtract(1, ordering: .relaxed) }
}
