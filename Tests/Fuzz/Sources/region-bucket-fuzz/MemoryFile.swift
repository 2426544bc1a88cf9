import CFuzzer
import Glibc

/// A file that has a path and lies in memory alone.
final class MemoryFile {
  private let descriptor: Int32

  init(_ bytes: [UInt8]) {
    descriptor = cfuzzer_memory_file()
    guard descriptor >= 0,
      bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else { fatalError("memfd_create: errno \(errno)") }
  }

  deinit { close(descriptor) }

  var path: String { "/proc/self/fd/\(descriptor)" }
}
