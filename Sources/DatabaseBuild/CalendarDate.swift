/// A day of the Gregorian calendar, in UTC.
package struct CalendarDate: Equatable, Sendable {
  /// The year, 1970 or later.
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int

  /// A date from its parts; nil when there is no such day, or before 1970.
  package init?(year: Int, month: Int, day: Int) {
    guard (1970...9999).contains(year), (1...12).contains(month) else { return nil }
    self.init(daysSinceEpoch: Self.daysSinceEpoch(year: year, month: month, day: day))
    // February 30 would come back as March 1 or 2.
    guard self.month == month, self.day == day else { return nil }
  }

  /// The date that a text such as `2026-06-25` names (RFC 3339 `full-date`); nil when it names none.
  package init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Self.digits(parts[0], 4), let month = Self.digits(parts[1], 2),
      let day = Self.digits(parts[2], 2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// A number of so many digits, and nothing else.
  static func digits(_ text: Substring, _ count: Int) -> Int? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The day on which a moment lies, in seconds since 1970-01-01 UTC. Moments after the year 9999 count as its
  /// last day.
  package init(epoch: UInt64) {
    self.init(daysSinceEpoch: Int(min(epoch, 253_402_300_799) / 86_400))
  }

  /// Days in eras of 400 years that start on 1 March, so that a leap day comes last.
  private init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shiftedYear / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - 719_468
  }

  /// The start of the day in seconds since 1970-01-01 UTC.
  package var epoch: UInt64 { UInt64(Self.daysSinceEpoch(year: year, month: month, day: day)) * 86_400 }
}

extension CalendarDate: CustomStringConvertible {
  /// `2026-06-25` (RFC 3339 `full-date`).
  package var description: String { "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))" }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
