import Testing
import WireCodec

/// A message type with its name, so that tables of different types can be written down.
struct MessageCase: Sendable, CustomTestStringConvertible {
  let type: String
  let text: String
  /// Decodes and encodes again.
  let reencode: @Sendable ([UInt8]) throws -> [UInt8]

  init<Message: WireMessage>(_ type: String, _: Message.Type, _ text: String) {
    self.type = type
    self.text = text
    reencode = { try Message.decode($0).encoded() }
  }

  var testDescription: String { "\(type) { \(text) }" }
}

@Suite struct RoundTripTests {
  static let cases: [MessageCase] = [
    MessageCase(
      "trackme.ingest.v1.PushReadingsRequest", Trackme_Ingest_V1_PushReadingsRequest.self, "hello { client_id: 'a' }"),
    MessageCase("trackme.ingest.v1.PushReadingsRequest", Trackme_Ingest_V1_PushReadingsRequest.self, "hello {}"),
    MessageCase("trackme.ingest.v1.PushReadingsRequest", Trackme_Ingest_V1_PushReadingsRequest.self, ""),
    MessageCase(
      "trackme.ingest.v1.PushReadingsRequest", Trackme_Ingest_V1_PushReadingsRequest.self,
      """
      batch {
        sequence: 18446744073709551615
        readings {
          sources: 'cuff' sources: '' sources: 'ÆØÅ 👩‍🚀'
          scalars { person_id: 7 metric: [1, 300, 4294967295] source: [0, 1, 2]
                    time_us: [-1, 0, 9223372036854775807] value: [nan, -0.0, 1e308] }
          positions { person_id: [1, -9223372036854775808] time_us: 5 latitude: 52.5 longitude: -0.1 altitude: nan }
          waveforms { person_id: 1 metric: 2 time_us: 3 rate_hz: 500 sample_count: 2 samples: [0.25, -0.5] }
        }
      }
      """),
    MessageCase(
      "trackme.ingest.v1.PushReadingsResponse", Trackme_Ingest_V1_PushReadingsResponse.self,
      """
      acknowledgements {
        acknowledgements { sequence: 1 position: -5 accepted: 4294967295 repeated: true }
        acknowledgements { rejections { index: 3 reason: REJECTION_REASON_NOT_YOURS field: 'value' } rejections {} }
      }
      """),
    MessageCase(
      "trackme.ingest.v1.RecordReadingsRequest", Trackme_Ingest_V1_RecordReadingsRequest.self,
      """
      client_id: 'c' readings { person_id: 1 metric: 'heart_rate' time_us: 12 scalar: 0 }
      readings { position { latitude: 1 altitude: 0 course: 359.9 } }
      readings { waveform { rate_hz: 1 samples: [1, 2, 3] } }
      """),
    MessageCase(
      "trackme.readings.v1.ListReadingsRequest", Trackme_Readings_V1_ListReadingsRequest.self,
      "person_id: 1 metrics: 'a' metrics: 'b' order: READING_ORDER_OLDEST_FIRST page_size: -1 page_token: 'x'"),
    MessageCase(
      "trackme.readings.v1.SummarizeReadingsResponse", Trackme_Readings_V1_SummarizeReadingsResponse.self,
      "summaries { start_us: 1 count: 2 min: 3 mean: 4 max: 5 last: 6 } summaries {} next_page_token: 'n'"),
    MessageCase(
      "trackme.sharing.v1.SubscribeResponse", Trackme_Sharing_V1_SubscribeResponse.self,
      "cursor: 'c' delivery { catching_up: true readings { scalars { value: 1 } } }"),
    MessageCase(
      "trackme.sharing.v1.SubscribeResponse", Trackme_Sharing_V1_SubscribeResponse.self, "cursor: 'c' heartbeat {}"),
    MessageCase(
      "google.rpc.ErrorInfo", Google_Rpc_ErrorInfo.self, "reason: 'R' metadata { key: 'a' value: 'b' }"),
    MessageCase(
      "grpc.reflection.v1.ServerReflectionResponse", Grpc_Reflection_V1_ServerReflectionResponse.self,
      "file_descriptor_response { file_descriptor_proto: 'a\\0b' file_descriptor_proto: '' }"),
    MessageCase(
      "grpc.reflection.v1.ServerReflectionRequest", Grpc_Reflection_V1_ServerReflectionRequest.self,
      "host: 'h' list_services: ''"),
  ]

  @Test("protoc's bytes come back as they were, and mean the same to protoc", arguments: cases)
  func agreesWithProtoc(_ message: MessageCase) throws {
    let expected = try Protoc.encode(message.text, as: message.type)
    let again = try message.reencode(expected)
    #expect(again == expected)
    #expect(try Protoc.decode(again, as: message.type) == Protoc.decode(expected, as: message.type))
  }

  @Test func valuesArriveInTheirFields() throws {
    let bytes = try Protoc.encode(
      """
      batch { sequence: 9 readings { sources: 'x' scalars { person_id: 7 metric: 1 metric: 2 time_us: -1 time_us: 5
      value: 0.5 value: 1.5 } } }
      """, as: "trackme.ingest.v1.PushReadingsRequest")
    let expected = Trackme_Ingest_V1_PushReadingsRequest(
      frame: .batch(
        .init(
          sequence: 9,
          readings: .init(
            sources: ["x"], scalars: .init(personID: [7], metric: [1, 2], timeUs: [-1, 5], value: [0.5, 1.5])))))
    #expect(try Trackme_Ingest_V1_PushReadingsRequest.decode(bytes) == expected)
    #expect(expected.encoded() == bytes)
  }

  @Test func encodingWithinEncodingKeepsBothMessagesWhole() {
    let outer = Trackme_Ingest_V1_PushHello(clientID: "outer")
    let inner = Trackme_Ingest_V1_PushHello(clientID: String(repeating: "i", count: 1 << 20))
    let bytes = outer.withEncoded { size, write in
      let between = inner.encoded()
      #expect(between.count > 1 << 20)
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = write(UnsafeMutableRawBufferPointer(buffer))
      }
    }
    #expect(bytes == [10, 5] + Array("outer".utf8))
  }
}
