import ProtoJSON
import RPCRuntime
import Testing
import WebRules
import WireCodec

@testable import Web

@Suite("Frames that many are sent")
struct SharedFramesTests {
  private let frames = SharedFrames()
  private let type = ProtoSchema.embedded.message("trackme.identity.v1.LogInRequest")!

  private func message(_ name: String) -> RPCMessage {
    RPCMessage(Trackme_Identity_V1_LogInRequest(name: name, password: "").encoded())
  }

  @Test("A message that all spectators are sent is made JSON once, whoever comes at once")
  func once() async throws {
    let message = message("a")
    let envelopes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<100 { group.addTask { [frames, type] in try frames.envelope(of: message, as: .json, type) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(envelopes == [Envelope.wrap(Array(#"{"name":"a"}"#.utf8))])
    #expect(frames.encodings == 1)
  }

  @Test func bytesPassAsTheyAre() throws {
    let message = message("a")
    #expect(try frames.envelope(of: message, as: .proto, type) == Envelope.wrap(message.bytes))
    #expect(frames.encodings == 0)
  }

  @Test("A message that is made again is another one, and has JSON of its own")
  func anew() throws {
    for _ in 0..<2 {
      #expect(try frames.envelope(of: message("a"), as: .json, type) == Envelope.wrap(Array(#"{"name":"a"}"#.utf8)))
    }
    #expect(frames.encodings == 2)
  }

  @Test func whatIsNoMessageIsAnErrorForEverybody() {
    let bad = RPCMessage([0xff])
    for _ in 0..<2 { #expect(throws: WireError.self) { try frames.envelope(of: bad, as: .json, type) } }
  }
}
