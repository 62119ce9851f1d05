package import RPCRuntime
internal import Synchronization
package import WireCodec

/// Pushes messages that are made as they are sent, for the times in them are of now.
package final class LiveStream: Sendable {
  private let connection: PushConnection
  private let sequence = Mutex<UInt64>(0)

  /// Opens the stream, as `PushConnection` does.
  package init(_ client: String, over channel: Channel) async throws {
    connection = try await PushConnection(client, over: channel)
  }

  /// Pushes one message and waits for its acknowledgement.
  package func push(_ columns: Trackme_Readings_V1_ReadingColumns) async throws {
    try await send(columns)
    _ = try await receive()
  }

  /// Pushes messages until a moment of the monotonic clock, and waits for their acknowledgements.
  ///
  /// - Parameters:
  ///   - window: the most messages that are not acknowledged.
  ///   - message: makes the next one.
  /// - Returns: how many readings were accepted.
  package func push(
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
    try await connection.push(columns, sequence: number)
  }

  private func receive() async throws -> (messages: Int, readings: Int) {
    let answers = try await connection.acknowledgements()
    return (answers.count, answers.reduce(0) { $0 + Int($1.accepted) })
  }
}
