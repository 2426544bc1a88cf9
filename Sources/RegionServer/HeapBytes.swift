import CLinux
import Glibc

/// How much memory a loop's connections may hold together. Belongs to one loop.
final class BufferBudget {
  private(set) var usedBytes = 0
  private let usedBytesMax: Int

  init(usedBytesMax: Int) { self.usedBytesMax = usedBytesMax }

  func take(_ bytes: Int) -> Bool {
    guard usedBytes + bytes <= usedBytesMax else { return false }
    usedBytes += bytes
    return true
  }

  func give(_ bytes: Int) { usedBytes -= bytes }
}

/// Bytes of one connection that have to wait: a request that came in parts, an answer that did not fit the socket.
///
/// Held by value in a slot, so that a connection without waiting bytes costs nothing. Its owner frees it.
struct HeapBytes {
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var count = 0
  private(set) var capacity = 0

  /// The bytes that are there.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Where more bytes may be written, before `grew(by:)`.
  var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start.map { $0 + count }, count: capacity - count)
  }

  /// Notes that bytes were written into `room`.
  mutating func grew(by added: Int) { count += added }

  /// Makes the capacity at least so much; the old place is wiped. False when budget or memory does not suffice.
  mutating func reserve(_ wanted: Int, _ budget: BufferBudget) -> Bool {
    guard wanted > capacity else { return true }
    guard budget.take(wanted) else { return false }
    guard let larger = malloc(wanted) else {
      budget.give(wanted)
      return false
    }
    let kept = count
    if let start { larger.copyMemory(from: start, byteCount: count) }
    free(budget)
    start = larger
    capacity = wanted
    count = kept
    return true
  }

  /// Moves a part of the bytes to the front and forgets the rest, wiping it.
  mutating func keep(_ range: Range<Int>) {
    guard let start else { return }
    memmove(start, start + range.lowerBound, range.count)
    clinux_wipe(start + range.count, count - range.count)
    count = range.count
  }

  /// Appends; the capacity must suffice.
  mutating func append(_ added: UnsafeRawBufferPointer) {
    precondition(count + added.count <= capacity)
    if added.isEmpty { return }
    (start! + count).copyMemory(from: added.baseAddress!, byteCount: added.count)
    count += added.count
  }

  /// Wipes and frees.
  mutating func free(_ budget: BufferBudget) {
    guard let start else { return }
    clinux_wipe(start, count)
    Glibc.free(start)
    budget.give(capacity)
    self = HeapBytes()
  }
}
