/// Bytes on their way out, in one piece of memory that never grows. Belongs to one loop.
package final class OutputBuffer {
  private let storage: UnsafeMutableRawBufferPointer
  // Memory rather than a property, as in `RequestHead`: appending is to cost a copy and nothing else.
  private let used: UnsafeMutablePointer<Int>

  /// A buffer with room for so many bytes.
  package init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 16)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  deinit {
    storage.deallocate()
    used.deallocate()
  }

  /// How many bytes more there is room for.
  package var room: Int { storage.count - used.pointee }

  /// The bytes; valid until the next change.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[..<used.pointee])
  }

  /// Adds bytes. There must be room for them: a programmer's error otherwise.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= room)
    guard let source = bytes.baseAddress, let base = storage.baseAddress else { return }
    (base + used.pointee).copyMemory(from: source, byteCount: bytes.count)
    used.pointee += bytes.count
  }

  /// Forgets the bytes and keeps the memory.
  package func removeAll() { used.pointee = 0 }
}
