#if canImport(Glibc)
  import Glibc
#endif

/// A thread that lets others go first: reading a database must not keep requests waiting where cores are few.
///
/// A thread of its own, since nice(2) on Linux is the thread's, and one without privileges cannot take it back.
enum ModestThread {
  /// A tenth of a core where everybody wants it; all of it where nobody does.
  private static let niceness: Int32 = 10

  /// What a thread is given is one pointer.
  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
    _ = nice(niceness)
    Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().run()
    return nil
  }

  /// Runs the body and waits for it; on the caller's own thread when the system has no more threads.
  static func run<Value>(_ body: @escaping () -> Value) -> Value {
    var value: Value?
    let work = Unmanaged.passRetained(Work { value = body() })
    var thread = pthread_t()
    guard pthread_create(&thread, nil, main, work.toOpaque()) == 0 else {
      work.release()
      return body()
    }
    pthread_join(thread, nil)
    return value!
  }
}
