/// The name that was probably meant.
enum NearestName {
  private static let editsMax = 3

  /// The only candidate that begins with the name, or the one with the fewest edits from it; nil when even
  /// that one takes more than three, or more than a third of its length.
  static func of(_ name: String, among candidates: some Collection<String>) -> String? {
    // Whoever writes 200 characters did not mistype one of ours.
    guard (1...100).contains(name.utf8.count) else { return nil }
    let written = Array(name.lowercased().utf8)
    var nearest: (name: String, edits: Int)?
    var longer: [String] = []
    for candidate in candidates {
      let letters = Array(candidate.lowercased().utf8)
      if abs(letters.count - written.count) <= editsMax {
        let edits = edits(from: written, to: letters)
        if edits < nearest?.edits ?? Int.max { nearest = (candidate, edits) }
      }
      if letters.starts(with: written) { longer.append(candidate) }
    }
    if let nearest, nearest.edits <= max(1, min(editsMax, nearest.name.utf8.count / 3)) {
      return nearest.name
    }
    return longer.count == 1 && written.count >= 3 ? longer[0] : nil
  }

  /// The hint of a message about the name: `did you mean …?`
  static func hint(for name: String, among candidates: some Collection<String>) -> String? {
    of(name, among: candidates).map { "did you mean `\($0)`?" }
  }

  /// The same, or, when none is near, all that there are.
  static func hintOrAll(for name: String, among candidates: [String]) -> String {
    hint(for: name, among: candidates)
      ?? "there are " + candidates.map { "`\($0)`" }.joined(separator: ", ")
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
