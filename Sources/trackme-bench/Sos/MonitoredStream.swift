import RPCRuntime
import ServiceAPI
import Synchronization
import WireCodec

/// A PushReadings stream whose messages are made as they are sent, for the times in them are of now.
final class MonitoredStream: Sendable {
  private let stream: PushStream.Stream
  private let sequence = Mutex<UInt64>(0)

  /// Opens the stream with the operator's token.
  init(channel: Channel, client: String) async throws {
    stream = IngestServiceClient(channel: channel).pushReadings(metadata: LoadToken.metadata)
    try await stream.send(.init(frame: .hello(.init(clientID: client))))
    guard case .welcome = try await stream.next()?.frame else { throw BenchError("there was no welcome") }
  }

  /// Pushes one message and waits for its acknowledgement.
  func push(_ columns: Trackme_Readings_V1_ReadingColumns) async throws {
    try await send(columns)
    _ = try await receive()
  }

  /// Pushes messages until a moment of the monotonic clock, and waits for their acknowledgements.
  ///
  /// - Parameters:
  ///   - window: the most messages that are not acknowledged.
  ///   - message: makes the next one.
  /// - Returns: how many readings were accepted.
  func push(
    until end: Int64, window: Int, _ message: () -> Trackme_Readings_V1_ReadingColumns
  ) async throws -> Int {
    var (unacknowledged, accepted) = (0, 0)
    while monotonicNanoseconds() < end {
      while unacknowledged >= window {
        let answer = try await receive()
        unacknowledged -= answer.messages
        accepted += answer.readings
      }
      try await send(message())
      unacknowledged += 1
    }
    while unacknowledged > 0 {
      let answer = try await receive()
      unacknowledged -= answer.messages
      accepted += answer.readings
    }
    return accepted
  }

  private func send(_ columns: Trackme_Readings_V1_ReadingColumns) async throws {
    let number = sequence.withLock { number in
      number += 1
      return number
    }
    try await stream.send(.init(frame: .batch(.init(sequence: number, readings: columns))))
  }

  private func receive() async throws -> (messages: Int, readings: Int) {
    guard case .acknowledgements(let answer) = try await stream.next()?.frame else {
      throw BenchError("a stream of monitored persons has ended")
    }
    try check(answer.acknowledgements.allSatisfy { $0.rejected == 0 }, "readings were refused")
    return (answer.acknowledgements.count, answer.acknowledgements.reduce(0) { $0 + Int($1.accepted) })
  }
}
