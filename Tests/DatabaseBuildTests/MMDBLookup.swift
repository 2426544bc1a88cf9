import TestFixtures

/// libmaxminddb's own program, asked for many addresses.
struct MMDBLookup {
  /// What it said of one address.
  enum Answer: Equatable {
    /// A string stands at the path.
    case string(String)
    /// The address has no record.
    case nothing
    /// Anything else: its exit status and output.
    case failure(String)
  }

  /// Its answers for a path in the records, in the order of the addresses.
  static func answers(_ database: String, _ addresses: [String], path: String) -> [Answer] {
    let directory = TemporaryDirectory()
    let list = directory.write(addresses.map { $0 + "\n" }.joined(), to: "addresses")
    // One line an address: the exit status, then the output with its white space squeezed.
    let script = """
      while read -r address; do
        found=$(mmdblookup -f "$1" -i "$address" $3 2>&1); status=$?
        echo "$status" $found
      done < "$2"
      """
    let run = Subprocess(["sh", "-c", script, "sh", database, list, path])
    return run.output.split(separator: "\n").map { line in
      if line.hasPrefix("0 \""), line.hasSuffix("\" <utf8_string>") {
        return .string(String(line.dropFirst(3).dropLast(15)))
      }
      return line.hasPrefix("6 Could not find an entry") ? .nothing : .failure(String(line))
    }
  }
}
