/// A day of the Gregorian calendar, without a time and without a time zone: years 1 to 9999.
public struct CalendarDate: Sendable, Hashable {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 28, 29, 30 or 31.
  public let day: Int

  /// The day, nil if there is none: 2025-02-29, or a year that is not 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9_999 ~= year, 1...12 ~= month, 1...Self.dayCount(ofMonth: month, in: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads "1980-12-31" (ISO 8601, extended format, four digits of year); nil for every other text.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8...])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day so many days after 1 January 1970; nil if it is not in the years 1 to 9999.
  public init?(daysSinceEpoch days: Int) {
    guard -719_162...2_932_896 ~= days else { return nil }
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days. Years begin in March here, so
    // that the leap day is their last.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of a moment in UTC; nil if it is not in the years 1 to 9999.
  public init?(utc time: Microseconds) {
    let dayUs: Microseconds = 86_400_000_000
    self.init(daysSinceEpoch: Int(time / dayUs) - (time % dayUs < 0 ? 1 : 0))
  }

  /// "1980-12-31".
  public var text: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  /// How many days after 1 January 1970 this is; negative before.
  public var daysSinceEpoch: Int {
    // The same source, days_from_civil.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day so many days later, or earlier if negative; nil if it is not in the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    let (sum, isTooMuch) = daysSinceEpoch.addingReportingOverflow(days)
    return isTooMuch ? nil : CalendarDate(daysSinceEpoch: sum)
  }

  /// Completed years of who was born on this day; negative before. Who was born on 29 February is a year older on
  /// 1 March of a year without that day.
  public func age(on day: CalendarDate) -> Int {
    let isBeforeBirthday = (day.month, day.day) < (month, self.day)
    return day.year - year - (isBeforeBirthday ? 1 : 0)
  }

  package static func dayCount(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension CalendarDate: Comparable {
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}
