/// Times as ISO 8601 writes them, in the form that XML Schema and FHIR share.
public enum ISO8601 {
  /// "2026-11-21T09:30:00Z", with the fraction of a second where there is one; nil outside the years 1 to 9999.
  public static func text(of time: Microseconds) -> String? {
    guard let date = CalendarDate(utc: time) else { return nil }
    let inDay = time - Microseconds(date.daysSinceEpoch) * 86_400_000_000
    let (second, fraction) = (inDay / 1_000_000, inDay % 1_000_000)
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
    guard fraction != 0 else { return "\(date.text)T\(clock)Z" }
    var decimals = padded(fraction, 6)
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(date.text)T\(clock).\(decimals)Z"
  }

  private static func padded(_ number: Microseconds, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
