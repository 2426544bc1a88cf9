/// The name that was probably meant.
enum NearestName {
  /// The candidate with the fewest edits from the name; nil when even that one takes more than three, or more
  /// than a third of its length.
  static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    // Whoever writes 200 characters did not mistype one of ours.
    guard name.utf8.count <= 100 else { return nil }
    let written = Array(name.lowercased().utf8)
    var nearest: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = edits(from: written, to: Array(candidate.lowercased().utf8))
      if edits < nearest?.edits ?? Int.max { nearest = (candidate, edits) }
    }
    guard let nearest, nearest.edits <= max(1, min(3, nearest.name.utf8.count / 3)) else { return nil }
    return nearest.name
  }

  /// How many bytes have to be inserted, removed, replaced, or swapped with their neighbour (optimal string
  /// alignment distance).
  private static func edits(from left: [UInt8], to right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(last[column] + (byte == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
