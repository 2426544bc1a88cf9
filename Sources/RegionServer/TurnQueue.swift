/// Connections whose turn ended before their input did. Belongs to one loop.
final class TurnQueue {
  /// Asked each time that the loop wakes, which costs less of a number than of a list.
  private(set) var isEmpty = true
  private var turns: [(index: Int, generation: UInt32)] = []

  /// Lets a connection have another turn.
  func append(_ index: Int, generation: UInt32) {
    turns.append((index, generation))
    isEmpty = false
  }

  /// All of them; none is left.
  func takeAll() -> [(index: Int, generation: UInt32)] {
    defer { turns.removeAll(keepingCapacity: true) }
    isEmpty = true
    return turns
  }
}
