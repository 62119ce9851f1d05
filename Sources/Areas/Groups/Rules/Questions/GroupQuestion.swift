package import Domain

/// A question about a group, on the grid: questions that differ by less than its steps are equal.
package struct GroupQuestion: Sendable, Hashable {
  /// How the days asked for are cut.
  package enum Buckets: Int, Sendable, CaseIterable {
    /// Not at all.
    case whole = 0
    case days = 1
    /// From Monday.
    case weeks = 2
    case months = 3
  }

  /// Who is asked about.
  package struct Persons: Sendable, Hashable {
    package let ages: AgeBands
    package let weights: WeightBands
    /// nil: both.
    package let sex: Sex?
    /// Words that stand in the address; empty: any.
    package let address: String

    /// The most characters of an address.
    package static let addressMax = 100

    /// - Parameter address: capitals and spaces between words don't matter.
    package init(ages: AgeBands, weights: WeightBands, sex: Sex?, address: String) throws(QuestionFault) {
      self.ages = ages
      self.weights = weights
      self.sex = sex
      self.address = address.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard self.address.count <= Self.addressMax, !self.address.contains("|"),
        !self.address.unicodeScalars.contains(where: { $0.value < 0x20 })
      else { throw QuestionFault("address", "must be at most 100 characters of text") }
    }
  }

  /// Which of their readings.
  package struct Times: Sendable, Hashable {
    /// The first and the last day.
    package let days: ClosedRange<CalendarDate>
    package let slot: HourSlot
    /// Its IANA name: where days and hours are those of a clock.
    package let timeZone: String
    package let buckets: Buckets

    /// - Throws: if these are too many days.
    package init(
      days: ClosedRange<CalendarDate>, slot: HourSlot, timeZone: String, buckets: Buckets
    ) throws(QuestionFault) {
      guard days.upperBound.daysSinceEpoch - days.lowerBound.daysSinceEpoch < Self.daysMax else {
        throw QuestionFault("to_date", "must be at most 366 days after from_date, which is the first of them")
      }
      self.days = days
      self.slot = slot
      self.timeZone = timeZone
      self.buckets = buckets
    }

    /// The most days of a question.
    package static let daysMax = 366

    /// The first day of each bucket, and the day after the last. The first and the last bucket may be shorter than others.
    package var boundaries: [CalendarDate] {
      let (first, end) = (days.lowerBound.daysSinceEpoch, days.upperBound.daysSinceEpoch + 1)
      let cuts = (first + 1..<end).filter { day in
        switch buckets {
        case .whole: false
        case .days: true
        // 1 January 1970 was a Thursday.
        case .weeks: (day + 3) % 7 == 0
        case .months: CalendarDate(daysSinceEpoch: day)?.day == 1
        }
      }
      return ([first] + cuts + [end]).compactMap { CalendarDate(daysSinceEpoch: $0) }
    }
  }

  /// Names of the registry, in the order of the alphabet, each once.
  package let metrics: [String]
  package let persons: Persons
  package let place: GroupPlace
  package let times: Times
  package let statistics: Set<Statistic>
  package let precision: Precision
  /// How many persons a kind and bucket must have to be told about.
  package let personsMin: Int

  /// The most kinds of a question.
  package static let metricsMax = 10
  /// The most that may be asked for at least.
  package static let personsMinMax = 1_000_000_000

  package init(
    metrics: [String], persons: Persons, place: GroupPlace, times: Times, statistics: Set<Statistic>,
    precision: Precision, personsMin: Int
  ) throws(QuestionFault) {
    guard !metrics.isEmpty else { throw QuestionFault("metrics", "must name at least one") }
    let names = Set(metrics).sorted()
    guard names.count <= Self.metricsMax else { throw QuestionFault("metrics", "must be at most 10") }
    guard GroupThreshold.personsMin...Self.personsMinMax ~= personsMin else {
      throw QuestionFault("minimum_persons", "must be from 1,000 to 1,000,000,000")
    }
    self.metrics = names
    self.persons = persons
    self.place = place
    self.times = times
    self.statistics = statistics
    self.precision = precision
    self.personsMin = personsMin
  }

  /// The same text for the same question, and another one for every other.
  package var text: String {
    let place = place.cells.map { $0.map { String($0, radix: 36) }.joined(separator: ",") } ?? "anywhere"
    return [
      "1", metrics.joined(separator: ","), "\(persons.ages.numbers)", "\(persons.weights.numbers)",
      persons.sex?.rawValue ?? "any", persons.address, place, times.days.lowerBound.text, times.days.upperBound.text,
      "\(times.slot.from)-\(times.slot.to)", times.timeZone, "\(times.buckets.rawValue)",
      statistics.map(\.rawValue).sorted().map { "\($0)" }.joined(separator: ","), "\(precision.rawValue)",
      "\(personsMin)",
    ].joined(separator: "|")
  }

  package var releases: Releases { Releases(for: statistics, strata: Stratum.all(of: persons).count) }

  /// What it costs everybody who may be in the answer: answered or refused.
  package var loss: PrivacyLoss {
    let count = releases.cost(buckets: times.boundaries.count - 1, hours: times.slot.count)
    return (metrics.count * count) * precision.loss
  }

  package var threshold: GroupThreshold { GroupThreshold(personsMin: personsMin, precision: precision) }
}
