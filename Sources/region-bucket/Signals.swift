import Dispatch
import Glibc

/// SIGHUP reads configuration and database again; SIGTERM and SIGINT stop.
final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  /// Both are called on a queue of their own, never inside a signal handler.
  init(reload: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "signals")
    for (number, action) in [(SIGHUP, reload), (SIGTERM, stop), (SIGINT, stop)] {
      // Dispatch sees the signal all the same; the default action would end the process.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: action)
      source.activate()
      sources.append(source)
    }
  }

  func cancel() {
    for source in sources { source.cancel() }
  }
}
