/// `IMF-fixdate` (RFC 9110 §5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`: what a server sends.
package enum HTTPDate {
  /// How long one is.
  package static let byteCount = 29

  /// Writes a time into the first 29 bytes of the buffer, which must have them. No allocation, no time zone
  /// data.
  ///
  /// - Parameter unixSeconds: the time since 1970. A clock that is set outside the years 1 to 9999, for which
  ///   there is no such date, is taken to be at the nearer end of them.
  package static func write(unixSeconds: Int64, to buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= byteCount)
    let time = Int(min(max(unixSeconds, -62_135_596_800), 253_402_300_799))
    var day = time / 86400
    var second = time % 86400
    if second < 0 {
      second += 86400
      day -= 1
    }
    let date = CivilDate(daysSince1970: day)
    // The first of January 1970 was a Thursday.
    let weekday = ((day + 4) % 7 + 7) % 7
    put(weekdays, weekday * 5, 5, to: buffer, at: 0)
    put(date.day, to: buffer, at: 5)
    put(months, (date.month - 1) * 5, 5, to: buffer, at: 7)
    put(date.year / 100, to: buffer, at: 12)
    put(date.year % 100, to: buffer, at: 14)
    buffer[16] = 0x20
    put(second / 3600, to: buffer, at: 17)
    buffer[19] = 0x3A
    put(second / 60 % 60, to: buffer, at: 20)
    buffer[22] = 0x3A
    put(second % 60, to: buffer, at: 23)
    put(zone, 0, 4, to: buffer, at: 25)
  }

  private static let weekdays: StaticString = "Sun, Mon, Tue, Wed, Thu, Fri, Sat, "
  private static let months: StaticString = " Jan  Feb  Mar  Apr  May  Jun  Jul  Aug  Sep  Oct  Nov  Dec "
  private static let zone: StaticString = " GMT"

  /// A part of a text.
  private static func put(
    _ text: StaticString, _ start: Int, _ count: Int, to buffer: UnsafeMutableRawBufferPointer, at index: Int
  ) {
    let part = UnsafeRawBufferPointer(start: text.utf8Start + start, count: count)
    UnsafeMutableRawBufferPointer(rebasing: buffer[index...]).copyMemory(from: part)
  }

  /// Two digits.
  private static func put(_ number: Int, to buffer: UnsafeMutableRawBufferPointer, at index: Int) {
    buffer[index] = 0x30 + UInt8(number / 10)
    buffer[index + 1] = 0x30 + UInt8(number % 10)
  }
}

/// A day of the Gregorian calendar, extended to all years.
struct CivilDate: Equatable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int

  /// The day so many days after 1 January 1970.
  ///
  /// Years are counted from March, so that the leap day is the last of its year, in eras of 400 years or
  /// 146,097 days.
  init(daysSince1970: Int) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
