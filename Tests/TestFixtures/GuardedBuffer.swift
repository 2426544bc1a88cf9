#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory whose last byte stands against a page that nobody may read: a parser that looks one byte too far
/// ends the test run.
package final class GuardedBuffer {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Memory for so many bytes.
  package init(capacity wanted: Int) {
    capacity = (wanted + pageSize) / pageSize * pageSize
    let memory = mmap(
      nil, capacity + pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("mmap: errno \(errno)") }
    guard mprotect(memory + capacity, pageSize, PROT_NONE) == 0 else {
      fatalError("mprotect: errno \(errno)")
    }
    base = memory
  }

  deinit { munmap(base, capacity + pageSize) }

  /// Lends the bytes, placed so that the one after the last cannot be read.
  package func withBytes<R>(
    _ bytes: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    precondition(bytes.count <= capacity)
    let start = base + (capacity - bytes.count)
    bytes.withUnsafeBytes { source in
      if let address = source.baseAddress { memcpy(start, address, source.count) }
    }
    return try body(UnsafeRawBufferPointer(start: start, count: bytes.count))
  }
}

/// Lends a copy of the bytes that ends where memory ends.
package func withGuarded<R>(
  _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
) rethrows -> R {
  try GuardedBuffer(capacity: bytes.count).withBytes(ArraySlice(bytes), body)
}
