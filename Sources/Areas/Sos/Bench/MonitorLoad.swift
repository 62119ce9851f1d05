internal import ArgumentParser
internal import BenchKit
internal import Domain
internal import Emergencies
internal import Glibc
internal import Log
internal import SosRules

/// The process that has nothing but a monitor in it: what a reading costs, and what a person takes up.
struct MonitorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-monitor", abstract: "Evaluates readings without a server; started by the benches.",
    shouldDisplay: false)

  private static let perBatch = 5_000
  private static let rounds = 10

  @Option var persons: Int

  func run() throws {
    try LoadConversation.ready()
    // Made, and touched, before memory is read for the first time.
    var batches = stride(from: 0, to: persons, by: Self.perBatch / 2).map(scalars)
    var located = ReadingColumns()
    located.positions = positions()

    let before = residentBytes
    let monitor = VitalsMonitor(clock: wallClock) { _ in }
    let stream: StreamNumber = 1
    var settings = SosSettings()
    settings.isEnabled = true
    for person in 1...Int64(persons) {
      monitor.watch(
        MonitoredPerson(
          person: person, settings: settings, dateOfBirth: CalendarDate(year: 1950, month: 1, day: 1), sex: .female))
    }
    var nanoseconds = 0.0
    for round in 0...Self.rounds {
      for batch in batches.indices {
        let now = wallClock()
        for index in batches[batch].scalars.time.indices { batches[batch].scalars.time[index] = now - Int64(index) }
        let start = threadNanoseconds
        monitor.take(batches[batch], receivedAt: now, from: stream)
        // The first round is of persons of whom nothing is known.
        if round > 0 { nanoseconds += Double(threadNanoseconds - start) }
      }
      if round == 0 { monitor.take(located, receivedAt: wallClock(), from: stream) }
    }
    let after = residentBytes
    try check(monitor.personCount == persons, "the monitor has \(monitor.personCount) persons")
    let readings = batches.reduce(0) { $0 + $1.count } * Self.rounds
    LoadConversation.done([
      "evaluation_ns": nanoseconds / Double(readings), "bytes": (after - before) / Double(persons),
    ])
  }

  /// Heart rate and oxygen of persons that follow each other in strides, as those of a city do.
  private func scalars(from first: Int) -> ReadingColumns {
    var columns = ReadingColumns()
    for number in first..<min(persons, first + Self.perBatch / 2) {
      let person = Int64(number * 60_013 % persons) + 1
      columns.scalars.person += [person, person]
      columns.scalars.metric += [1, 6]
      columns.scalars.source += [1, 1]
      columns.scalars.time += [0, 0]
      columns.scalars.value += [Double(60 + number % 40), Double(95 + number % 5)]
    }
    return columns
  }

  private func positions() -> PositionColumns {
    var columns = PositionColumns()
    let now = wallClock()
    for person in 1...Int64(persons) {
      columns.person.append(person)
      columns.metric.append(11)
      columns.source.append(1)
      columns.time.append(now)
      columns.latitude.append(45.4)
      columns.longitude.append(9.1)
      columns.altitude.append(.nan)
      columns.accuracy.append(5)
      columns.speed.append(.nan)
      columns.course.append(.nan)
    }
    return columns
  }

  private var residentBytes: Double { ProcessStatistics.kibibytes("VmRSS", of: getpid()) * 1_024 }

  private var threadNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
