/// Days as sheets count them.
enum SheetDay {
  private static let secondsOfDay = 86_400.0
  /// 9999-12-31, counted from 1899-12-30.
  private static let lastDay = 2_958_465

  /// "2026-01-31", with the time of day "2026-01-31T12:30:00", to the second. nil: the number counts no day of the
  /// calendar.
  /// - Parameters:
  ///   - serial: days, with a part of a day behind the point.
  ///   - isFrom1904: 0 is 1904-01-01; otherwise 1 is 1900-01-01, and 60 the 29 February that 1900 did not have.
  static func text(_ serial: String, withTime: Bool, isFrom1904: Bool) -> String? {
    guard let number = Double(serial), number >= 0, number < Double(lastDay + 1) else { return nil }
    let seconds = Int((number * secondsOfDay).rounded())
    let (day, time) = seconds.quotientAndRemainder(dividingBy: Int(secondsOfDay))
    let sinceDecember30 = isFrom1904 ? day + 1_462 : day < 60 ? day + 1 : day
    guard isFrom1904 || day > 0 && day != 60, sinceDecember30 <= lastDay else { return nil }
    let date = date(sinceDecember30 - 25_569)
    guard withTime else { return date }
    return "\(date)T\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
  }

  /// - Parameter days: since 1970-01-01. By H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days,
  ///   for days that are after 0000-03-01.
  private static func date(_ days: Int) -> String {
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(padded(month))-\(padded(dayOfYear - (153 * fromMarch + 2) / 5 + 1))"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
