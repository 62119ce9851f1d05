internal import BenchKit
internal import RPCRuntime
internal import WireCodec

/// Everything that one connection will push, encoded.
struct PreparedPushes: Sendable {
  /// A batch as it goes over the wire.
  struct Batch: Sendable {
    let message: RPCMessage
    let readings: UInt32
  }

  let connection: PushConnection
  /// The number of the first batch.
  private var firstSequence: UInt64 { connection.lastSequence + 1 }
  private var batches: [Batch] = []

  init(over connection: PushConnection) { self.connection = connection }

  /// Encodes the next batch: `count` readings of the generator.
  mutating func prepare(_ count: Int, from generator: inout ReadingGenerator) {
    var columns = Trackme_Readings_V1_ScalarColumns()
    columns.personID.reserveCapacity(count)
    columns.metric.reserveCapacity(count)
    columns.timeUs.reserveCapacity(count)
    columns.value.reserveCapacity(count)
    for _ in 0..<count {
      let reading = generator.next()
      columns.personID.append(reading.person)
      columns.metric.append(reading.metric)
      columns.timeUs.append(reading.time)
      columns.value.append(reading.value)
    }
    let message = PushConnection.encoded(
      .init(scalars: columns), sequence: firstSequence + UInt64(batches.count))
    batches.append(Batch(message: message, readings: UInt32(count)))
  }

  /// Pushes every batch, at most `window` of them unacknowledged, and waits for the last acknowledgement.
  ///
  /// - Returns: nanoseconds from sending to acknowledgement, of each batch.
  /// - Throws: when an acknowledgement is not what it should be.
  func push(window size: Int) async throws -> [Int64] {
    let window = BatchWindow(size: size, batches: batches.count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for (index, batch) in batches.enumerated() {
          guard let isRoomLeft = await window.enter() else { return }
          // Batches that may follow at once share a packet, as any client with a backlog does it.
          try await connection.push(batch.message, moreToCome: isRoomLeft && index + 1 < batches.count)
        }
      }
      group.addTask {
        do { try await receive(window) } catch {
          window.fail()
          throw error
        }
      }
      try await group.waitForAll()
    }
    return window.latencies
  }

  private func receive(_ window: BatchWindow) async throws {
    var acknowledged = 0
    while acknowledged < batches.count {
      let answers = try await connection.acknowledgements()
      var index = acknowledged
      for one in answers {
        guard one.sequence == firstSequence + UInt64(index), one.accepted == batches[index].readings, !one.repeated
        else { throw BenchError("batch \(firstSequence + UInt64(index)) was acknowledged as \(one)") }
        index += 1
      }
      acknowledged = window.leave(answers.count)
    }
  }
}
