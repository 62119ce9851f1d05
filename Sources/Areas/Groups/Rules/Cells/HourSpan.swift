internal import Domain

/// An hour, and what a clock shows when it begins.
package struct LocalHour: Sendable, Hashable {
  /// Hours since 1 January 1970, UTC.
  package let hour: Int32
  /// Days since 1 January 1970, of the clock.
  package let localDay: Int32
  /// 0 to 23, of the clock.
  package let localHour: Int

  package init(hour: Int32, localDay: Int32, localHour: Int) {
    self.hour = hour
    self.localDay = localDay
    self.localHour = localHour
  }
}

/// Hours of a day that follow each other and belong together.
package struct HourSpan: Sendable, Hashable {
  /// Days since 1 January 1970, UTC.
  package let day: Int32
  /// Of the day, UTC: 0 to 23.
  package let from: Int
  /// Of the day, UTC, not included: 1 to 24.
  package let to: Int
  /// To which bucket, or hour of the clock, they belong.
  package let bucket: Int

  /// The hours of a question by their bucket.
  /// - Parameter hours: in their order; those that the question is not about are left out.
  package static func buckets(_ hours: [LocalHour], _ times: GroupQuestion.Times) -> [HourSpan] {
    let boundaries = times.boundaries.map { Int32($0.daysSinceEpoch) }
    return joined(hours) { hour in
      guard times.slot.contains(hour.localHour), hour.localDay >= boundaries[0],
        let end = boundaries.firstIndex(where: { $0 > hour.localDay })
      else { return nil }
      return end - 1
    }
  }

  /// The hours of a question by the hour of the clock.
  package static func profile(_ hours: [LocalHour], _ times: GroupQuestion.Times) -> [HourSpan] {
    let (first, last) = (times.days.lowerBound.daysSinceEpoch, times.days.upperBound.daysSinceEpoch)
    return joined(hours) { hour in
      times.slot.contains(hour.localHour) && (first...last).contains(Int(hour.localDay)) ? hour.localHour : nil
    }
  }

  private static func joined(_ hours: [LocalHour], _ bucket: (LocalHour) -> Int?) -> [HourSpan] {
    var spans: [HourSpan] = []
    for hour in hours {
      guard let bucket = bucket(hour) else { continue }
      let day = hour.hour >= 0 ? hour.hour / 24 : (hour.hour - 23) / 24
      let of = Int(hour.hour - day * 24)
      if let last = spans.last, last.day == day, last.to == of, last.bucket == bucket {
        spans[spans.count - 1] = HourSpan(day: day, from: last.from, to: of + 1, bucket: bucket)
      } else {
        spans.append(HourSpan(day: day, from: of, to: of + 1, bucket: bucket))
      }
    }
    return spans
  }
}
