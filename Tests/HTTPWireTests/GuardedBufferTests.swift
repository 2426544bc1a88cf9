import Glibc
import TestFixtures
import Testing

/// The guard page behind every vector's last byte guards.
@Suite struct GuardedBufferTests {
  @Test func theLastByteCanBeRead() {
    for count in [0, 1, 4095, 4096, 4097] {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect(withGuarded(bytes) { [UInt8]($0) } == bytes)
    }
  }

  @Test func theByteBehindItCannot() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      // A sanitizer would make a report of it.
      signal(SIGSEGV, SIG_DFL)
      let byte = withGuarded([1, 2, 3]) { $0.baseAddress!.load(fromByteOffset: 3, as: UInt8.self) }
      print(byte)
    }
  }
}
