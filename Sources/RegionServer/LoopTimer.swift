import CLinux
import Glibc

/// Wakes a loop at a time: a timerfd(2) among the things that it waits for. Belongs to one loop.
///
/// epoll_pwait(2) could be given a time-out instead, but the kernel works one out anew for each call, and sets a timer
/// for each that has to wait: a fifteenth of what a request costs where the loop is not always busy.
final class LoopTimer {
  /// To be watched by edges: nothing has to be read from it.
  let descriptor: Int32
  /// What it is set to, in monotonic milliseconds.
  private var dueAt = Int64.max

  /// - Throws: `SystemError` of timerfd_create(2).
  init() throws(SystemError) {
    descriptor = clinux_timer_create()
    guard descriptor >= 0 else { throw SystemError("timerfd_create") }
  }

  deinit { close(descriptor) }

  /// Lets the loop wake at that time, or before; never, if that is what it says.
  func wake(at time: Int64) {
    guard time < dueAt else { return }
    dueAt = time
    clinux_timer_set(descriptor, time)
  }

  /// Notes that it woke the loop.
  func hasRung() { dueAt = .max }
}
