import CLinux
import Dispatch
import Glibc
import RegionService
import Synchronization

/// The sockets: one event loop per core, each a long-lived work item of its own Dispatch queue.
///
/// Any thread may tell it what to do; answers come from the loops alone.
package final class Server: Sendable {
  /// What has been counted so far.
  package let metrics: Metrics
  /// The TCP ports that are listened on, in the order of the listeners given; nil for Unix-domain ones.
  package let ports: [UInt16?]

  private let mailboxes: [LoopMailbox]
  private let group = DispatchGroup()

  /// Opens the listeners and starts the loops.
  ///
  /// - Throws: `SystemError`, with the number of the listener that could not be listened on, if it was that.
  package init(
    listeners requests: [ListenerRequest], options: ServerOptions,
    snapshot: ServiceSnapshot, status: ServiceStatus, log: Log
  ) throws(ServerStartError) {
    let loopCount = max(options.loopCount, 1)
    var byLoop = [[Listener]](repeating: [], count: loopCount)
    var ports: [UInt16?] = []
    do throws(ServerStartError) {
      for (number, request) in requests.enumerated() {
        // The admin listener is one loop's: its answers sum what all have counted.
        let count = request.role == .admin ? 1 : loopCount
        do throws(SystemError) {
          let listeners = try Self.open(request, count: count)
          for (loop, listener) in listeners.enumerated() { byLoop[loop].append(listener) }
          ports.append(listeners[0].port)
        } catch {
          throw ServerStartError(listenerNumber: number, error: error)
        }
      }
      self.ports = ports
      mailboxes = try Self.makeMailboxes(loopCount)
    } catch {
      for listener in byLoop.joined() { listener.shut() }
      throw error
    }
    let counters = (0..<loopCount).map { _ in LoopCounters() }
    metrics = Metrics(loops: counters, status: status, log: log)
    start(byLoop, counters, options, snapshot, log)
  }

  /// Descriptors that a server with so many connections may need.
  package static func descriptorCount(_ options: ServerOptions) -> Int {
    // Listeners, epoll instances, mailboxes, the log, and what the libraries keep open.
    let ownCountMax = 128 + options.loopCount * 8
    return options.connectionsMax + EventLoop.refusedCountMax * options.loopCount + ownCountMax
  }

  /// Address space that a server may need at the least, beside what the process has as it starts.
  package static func addressSpaceBytes(_ options: ServerOptions) -> Int {
    // Threads for the log, control and signals, and what Dispatch adds for itself.
    let threadCount = options.loopCount + 6
    let slots = (options.connectionsMax + EventLoop.refusedCountMax) * MemoryLayout<ConnectionSlot>.stride
    let heapBytes = 32 << 20
    return threadCount * clinux_thread_stack_bytes() + options.loopCount * (slots + (1 << 20)) + heapBytes
  }

  /// Every address over IPv6 and IPv4, or over IPv4 alone where the kernel has no IPv6.
  private static func open(_ request: ListenerRequest, count: Int) throws(SystemError) -> [Listener] {
    do throws(SystemError) { return try Listener.open(request, count: count) } catch {
      guard error.errno == EAFNOSUPPORT,
        case .address(.ipv6(0, 0, let port, isIPv6Only: false)) = request.place
      else { throw error }
      var fallback = request
      fallback.place = .address(.ipv4(bits: 0, port: port))
      return try Listener.open(fallback, count: count)
    }
  }

  /// Answers by this from now on. Requests that are being answered end under what they began with.
  package func adopt(_ snapshot: ServiceSnapshot) {
    for mailbox in mailboxes { mailbox.post(.adopt(snapshot)) }
  }

  /// Begins to drain: answers close their connections, and after the delay the listeners close.
  package func drain() {
    for mailbox in mailboxes { mailbox.post(.drain) }
  }

  /// Calls back once every loop has ended.
  package func notifyWhenEnded(queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    group.notify(queue: queue, execute: body)
  }

  private static func makeMailboxes(_ count: Int) throws(ServerStartError) -> [LoopMailbox] {
    var mailboxes: [LoopMailbox] = []
    for _ in 0..<count {
      do throws(SystemError) { mailboxes.append(try LoopMailbox()) } catch {
        throw ServerStartError(listenerNumber: nil, error: error)
      }
    }
    return mailboxes
  }

  private func start(
    _ listeners: [[Listener]], _ counters: [LoopCounters], _ options: ServerOptions,
    _ snapshot: ServiceSnapshot, _ log: Log
  ) {
    let admission = Admission(openCountMax: options.connectionsMax)
    for number in listeners.indices {
      let queue = DispatchQueue(label: "event-loop-\(number)")
      let (mailbox, counters, own) = (mailboxes[number], counters[number], listeners[number])
      let metrics = metrics
      queue.async(group: group) {
        do throws(SystemError) {
          let loop = try EventLoop(
            listeners: own, options: options, snapshot: snapshot, mailbox: mailbox, admission: admission,
            counters: counters, log: log, metrics: metrics)
          loop.run()
        } catch {
          // Without its loop a listener would take connections that nobody serves.
          fatalError("event loop: \(error.text)")
        }
      }
    }
  }
}

/// Why a server could not start.
package struct ServerStartError: Error, Sendable {
  /// Which of the listeners could not be opened.
  package let listenerNumber: Int?
  package let error: SystemError
}
