import TestFixtures
import Testing

@testable import DatabaseBuild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct AtomicFileTests {
  private static func names(in path: String) -> [String] {
    Subprocess(["ls", "-A", path]).output.split(separator: "\n").map(String.init)
  }

  @Test func replacesAFileAndKeepsTheOldOneForWhoHasIt() throws {
    let directory = TemporaryDirectory()
    let path = directory.write("old", to: "file")
    let held = open(path, O_RDONLY)
    defer { close(held) }
    try AtomicFile.write(Array("new bytes".utf8), to: path)
    #expect(TemporaryDirectory.bytes(of: path) == Array("new bytes".utf8))
    var old = [UInt8](repeating: 0, count: 16)
    #expect(read(held, &old, old.count) == 3)
    #expect(Self.names(in: directory.path) == ["file"])
    try AtomicFile.write([], to: path)
    #expect(TemporaryDirectory.bytes(of: path) == [])
  }

  @Test func replacesASymbolicLink() throws {
    let directory = TemporaryDirectory()
    let target = directory.write("target", to: "target")
    #expect(symlink(target, directory.file("link")) == 0)
    try AtomicFile.write([1], to: directory.file("link"))
    #expect(TemporaryDirectory.bytes(of: target) == Array("target".utf8))
    #expect(TemporaryDirectory.bytes(of: directory.file("link")) == [1])
  }

  @Test func isNeitherExecutableNorWritableByOthers() throws {
    let directory = TemporaryDirectory()
    try AtomicFile.write([1], to: directory.file("file"))
    var status = stat()
    #expect(stat(directory.file("file"), &status) == 0)
    // Whatever the process's mask leaves of it.
    #expect(status.st_mode & 0o600 == 0o600)
    #expect(status.st_mode & 0o133 == 0)
  }

  @Test func saysWhatFailedAndLeavesNothingBehind() {
    let directory = TemporaryDirectory()
    let nowhere = directory.file("missing/file")
    #expect(throws: FileFailure(.open, path: nowhere, code: ENOENT)) {
      try AtomicFile.write([1], to: nowhere)
    }
    #expect("\(FileFailure(.open, path: "a", code: ENOENT))" == "a: cannot open: No such file or directory")
    // A directory stands where the file should: the new file is written, cannot be put there, and is removed.
    #expect(mkdir(directory.file("taken"), 0o700) == 0)
    _ = directory.write("x", to: "taken/x")
    let taken = directory.file("taken")
    #expect(throws: FileFailure(.rename, path: taken, code: EISDIR)) { try AtomicFile.write([1], to: taken) }
    #expect(Self.names(in: directory.path) == ["taken"])
  }

  @Test func tellsAFullDisk() throws {
    let full = try Descriptor(path: "/dev/full", flags: O_WRONLY)
    let failure = FileFailure(.write, path: "/dev/full", code: ENOSPC)
    _ = [UInt8](repeating: 1, count: 10).withUnsafeBytes { bytes in
      #expect(throws: failure) { try full.write(bytes) }
    }
    #expect("\(failure)" == "/dev/full: cannot write: No space left on device")
  }
}
