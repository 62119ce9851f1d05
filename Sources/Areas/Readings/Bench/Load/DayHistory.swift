internal import BenchKit
internal import RPCRuntime
internal import WireCodec

/// A day of heart rate of some persons, a reading a second each. A value follows from person and second, so that any
/// answer can be checked.
package struct DayHistory {
  package static let seconds = 86_400
  private static let readingsPerBatch = 5_000
  private static let maxUnacknowledged: UInt64 = 16

  package let persons: Int
  /// The end of the day, in microseconds since the Unix epoch: an hour that is over.
  package let end: Int64
  package var start: Int64 { end - Int64(Self.seconds) * 1_000_000 }
  package var count: Int { persons * Self.seconds }

  package init(persons: Int, end: Int64) {
    self.persons = persons
    self.end = end
  }

  /// Beats a minute, a whole number from 50 to 149.
  func value(_ person: Int64, _ second: Int) -> Double {
    Double(50 + ReadingGenerator.mix(UInt64(person) << 32 | UInt64(second)) % 100)
  }

  /// Pushes everything, second by second, and waits until all of it is acknowledged.
  func push(over channel: Channel) async throws {
    let connection = try await PushConnection("bench-query", over: channel)
    var acknowledged: UInt64 = 0
    var accepted = 0
    func receive() async throws {
      for batch in try await connection.acknowledgements() {
        acknowledged = batch.sequence
        accepted += Int(batch.accepted)
      }
    }
    var sequence: UInt64 = 0
    for first in stride(from: 0, to: count, by: Self.readingsPerBatch) {
      while sequence - acknowledged >= Self.maxUnacknowledged { try await receive() }
      sequence += 1
      let batch = columns(first..<min(count, first + Self.readingsPerBatch))
      try await connection.push(.init(scalars: batch), sequence: sequence)
    }
    while acknowledged < sequence { try await receive() }
    try await connection.close()
    try check(accepted == count, "\(accepted) of \(count) readings were accepted")
  }

  private func columns(_ numbers: Range<Int>) -> Trackme_Readings_V1_ScalarColumns {
    var columns = Trackme_Readings_V1_ScalarColumns(metric: [1])
    for number in numbers {
      let (second, index) = number.quotientAndRemainder(dividingBy: persons)
      let person = Int64(index) + 1
      columns.personID.append(person)
      columns.timeUs.append(start + Int64(second) * 1_000_000)
      columns.value.append(value(person, second))
    }
    return columns
  }

  /// Compares the minutes of a day with its readings.
  func checkMinutes(_ summaries: [Trackme_Readings_V1_ReadingSummary], of person: Int64) throws {
    try check(summaries.count == Self.seconds / 60, "person \(person) has \(summaries.count) minutes")
    for (minute, summary) in summaries.enumerated() {
      let values = (minute * 60..<minute * 60 + 60).map { value(person, $0) }
      let mean = values.reduce(0, +) / 60
      try check(
        summary.startUs == start + Int64(minute) * 60_000_000 && summary.count == 60 && summary.min == values.min()
          && summary.max == values.max() && summary.last == values[59] && abs(summary.mean - mean) < 1e-9,
        "minute \(minute) of person \(person) is wrong")
    }
  }

  /// Compares the newest readings, newest first.
  func checkNewest(_ readings: [Trackme_Readings_V1_Reading], of person: Int64) throws {
    try check(readings.count == 100, "person \(person) has \(readings.count) newest readings")
    for (age, reading) in readings.enumerated() {
      let second = Self.seconds - 1 - age
      try check(
        reading.timeUs == start + Int64(second) * 1_000_000 && reading.value == .scalar(value(person, second)),
        "newest reading \(age) of person \(person) is wrong")
    }
  }
}
