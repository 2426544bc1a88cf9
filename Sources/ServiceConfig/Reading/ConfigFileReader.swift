import Glibc

/// Reads the files that a configuration consists of or names.
package enum ConfigFileReader {
  /// The largest file that is read, in bytes: every address block of every cloud together is smaller.
  package static let bytesMax = 4 << 20

  /// The whole content of a file. Blocks until it is read; usable from any thread.
  ///
  /// - Throws: `ConfigFileError`, from `open(2)` and `read(2)`.
  package static func read(_ path: String) throws(ConfigFileError) -> [UInt8] {
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .errorNumber(errno) }
    defer { close(descriptor) }
    // A FIFO or a terminal would have no end; a secret mounted by an orchestrator is a plain file.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .errorNumber(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    var content: [UInt8] = []
    while true {
      let chunkSize = 64 << 10
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, initializedCount in
        count = retryingInterrupts { Glibc.read(descriptor, buffer.baseAddress, chunkSize) }
        initializedCount = max(count, 0)
      }
      guard count >= 0 else { throw .errorNumber(errno) }
      guard count > 0 else { return content }
      content += chunk
      guard content.count <= bytesMax else { throw .tooLarge }
    }
  }

  private static func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// Why a file could not be read.
package enum ConfigFileError: Error, Equatable, Sendable {
  /// What `open`, `fstat` or `read` left in `errno`.
  case errorNumber(Int32)
  /// A directory, a device, a pipe.
  case notAFile
  /// More than `ConfigFileReader.bytesMax` bytes.
  case tooLarge

  /// The reason in words.
  package var text: String {
    switch self {
    case .errorNumber(let number): String(cString: strerror(number))
    case .notAFile: "Not a regular file"
    case .tooLarge: "Larger than \(ConfigFileReader.bytesMax >> 20) MiB"
    }
  }
}
