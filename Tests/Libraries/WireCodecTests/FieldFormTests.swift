import Testing
import WireCodec

/// Forms in which the wire format lets a field arrive.
@Suite struct FieldFormTests {
  @Test func repeatedNumbersAreTakenPackedAndUnpacked() throws {
    // ScalarColumns.metric = 2: packed [1, 300], then unpacked 5.
    let packed: [UInt8] = [0x12, 3, 0x01, 0xAC, 0x02]
    let unpacked: [UInt8] = [0x10, 5]
    #expect(try Trackme_Readings_V1_ScalarColumns.decode(packed).metric == [1, 300])
    #expect(try Trackme_Readings_V1_ScalarColumns.decode([0x10, 1, 0x10, 0xAC, 0x02]).metric == [1, 300])
    #expect(try Trackme_Readings_V1_ScalarColumns.decode(packed + unpacked).metric == [1, 300, 5])
  }

  @Test func unpackedFixedNumbersAreTakenToo() throws {
    // ScalarColumns.value = 5, wire type 1.
    let one: [UInt8] = [0x29, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    #expect(try Trackme_Readings_V1_ScalarColumns.decode(one + one).value == [1, 1])
  }

  @Test func unknownEnumNumbersAreKept() throws {
    let bytes: [UInt8] = [0x10, 0xF4, 0x03]
    let rejection = try Trackme_Ingest_V1_Rejection.decode(bytes)
    #expect(rejection.reason == .unrecognized(500))
    #expect(rejection.encoded() == bytes)
    #expect(Trackme_Ingest_V1_RejectionReason(rawValue: 7) == .notYours)
  }

  @Test func unknownFieldsAreSkipped() throws {
    // Field 100 as varint, fixed32, fixed64 and bytes, around PushHello.client_id.
    let bytes: [UInt8] = [
      0xA0, 0x06, 1, 0xA5, 0x06, 1, 2, 3, 4, 10, 1, 0x61, 0xA1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0xA2, 0x06, 2, 9, 9,
    ]
    #expect(try Trackme_Ingest_V1_PushHello.decode(bytes) == .init(clientID: "a"))
  }

  @Test func zeroInAOneofIsPresentAndAbsenceIsNil() throws {
    let present = Trackme_Readings_V1_Position(altitude: 0)
    #expect(!present.encoded().isEmpty)
    #expect(try Trackme_Readings_V1_Position.decode(present.encoded()).altitude == 0)
    #expect(try Trackme_Readings_V1_Position.decode([]).altitude == nil)

    let scalar = Trackme_Readings_V1_Reading(value: .scalar(0))
    #expect(try Trackme_Readings_V1_Reading.decode(scalar.encoded()).value == .scalar(0))
    #expect(try Trackme_Readings_V1_Reading.decode([]).value == nil)
  }

  @Test func theLastFieldOfAOneofWins() throws {
    let scalar = Trackme_Readings_V1_Reading(value: .scalar(3)).encoded()
    let position = Trackme_Readings_V1_Reading(value: .position(.init(latitude: 1))).encoded()
    #expect(try Trackme_Readings_V1_Reading.decode(position + scalar).value == .scalar(3))
    #expect(try Trackme_Readings_V1_Reading.decode(scalar + position).value == .position(.init(latitude: 1)))
  }

  @Test func aMessageThatComesInPartsIsMerged() throws {
    let first = Trackme_Ingest_V1_ReadingBatch(readings: .init(sources: ["a"], scalars: .init(metric: [1])))
    let second = Trackme_Ingest_V1_ReadingBatch(readings: .init(sources: ["b"], scalars: .init(metric: [2])))
    let merged = try Trackme_Ingest_V1_ReadingBatch.decode(first.encoded() + second.encoded())
    #expect(merged.readings?.sources == ["a", "b"])
    #expect(merged.readings?.scalars?.metric == [1, 2])
  }

  @Test func anEmptyMessageHasNoBytes() throws {
    #expect(Trackme_Sharing_V1_Heartbeat().encoded().isEmpty)
    #expect(try Trackme_Sharing_V1_Heartbeat.decode([]) == .init())
  }
}
