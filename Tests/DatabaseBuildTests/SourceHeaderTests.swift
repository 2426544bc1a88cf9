import Testing

@testable import DatabaseBuild

@Suite struct SourceHeaderTests {
  private static func header(_ comments: [String]) -> SourceHeader {
    var header = SourceHeader()
    for var comment in comments { comment.withUTF8 { header.read(UnsafeRawBufferPointer($0)) } }
    return header
  }

  @Test func readsWhatTorDistributes() {
    let header = Self.header([
      "Location Database Export", "", "Generated: Thu, 25 Jun 2026 04:33:59 GMT", "Vendor:    IPFire Project",
      "License:   CC BY-SA 4.0", "This database has been obtained from https://location.example/",
      "Find the full license terms at https://license.example/", "Vendor: somebody else",
      "Generated: Thu, 25 Jun 2020 04:33:59 GMT",
    ])
    #expect(header.generatedEpoch == 1_782_362_039)
    #expect(header.vendor == "IPFire Project")
    #expect(header.license == "CC BY-SA 4.0")
    #expect(header.sourceURL == "https://location.example/")
    #expect(header.licenseURL == "https://license.example/")
  }

  @Test func passesOverWhatItShouldNotRepeat() {
    let header = Self.header([
      "Vendor:", "Vendor: \u{1B}[31mred", "License: " + String(repeating: "x", count: 300), "Other: thing",
      "Generated: yesterday",
    ])
    #expect(header == SourceHeader())
  }

  static let dates: [(String, UInt64?)] = [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Tue, 29 Feb 2028 23:59:59 GMT", 1_835_481_599), ("2026-06-25", 1_782_345_600), ("1970-01-01", 0),
    ("2000-02-29", 951_782_400), ("1900-01-01", nil), ("2026-02-29", nil), ("2026-13-01", nil),
    ("2026-00-01", nil), ("2026-01-00", nil), ("2026-1-1", nil), ("2026-01", nil), ("", nil),
    ("Thu, 25 Jun 2026 04:33:59", nil), ("Thu, 25 Jun 2026 04:33:59 CET", nil),
    ("Thu 25 Jun 2026 04:33:59 GMT", nil),
    ("Thu, 31 Jun 2026 04:33:59 GMT", nil), ("Thu, 25 June 2026 04:33:59 GMT", nil),
    ("Thu, 25 Jun 2026 24:00:00 GMT", nil), ("Thu, 25 Jun 2026 4:00:00 GMT", nil), ("2026-+1-01", nil),
  ]

  @Test(arguments: dates)
  func readsDates(_ text: String, _ epoch: UInt64?) { #expect(SourceHeader.epoch(text[...]) == epoch) }
}

@Suite struct CalendarDateTests {
  @Test func countsEveryDayUpTo2400() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var days: UInt64 = 0
    for year in 1970...2400 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 1...12 {
        let length = lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)
        for day in [1, length] {
          let date = try #require(CalendarDate(year: year, month: month, day: day))
          let epoch = (days + UInt64(day) - 1) * 86_400
          #expect(date.epoch == epoch)
          #expect(CalendarDate(epoch: epoch) == date)
          #expect(CalendarDate(epoch: epoch + 86_399) == date)
        }
        #expect(CalendarDate(year: year, month: month, day: length + 1) == nil)
        days += UInt64(length)
      }
    }
  }

  @Test func printsAsInRFC3339() {
    #expect("\(CalendarDate(epoch: 0))" == "1970-01-01")
    #expect("\(CalendarDate(epoch: 1_782_362_039))" == "2026-06-25")
    #expect("\(CalendarDate(epoch: .max))" == "9999-12-31")
    #expect(CalendarDate(year: 1969, month: 12, day: 31) == nil)
    #expect(CalendarDate(year: 10_000, month: 1, day: 1) == nil)
  }
}
