import CLinux
import Dispatch
import Glibc

/// SIGHUP reads configuration and database again; SIGTERM and SIGINT stop.
///
/// The signals are blocked and read from a signalfd(2): one that comes before anybody listens waits, and none is lost.
/// (A Dispatch signal source wants them ignored instead, and the kernel then drops those that meet a thread which does
/// not block them.)
final class Signals {
  private let descriptor: Int32
  private var source: (any DispatchSourceRead)?

  /// Blocks the signals; to be called before the process has a second thread, which inherits what is blocked.
  init() {
    let numbers = [SIGHUP, SIGTERM, SIGINT]
    descriptor = clinux_signal_descriptor(numbers, Int32(numbers.count))
    // Fails only without descriptors or memory, at the very start.
    precondition(descriptor >= 0, "signalfd: errno \(errno)")
  }

  /// Begins to act on signals, those included that already came. Both are called on a queue of their own.
  func handle(reload: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    let descriptor = descriptor
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "signals"))
    source.setEventHandler {
      while true {
        switch clinux_next_signal(descriptor) {
        case -1: return
        case SIGHUP: reload()
        default: stop()
        }
      }
    }
    source.activate()
    self.source = source
  }
}
