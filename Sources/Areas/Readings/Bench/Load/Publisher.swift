internal import BenchKit
internal import RPCRuntime
internal import WireCodec

/// Pushes single readings as they fall due, and batches of backlog.
struct Publisher: Sendable {
  private let connection: PushConnection
  private let schedule: PushSchedule

  init(over connection: PushConnection, schedule: PushSchedule) {
    self.connection = connection
    self.schedule = schedule
  }

  /// Reads acknowledgements until the connection is cancelled. If readings are rejected, the missing ones will show.
  func run() async { while (try? await connection.acknowledgements()) != nil {} }

  /// Pushes one live reading.
  func push(_ number: Int, moreToCome: Bool = false) async throws {
    try await send(
      sequence: number + 1, persons: [schedule.person(ofPush: number)], times: [schedule.time(ofPush: number)],
      moreToCome: moreToCome)
  }

  /// Pushes a batch of the backlog.
  func pushBacklog(first: Int, count: Int) async throws {
    try await send(
      sequence: first + 1, persons: [schedule.backlogPerson], times: (first..<(first + count)).map(schedule.time),
      moreToCome: false)
  }

  func cancel() { connection.cancel() }

  private func send(sequence: Int, persons: [Int64], times: [Int64], moreToCome: Bool) async throws {
    let scalars = Trackme_Readings_V1_ScalarColumns(
      personID: persons, metric: [1], timeUs: times, value: times.map { Double(60 + $0 % 100) })
    try await connection.push(.init(scalars: scalars), sequence: UInt64(sequence), moreToCome: moreToCome)
  }
}
