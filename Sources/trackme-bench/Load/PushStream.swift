import RPCRuntime
import ServiceAPI
import WireCodec

/// One open PushReadings stream with everything it will push, encoded.
struct PushStream: Sendable {
  /// A batch as it goes over the wire.
  struct Batch: Sendable {
    let message: RPCMessage
    let readings: UInt32
  }

  typealias Stream = ClientStream<Trackme_Ingest_V1_PushReadingsRequest, Trackme_Ingest_V1_PushReadingsResponse>

  let stream: Stream
  /// The number of the first batch.
  let firstSequence: UInt64
  var batches: [Batch] = []

  /// Opens the stream.
  init(channel: Channel, client: String, metadata: Metadata) async throws {
    stream = IngestServiceClient(channel: channel).pushReadings(metadata: metadata)
    try await stream.send(.init(frame: .hello(.init(clientID: client))))
    guard case .welcome(let welcome) = try await stream.next()?.frame else { throw BenchError("there was no welcome") }
    firstSequence = welcome.lastSequence + 1
  }

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
    let request = Trackme_Ingest_V1_PushReadingsRequest(
      frame: .batch(.init(sequence: firstSequence + UInt64(batches.count), readings: .init(scalars: columns))))
    batches.append(Batch(message: request.encodedMessage(), readings: UInt32(count)))
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
          try await stream.sendEncoded(batch.message, moreToCome: isRoomLeft && index + 1 < batches.count)
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
      guard case .acknowledgements(let answer) = try await stream.next()?.frame else {
        throw BenchError("the stream ended after \(acknowledged) acknowledgements")
      }
      var index = acknowledged
      for one in answer.acknowledgements {
        guard one.sequence == firstSequence + UInt64(index), one.accepted == batches[index].readings, one.rejected == 0,
          !one.repeated
        else { throw BenchError("batch \(firstSequence + UInt64(index)) was acknowledged as \(one)") }
        index += 1
      }
      acknowledged = window.leave(answer.acknowledgements.count)
    }
  }

  /// Half-closes the stream and waits for its end.
  func close() async throws {
    try await stream.finishSending()
    guard try await stream.next() == nil else { throw BenchError("an acknowledgement too many") }
  }
}
