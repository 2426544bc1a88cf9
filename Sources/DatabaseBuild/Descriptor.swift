#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file descriptor that closes itself. For one thread at a time.
final class Descriptor {
  let number: Int32
  private let path: String

  /// open(2), with close-on-exec.
  init(path: String, flags: Int32, mode: mode_t = 0) throws(FileFailure) {
    let number = Self.retrying { open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw FileFailure(.open, path: path, code: errno) }
    self.number = number
    self.path = path
  }

  deinit { _ = close(number) }

  /// fstat(2).
  func status() throws(FileFailure) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileFailure(.stat, path: path, code: errno) }
    return status
  }

  /// read(2): how many bytes came, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    let count = Self.retrying { systemRead(number, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { throw FileFailure(.read, path: path, code: errno) }
    return count
  }

  /// pread(2) until the buffer is full or the file ends: how many bytes came.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = Self.retrying { pread(number, rest.baseAddress, rest.count, off_t(offset + filled)) }
      guard count >= 0 else { throw FileFailure(.read, path: path, code: errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// write(2) until all is written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = Self.retrying { systemWrite(number, rest.baseAddress, rest.count) }
      guard count >= 0 else { throw FileFailure(.write, path: path, code: errno) }
      written += count
    }
  }

  /// fsync(2).
  func synchronise() throws(FileFailure) {
    guard Self.retrying({ fsync(number) }) == 0 else { throw FileFailure(.fsync, path: path, code: errno) }
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }
}

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, buffer, count)
}

private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, buffer, count)
}
