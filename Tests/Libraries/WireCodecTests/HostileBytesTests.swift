import Testing
import WireCodec

/// Bytes that nobody means well with: the process stays, and what is accepted can be encoded.
@Suite struct HostileBytesTests {
  /// Decodes as several types; returns how many accepted the bytes.
  private func decodeAll(_ bytes: [UInt8]) -> Int {
    func accepts<Message: WireMessage>(_: Message.Type) -> Int {
      guard let message = try? Message.decode(bytes) else { return 0 }
      return message.encoded().count >= 0 ? 1 : 0
    }
    return accepts(Trackme_Ingest_V1_PushReadingsRequest.self) + accepts(Trackme_Ingest_V1_PushReadingsResponse.self)
      + accepts(Trackme_Ingest_V1_RecordReadingsRequest.self) + accepts(Trackme_Sharing_V1_SubscribeResponse.self)
      + accepts(Grpc_Reflection_V1_ServerReflectionResponse.self) + accepts(Google_Rpc_ErrorInfo.self)
  }

  @Test func randomBytesDoNoHarm() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<10_000 {
      _ = decodeAll((0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test func mutatedMessagesDoNoHarm() throws {
    var random = SplitMix64(seed: 2)
    let seeds = try RoundTripTests.cases.map { try Protoc.encode($0.text, as: $0.type) }.filter { !$0.isEmpty }
    var accepted = 0
    for _ in 0..<30_000 {
      var bytes = seeds.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, seeds, &random) }
      accepted += decodeAll(bytes)
    }
    // Enough of them are nearly right to reach the insides of the parser.
    #expect(accepted > 5_000)
  }

  private func mutate(_ bytes: inout [UInt8], _ seeds: [[UInt8]], _ random: inout SplitMix64) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place...)
    case 3: bytes.insert(contentsOf: seeds.randomElement(using: &random)!.prefix(12), at: place)
    case 4 where place < bytes.count: bytes.remove(at: place)
    default: bytes += seeds.randomElement(using: &random)!
    }
  }

  @Test func deeplyNestedGroupsAndMessagesDoNoHarm() {
    let groups = [UInt8](repeating: 0x0B, count: 1 << 20)
    #expect(throws: WireError.self) { try Trackme_Ingest_V1_PushReadingsRequest.decode(groups) }
    // Field 2 within field 2 within …: past the depth of the type, they are unknown fields.
    var nested: [UInt8] = []
    for _ in 0..<2_000 { nested = [0x12] + varint(nested.count) + nested }
    _ = decodeAll(nested)
  }

  @Test func lengthsBeyondTheEndAreRefused() {
    #expect(throws: WireError.self) {
      try Trackme_Ingest_V1_PushHello.decode([10, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
    }
    #expect(throws: WireError.self) {
      try Trackme_Ingest_V1_PushHello.decode([10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    }
  }

  @Test func aMessageThatSwellsInMemoryIsRefused() throws {
    // Two bytes each on the wire: an empty Reading takes over 150 bytes once decoded.
    let swelling = [UInt8](repeating: 0, count: 1 << 20).enumerated().map { $0.offset % 2 == 0 ? UInt8(0x1A) : 0 }
    #expect(throws: WireError.self) { try Trackme_Ingest_V1_RecordReadingsRequest.decode(swelling) }
    let reading = Trackme_Readings_V1_Reading(personID: 1, metric: "heart_rate", timeUs: 1, value: .scalar(60))
    let honest = Trackme_Ingest_V1_RecordReadingsRequest(readings: Array(repeating: reading, count: 10_000))
    #expect(try Trackme_Ingest_V1_RecordReadingsRequest.decode(honest.encoded()) == honest)
    let answer = Trackme_Ingest_V1_PushReadingsResponse(
      frame: .acknowledgements(.init(acknowledgements: (1...10_000).map { .init(sequence: $0, accepted: 1) })))
    #expect(try Trackme_Ingest_V1_PushReadingsResponse.decode(answer.encoded()) == answer)
  }

  private func varint(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
  }
}

/// Repeatable random numbers (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
