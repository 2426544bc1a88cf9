#if canImport(Glibc)
  import Glibc
#endif

/// A thread that lets others go first: reading a database must not keep requests waiting where cores are few.
///
/// A thread of its own, since nice(2) on Linux is the thread's, and one without privileges cannot take it back.
enum ModestThread {
  /// A tenth of a core where everybody wants it; all of it where nobody does.
  private static let niceness: Int32 = 10

  private final class Work<Value: Sendable>: @unchecked Sendable {
    let body: @Sendable () -> Value
    var value: Value?

    init(_ body: @escaping @Sendable () -> Value) { self.body = body }

    /// What a thread is given is one pointer.
    func start() -> pthread_t? {
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Box { self.value = self.body() })
      let status = pthread_create(&thread, nil, ModestThread.main, box.toOpaque())
      if status == 0 { return thread }
      box.release()
      return nil
    }
  }

  private final class Box {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
    _ = nice(niceness)
    Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().run()
    return nil
  }

  /// Runs the body and waits for it; on the caller's own thread when the system has no more threads.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    let work = Work(body)
    guard let thread = work.start() else { return body() }
    pthread_join(thread, nil)
    return work.value!
  }
}
