internal import Domain

/// Times and durations as JSON writes them.
enum TimeText {
  /// "2026-11-24T09:30:00Z", with up to nine digits of a second's fraction and any offset (RFC 3339; T and Z are
  /// capital letters, and there is no second 60). nil for everything else, and outside of the years 1 to 9999.
  static func timestamp(_ text: UnsafeRawBufferPointer) -> (seconds: Int64, nanos: Int64)? {
    var rest = Text(text)
    guard let year = rest.digits(4), rest.take("-"), let month = rest.digits(2), rest.take("-"),
      let day = rest.digits(2), rest.take("T"), let hour = rest.digits(2), hour < 24, rest.take(":"),
      let minute = rest.digits(2), minute < 60, rest.take(":"), let second = rest.digits(2), second < 60,
      let nanos = rest.fraction(), let offset = rest.offset(), rest.isAtEnd,
      let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    let seconds = Int64(date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    return WellKnownRanges.timestampSeconds ~= seconds ? (seconds, nanos) : nil
  }

  /// "-1.5s": seconds with up to nine digits of a fraction. nil for everything else, and above 10,000 years.
  static func duration(_ text: UnsafeRawBufferPointer) -> (seconds: Int64, nanos: Int64)? {
    var rest = Text(text)
    let isNegative = rest.take("-")
    guard let seconds = rest.integer(), let nanos = rest.fraction(), rest.take("s"), rest.isAtEnd,
      WellKnownRanges.durationSeconds ~= seconds
    else { return nil }
    return isNegative ? (-seconds, -nanos) : (seconds, nanos)
  }

  private struct Text {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    private mutating func digit() -> Int? {
      guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
      index += 1
      return Int(bytes[index - 1] - UInt8(ascii: "0"))
    }

    mutating func digits(_ count: Int) -> Int? {
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// One to twelve digits, as many as the largest duration takes.
    mutating func integer() -> Int64? {
      guard var value = digit() else { return nil }
      var count = 1
      while let digit = digit() {
        count += 1
        guard count <= 12 else { return nil }
        value = value * 10 + digit
      }
      return Int64(value)
    }

    /// Nanoseconds; 0 if there is no fraction.
    mutating func fraction() -> Int64? {
      guard take(".") else { return 0 }
      var nanos = 0
      var count = 0
      while let digit = digit() {
        count += 1
        guard count <= 9 else { return nil }
        nanos = nanos * 10 + digit
      }
      guard count > 0 else { return nil }
      for _ in count..<9 { nanos *= 10 }
      return Int64(nanos)
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
      if take("Z") { return 0 }
      let isEast = take("+")
      guard isEast || take("-"), let hours = digits(2), hours < 24, take(":"), let minutes = digits(2), minutes < 60
      else { return nil }
      return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }
  }
}
