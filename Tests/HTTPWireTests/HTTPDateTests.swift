import Glibc
import TestFixtures
import Testing

@testable import HTTPWire

@Suite struct HTTPDateTests {
  private func date(_ seconds: Int64) -> String {
    // One byte more on either side, to see that neither is written to.
    let bytes = [UInt8](unsafeUninitializedCapacity: HTTPDate.byteCount + 2) { buffer, count in
      buffer.initialize(repeating: 0x2A)
      let place = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[1...])
      HTTPDate.write(unixSeconds: seconds, to: place)
      count = buffer.count
    }
    #expect(bytes.first == 0x2A && bytes.last == 0x2A)
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (1, "Thu, 01 Jan 1970 00:00:01 GMT"),
    (86399, "Thu, 01 Jan 1970 23:59:59 GMT"),
    (86400, "Fri, 02 Jan 1970 00:00:00 GMT"),
    (68_169_599, "Mon, 28 Feb 1972 23:59:59 GMT"),
    (68_169_600, "Tue, 29 Feb 1972 00:00:00 GMT"),
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
    (1_078_012_800, "Sun, 29 Feb 2004 00:00:00 GMT"),
    (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
    (1_767_225_599, "Wed, 31 Dec 2025 23:59:59 GMT"),
    (1_767_225_600, "Thu, 01 Jan 2026 00:00:00 GMT"),
    (2_147_483_647, "Tue, 19 Jan 2038 03:14:07 GMT"),
    (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
    (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (13_574_563_200, "Tue, 29 Feb 2400 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (-86400, "Wed, 31 Dec 1969 00:00:00 GMT"),
    (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"),
    (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    (Int64.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
  ]) func table(_ seconds: Int64, _ text: String) {
    #expect(date(seconds) == text)
  }

  /// gmtime_r(3) and strftime(3) in the C locale say the same, of every day from 1900 to 2500 and of random
  /// times.
  @Test func theCLibraryAgrees() {
    func libraryDate(_ seconds: Int64) -> String {
      var time = time_t(seconds)
      var parts = tm()
      guard gmtime_r(&time, &parts) != nil else { fatalError("gmtime_r: errno \(errno)") }
      let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        count = buffer.withMemoryRebound(to: CChar.self) {
          strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let day: Int64 = 86400
    for time in stride(from: -70 * 366 * day, to: 530 * 366 * day, by: Int(day)) {
      #expect(date(time) == libraryDate(time))
    }
    var generator = SeededGenerator(seed: 5322)
    for _ in 0..<20_000 {
      let time = Int64.random(in: -30_000_000_000...253_402_300_799, using: &generator)
      #expect(date(time) == libraryDate(time))
    }
  }
}
