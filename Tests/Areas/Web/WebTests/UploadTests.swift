import AreaKit
import Foundation
import HTTPServer
import ProtoJSON
import RPCRuntime
import Synchronization
import Testing
import WebRules

@testable import Web

/// No RPC of the API takes many messages and answers once. The one here is of Tests/fixtures/proto_json/mapping.proto.
@Suite("Calls to which many messages are sent")
struct UploadTests {
  private static let path = "/trackme.test.mapping.Mapping/Write"

  /// The descriptors of the file, by protoc.
  private static let schema = Result { () throws -> ProtoSchema in
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../fixtures")
    let set = FileManager.default.temporaryDirectory.appending(path: "trackme-upload-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: set) }
    let protoc = Process()
    protoc.executableURL = URL(filePath: "/usr/bin/protoc")
    protoc.arguments = [
      "-I", folder.standardized.path, "-I", "/usr/include", "--include_imports", "--descriptor_set_out=\(set.path)",
      "proto_json/mapping.proto",
    ]
    try protoc.run()
    protoc.waitUntilExit()
    return try ProtoSchema([UInt8](Data(contentsOf: set)))
  }

  /// Sends a body to a handler that takes as many messages as it wants, and tells how many came.
  private func upload(
    _ parts: [[UInt8]], takes most: Int = .max, fails: Bool = false, room: BodyRoom = BodyRoom()
  ) async throws -> (taken: Int, text: String) {
    let taken = Atomic<Int>(0)
    let loops = EventLoopGroup(count: 1)
    let method = RPCMethod(path: Self.path) { call in
      var count = 0
      while count < most, try await call.next() != nil { count += 1 }
      if fails { throw RPCStatus(.outOfRange, "no more than \(most)") }
      taken.store(count, ordering: .relaxed)
      call.sendLast(RPCMessage([]))
    }
    let server = try Server(configuration: ServerConfiguration(), methods: [method], loops: loops)
    _ = try server.start()
    let calls = LocalCalls()
    calls.begin(on: server)
    let gateway = ConnectGateway(schema: try Self.schema.get(), calls: calls, bodies: room)
    let response = await gateway.answer(
      ConnectCall(
        method: try #require(try Self.schema.get().method(Self.path)),
        request: HTTPRequest(method: "POST", path: Self.path, body: parts.flatMap { $0 }),
        content: ConnectContent(codec: .json, isStreaming: true), authorization: nil, timeout: .seconds(20)))
    await server.shutdown(grace: .zero)
    loops.shutdown()
    #expect(response.status == 200)
    return (taken.load(ordering: .relaxed), String(decoding: try #require(response.bytes), as: UTF8.self))
  }

  private let message = Envelope.wrap(Array(#"{"anInt32": 1}"#.utf8))

  @Test("Each message comes to the handler, and one response comes back")
  func whole() async throws {
    let (taken, text) = try await upload([[UInt8]](repeating: message, count: 1_000))
    #expect(taken == 1_000 && text == "\0\0\0\0\u{2}{}\u{2}\0\0\0\u{2}{}")
  }

  @Test("A handler that has had enough ends the call, whatever still comes")
  func enough() async throws {
    let (_, text) = try await upload([[UInt8]](repeating: message, count: 1_000), takes: 3, fails: true)
    #expect(text.contains(#""code":"out_of_range","message":"no more than 3""#), "\(text)")
  }

  @Test("A handler that answers before everything has come is heard")
  func early() async throws {
    let (taken, text) = try await upload([[UInt8]](repeating: message, count: 1_000), takes: 3)
    #expect(taken == 3 && text == "\0\0\0\0\u{2}{}\u{2}\0\0\0\u{2}{}", "\(text)")
  }

  @Test func aMessageThatIsNoneEndsTheCallByName() async throws {
    let (_, text) = try await upload([message, Envelope.wrap(Array(#"{"colour": 1}"#.utf8))])
    #expect(text.contains(#""code":"invalid_argument""#) && text.contains("colour"), "\(text)")
  }

  @Test func whatFindsNoRoomEndsTheCallByName() async throws {
    let (_, text) = try await upload([message], room: BodyRoom(bytesMax: message.count - 1))
    #expect(text.contains(#""code":"resource_exhausted""#) && text.contains("Too much is being sent"), "\(text)")
    #expect(try await upload([message], room: BodyRoom(bytesMax: message.count)).taken == 1)
  }

  @Test func allTogetherAreBounded() async throws {
    var requests = RequestEnvelopes(
      HTTPRequest(method: "POST", path: "/", body: [[UInt8]](repeating: message, count: 10).flatMap { $0 }),
      maxBytes: 100, uploadBytesMax: 10 * message.count - 1)
    await #expect(throws: RPCStatus.self) { while try await requests.next() != nil {} }
  }
}
