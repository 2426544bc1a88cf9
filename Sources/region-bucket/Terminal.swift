import Glibc

/// Standard output and error, for people.
enum Terminal {
  /// Writes a line to standard output.
  static func say(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// Writes text as it is. Whoever has closed the other end does not want it; standard output that cannot take it
  /// ends the program, so that nobody takes half a report for a whole one.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        guard descriptor == STDOUT_FILENO, errno != EPIPE else { return }
        complain("error: standard output: \(String(cString: strerror(errno)))")
        exit(ExitStatus.cannotCreate.rawValue)
      }
      bytes = bytes.dropFirst(count)
    }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
