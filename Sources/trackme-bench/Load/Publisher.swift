import RPCRuntime
import ServiceAPI
import WireCodec

/// Pushes single readings as they fall due, and batches of backlog.
struct Publisher: Sendable {
  private let stream: PushStream.Stream
  private let schedule: PushSchedule

  /// Opens a stream of its own.
  init(_ client: String, schedule: PushSchedule, channel: Channel, metadata: Metadata) async throws {
    self.schedule = schedule
    stream = IngestServiceClient(channel: channel).pushReadings(metadata: metadata)
    try await stream.send(.init(frame: .hello(.init(clientID: client))))
    guard case .welcome = try await stream.next()?.frame else { throw BenchError("there was no welcome") }
  }

  /// Reads acknowledgements until the stream is cancelled.
  func run() async {
    while let answer = try? await stream.next() {
      guard case .acknowledgements(let all) = answer.frame, all.acknowledgements.allSatisfy({ $0.rejected == 0 }) else {
        // The readings that are missing will show.
        return
      }
    }
  }

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

  func cancel() { stream.cancel() }

  private func send(sequence: Int, persons: [Int64], times: [Int64], moreToCome: Bool) async throws {
    let scalars = Trackme_Readings_V1_ScalarColumns(
      personID: persons, metric: [1], timeUs: times, value: times.map { Double(60 + $0 % 100) })
    try await stream.send(
      .init(frame: .batch(.init(sequence: UInt64(sequence), readings: .init(scalars: scalars)))),
      moreToCome: moreToCome)
  }
}
