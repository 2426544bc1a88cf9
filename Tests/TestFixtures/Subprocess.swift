#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program run to its end.
package struct Subprocess {
  /// The exit status; 128 and the signal's number when one ended it.
  package let status: Int
  /// What it wrote to standard output and standard error, as text.
  package let output: String

  /// posix_spawnp(3) with an empty standard input, and waits.
  package init(_ arguments: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { fatalError("pipe: \(String(cString: strerror(errno)))") }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &argv, environ)
    for argument in argv { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while code == 0 {
      let count = read(ends[0], &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    close(ends[0])
    output = code == 0 ? String(decoding: bytes, as: UTF8.self) : String(cString: strerror(code))
    var wait: Int32 = 0
    if code == 0 { while waitpid(process, &wait, 0) < 0, errno == EINTR {} }
    status = code != 0 ? 127 : wait & 0x7F == 0 ? Int(wait >> 8 & 0xFF) : 128 + Int(wait & 0x7F)
  }
}
