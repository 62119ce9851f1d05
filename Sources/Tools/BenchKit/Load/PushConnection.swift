package import RPCRuntime
internal import ServiceAPI
package import WireCodec

/// An open PushReadings stream of the operator: numbered batches go out, acknowledgements come in. One task may push
/// while another one reads acknowledgements.
package struct PushConnection: Sendable {
  package typealias Acknowledgement = Trackme_Ingest_V1_BatchAcknowledgement

  /// The number of the client's last batch that is committed; 0 if there is none.
  package let lastSequence: UInt64
  private let stream: ClientStream<Trackme_Ingest_V1_PushReadingsRequest, Trackme_Ingest_V1_PushReadingsResponse>

  /// Opens the stream, with the operator's token.
  /// - Parameter client: its name, under which the server remembers numbers.
  /// - Throws: `RPCStatus`; `BenchError` if there is no welcome.
  package init(_ client: String, over channel: Channel) async throws {
    stream = IngestServiceClient(channel: channel).pushReadings(metadata: LoadToken.metadata)
    try await stream.send(.init(frame: .hello(.init(clientID: client))))
    guard case .welcome(let welcome) = try await stream.next()?.frame else { throw BenchError("there was no welcome") }
    lastSequence = welcome.lastSequence
  }

  /// A batch as it goes over the wire.
  package static func encoded(_ readings: Trackme_Readings_V1_ReadingColumns, sequence: UInt64) -> RPCMessage {
    Trackme_Ingest_V1_PushReadingsRequest(frame: .batch(.init(sequence: sequence, readings: readings))).encodedMessage()
  }

  /// Pushes a batch, and returns when flow control has accepted it.
  /// - Parameters:
  ///   - sequence: above that of the batch before.
  ///   - moreToCome: whether the next one follows at once, so that the two can share a packet.
  package func push(
    _ readings: Trackme_Readings_V1_ReadingColumns, sequence: UInt64, moreToCome: Bool = false
  ) async throws {
    try await push(Self.encoded(readings, sequence: sequence), moreToCome: moreToCome)
  }

  /// Pushes a batch that was encoded before.
  package func push(_ batch: RPCMessage, moreToCome: Bool = false) async throws {
    try await stream.sendEncoded(batch, moreToCome: moreToCome)
  }

  /// The next acknowledgements, at least one, in the order of their batches.
  /// - Throws: `RPCStatus`; `BenchError` if the stream has ended, or readings were rejected.
  package func acknowledgements() async throws -> [Acknowledgement] {
    guard case .acknowledgements(let answer) = try await stream.next()?.frame else {
      throw BenchError("a stream of readings has ended")
    }
    try check(answer.acknowledgements.allSatisfy { $0.rejected == 0 }, "readings were rejected")
    return answer.acknowledgements
  }

  /// Tells the server that no batch follows, and waits for the end of the stream. Everything must be acknowledged.
  package func close() async throws {
    try await stream.finishSending()
    guard try await stream.next() == nil else { throw BenchError("an acknowledgement too many") }
  }

  /// Ends the stream at once.
  package func cancel() { stream.cancel() }
}

extension Channel {
  /// Over a connection that no other channel has.
  package static func own(to target: String, loops: EventLoopGroup) -> Channel {
    var options = ChannelOptions()
    options.usesOwnConnection = true
    return Channel(target: target, options: options, loops: loops)
  }
}
