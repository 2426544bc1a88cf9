import HTTPWire
import RegionService

/// One connection of a loop. Two cache lines; what it is in the middle of is elsewhere.
struct ConnectionSlot {
  enum Stage: UInt8 {
    /// Nobody's.
    case free
    /// Requests are read and answered.
    case open
    /// An answer waits for the socket; nothing is read until it is out.
    case writing
    /// The answer is out and the sending side closed; what still comes is dropped.
    case lingering
  }

  var descriptor: Int32 = -1
  /// Tells an event for this connection from one for whoever had the slot before.
  var generation: UInt32 = 0
  var stage = Stage.free
  var role = ListenerRole.service
  /// Closes once the waiting answer is out, and whether it lingers then.
  var closesAfterWriting = false
  var lingersAfterWriting = false
  var isRegistered = false
  /// Its peer was named by a preface: the kernel cannot tell it again.
  var isPrefaced = false
  /// Counted against the limit of connections; not so are the operator's, and those that only get their `503`.
  var isAdmitted = false
  /// The last read took all the room it had: more may wait, without an event for it.
  var mayHaveMore = false
  /// Bytes dropped while lingering.
  var lingerBytes: Int32 = 0
  /// When the current wait ends, in monotonic milliseconds.
  var deadline: Int64 = .max
  var peer = PeerVerdict.unnamed
  var state = ConnectionState()
  /// Input that must be kept until more comes.
  var input = HeapBytes()
  /// Output that the socket did not take, from `pendingSent` on.
  var pending = HeapBytes()
  var pendingSent = 0
  /// Free slots are linked through this.
  var nextFree: Int32 = -1
}

/// The slots of a loop: memory is touched only as far as connections ever reached.
final class ConnectionTable {
  private let slots: UnsafeMutablePointer<ConnectionSlot>
  private let capacity: Int
  private var firstFree: Int32 = -1
  /// Slots from here on were never used.
  private(set) var highWater = 0
  private(set) var openCount = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  /// The slot at an index below `highWater`; valid until the table is freed.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<ConnectionSlot> { slots + index }

  /// Whether all slots are taken.
  var isFull: Bool { firstFree < 0 && highWater == capacity }

  /// A fresh slot. The table must not be full.
  func take() -> Int {
    let index: Int
    if firstFree >= 0 {
      index = Int(firstFree)
      firstFree = slots[index].nextFree
      let generation = slots[index].generation &+ 1
      slots[index] = ConnectionSlot()
      slots[index].generation = generation
    } else {
      precondition(highWater < capacity)
      index = highWater
      (slots + index).initialize(to: ConnectionSlot())
      highWater += 1
    }
    openCount += 1
    return index
  }

  /// Gives a slot back; its buffers are wiped and freed.
  func release(_ index: Int, _ budget: BufferBudget) {
    slots[index].input.free(budget)
    slots[index].pending.free(budget)
    slots[index].state.free()
    slots[index].deadline = .max
    slots[index].stage = .free
    slots[index].descriptor = -1
    slots[index].peer = .unnamed
    slots[index].nextFree = firstFree
    firstFree = Int32(index)
    openCount -= 1
  }

  /// Every slot must have been released.
  deinit {
    precondition(openCount == 0)
    slots.deallocate()
  }
}
