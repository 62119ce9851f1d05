internal import BenchKit
internal import Log
internal import WireCodec

/// Readings of monitored persons: healthy ones at the rate of the machine, and crossings among them.
struct MonitoredReadings: Sendable {
  /// The metrics' numbers in the registry.
  static let heartRate: UInt32 = 1
  static let oxygen: UInt32 = 6
  static let readingsPerMessage = 5_000
  /// Between the two readings of a crossing; more than the hold of the default limits.
  private static let apart: Int64 = 3_100_000
  /// Below NEWS2's extreme value.
  private static let crossingValue = 80.0

  let first: Int64
  let persons: Int

  /// The next persons' heart rate and oxygen, taken within the last milliseconds. Persons follow each other in strides,
  /// as readings of a city do.
  ///
  /// - Parameters:
  ///   - turn: how many messages of the stream there were before.
  ///   - crossing: a person whose limit is crossed by two more readings at that place of the message, from a source of
  ///     their own: the healthy ones come from another device.
  func healthy(turn: Int, crossing: (person: Int64, place: Int)? = nil) -> Trackme_Readings_V1_ReadingColumns {
    let now = wallClock()
    let count = Self.readingsPerMessage
    var scalars = Trackme_Readings_V1_ScalarColumns()
    scalars.personID.reserveCapacity(count + 2)
    scalars.metric.reserveCapacity(count + 2)
    scalars.timeUs.reserveCapacity(count + 2)
    scalars.value.reserveCapacity(count + 2)
    for index in stride(from: 0, to: count, by: 2) {
      let number = (turn * count + index) / 2
      let person = first + Int64(number % persons * 60_013 % persons)
      let time = now - Int64(index)
      scalars.personID.append(person)
      scalars.metric.append(Self.heartRate)
      scalars.timeUs.append(time)
      scalars.value.append(Double(60 + (number + turn) % 40))
      scalars.personID.append(person)
      scalars.metric.append(Self.oxygen)
      scalars.timeUs.append(time)
      scalars.value.append(Double(95 + (number + turn) % 5))
    }
    guard let crossing else { return .init(scalars: scalars) }
    scalars.source = [UInt32](repeating: 0, count: count)
    for (offset, time) in [now - Self.apart, now].enumerated() {
      let place = crossing.place + offset
      scalars.personID.insert(crossing.person, at: place)
      scalars.metric.insert(Self.oxygen, at: place)
      scalars.timeUs.insert(time, at: place)
      scalars.value.insert(Self.crossingValue, at: place)
      scalars.source.insert(1, at: place)
    }
    return .init(sources: ["wrist", "finger"], scalars: scalars)
  }

  /// Readings of one person that cross a limit, and nothing else.
  func crossing(of person: Int64) -> Trackme_Readings_V1_ReadingColumns {
    let now = wallClock()
    return .init(
      sources: ["finger"],
      scalars: .init(
        personID: [person], metric: [Self.oxygen], source: [0], timeUs: [now - Self.apart, now],
        value: [Self.crossingValue, Self.crossingValue]))
  }

  /// A position of each person of a message.
  func positions(of numbers: Range<Int>) -> Trackme_Readings_V1_ReadingColumns {
    let now = wallClock()
    var columns = Trackme_Readings_V1_PositionColumns(metric: [ReadingGenerator.position])
    for number in numbers {
      columns.personID.append(first + Int64(number))
      columns.timeUs.append(now)
      columns.latitude.append(45.4 + Double(number % 1_000) / 10_000)
      columns.longitude.append(9.1 + Double(number / 1_000 % 1_000) / 10_000)
      columns.accuracy.append(5)
    }
    return .init(positions: columns)
  }
}
