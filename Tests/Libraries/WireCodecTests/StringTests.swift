import Testing
import WireCodec

/// What protobuf-c lets through and this codec does not.
@Suite struct StringTests {
  private func batch(source: [UInt8]) -> [UInt8] {
    func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
    return field(2, field(2, field(1, Array("ok".utf8)) + field(1, []) + field(1, source)))
  }

  @Test(
    "a string that is not UTF-8 is refused, by its place",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xE2, 0x82]] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    #expect(throws: WireError(field: "batch.readings.sources[2]", problem: "is not valid UTF-8")) {
      try Trackme_Ingest_V1_PushReadingsRequest.decode(batch(source: bytes))
    }
  }

  @Test(
    "a string with a NUL is refused, by its place",
    arguments: [[0], [0, 0x61], [0x61, 0], [0x61, 0, 0x62]] as [[UInt8]])
  func embeddedNUL(_ bytes: [UInt8]) {
    #expect(throws: WireError(field: "batch.readings.sources[2]", problem: "holds a NUL character")) {
      try Trackme_Ingest_V1_PushReadingsRequest.decode(batch(source: bytes))
    }
  }

  @Test func aFieldOutsideAListIsNamedWithoutIndex() {
    #expect(throws: WireError(field: "hello.client_id", problem: "is not valid UTF-8")) {
      try Trackme_Ingest_V1_PushReadingsRequest.decode([10, 3, 10, 1, 0xFF])
    }
    #expect(throws: WireError(field: "readings[1].metric", problem: "holds a NUL character")) {
      try Trackme_Ingest_V1_RecordReadingsRequest.decode([0x1A, 0, 0x1A, 3, 0x12, 1, 0])
    }
  }

  @Test func aStringInAOneofIsCheckedToo() {
    #expect(throws: WireError(field: "file_by_filename", problem: "holds a NUL character")) {
      try Grpc_Reflection_V1_ServerReflectionRequest.decode([0x1A, 2, 0x61, 0])
    }
  }

  @Test func aNULGoesOutAsReplacementCharacter() throws {
    let sent = Trackme_Ingest_V1_PushHello(clientID: "a\0b")
    #expect(try Trackme_Ingest_V1_PushHello.decode(sent.encoded()).clientID == "a\u{FFFD}b")
  }

  @Test func longStringsAreWhole() throws {
    let text = String(repeating: "å🚴", count: 100_000)
    let sent = Trackme_Ingest_V1_PushHello(clientID: text)
    #expect(try Trackme_Ingest_V1_PushHello.decode(sent.encoded()) == sent)
  }
}
