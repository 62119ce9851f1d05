internal import AreaKit
internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules
internal import WireCodec

/// A call that has come over HTTP, on its way to its handler.
struct ConnectCall {
  let method: MethodType
  let request: HTTPRequest
  let content: ConnectContent
  /// Who makes it, as the header `Authorization` of gRPC has it; nil: nobody.
  let authorization: String?
  /// How long the client waits; nil: for ever.
  let timeout: Duration?
  /// Whether what is answered is everybody's.
  var isPublic = false
}

/// Answers RPCs by the Connect protocol (https://connectrpc.com/docs/protocol), each at its own path.
///
/// It knows no RPC: what there is, and how a message is written as JSON, is in the descriptors. It decides nothing about
/// rights either: a call goes through what every call of gRPC goes through, with the browser's address as its peer.
struct ConnectGateway: Sendable {
  /// The most bytes of all messages of a call to which many are sent.
  static let uploadBytesMax = 256 << 20
  /// JSON may be so many times as long as the RPC lets messages be: bytes in base64 grow by a third, numbers and names by
  /// more.
  static let jsonGrowth = 4

  let schema: ProtoSchema
  let calls: LocalCalls
  let frames = SharedFrames()
  var bodies = BodyRoom()

  /// What is answered is somebody's, or a failure: nobody keeps it on its way.
  static let noStore = ("cache-control", "no-store")

  /// Answers a call.
  func answer(_ call: ConnectCall) async -> HTTPResponse {
    if call.content.isStreaming { return await stream(call) }
    return await unary(call) { try await body(of: call, $0) }
  }

  /// Answers a call whose message is not in the body: it stands in the address, or is the gateway's own.
  func answer(_ call: ConnectCall, message bytes: [UInt8]) async -> HTTPResponse {
    await unary(call) { _ in try message(bytes, call) }
  }

  // MARK: One request, one response

  private func unary(
    _ call: ConnectCall, _ request: nonisolated(nonsending) (LocalCall) async throws -> RPCMessage
  ) async -> HTTPResponse {
    do {
      let local = begin(call)
      try await local.sendAll(from: call.request) { try await local.send(try await request(local)) }
      let response = try await local.only()
      let (body, type) = (try bytes(of: response, call), ("content-type", call.content.contentType))
      if call.isPublic { return PublicAnswer.response(to: call.request, body, [type]) }
      return HTTPResponse(status: 200, headers: [type, Self.noStore], body: body)
    } catch {
      return failure(error).response
    }
  }

  /// The body as a message.
  private nonisolated(nonsending) func body(of call: ConnectCall, _ local: LocalCall) async throws -> RPCMessage {
    try await reading(local) { grow in
      let max = bytesMax(call, local)
      let bytes: [UInt8]
      do throws(HTTPBodyError) {
        bytes = try await call.request.body(atMost: max, growing: grow)
      } catch .tooLarge {
        throw RPCStatus(EnvelopeFault.tooLong(limit: max))
      }
      return try message(bytes, call)
    }
  }

  /// Reads a body, which ends the call where it has to make room for others.
  /// - Parameter read: is given what says how many bytes are held now.
  private nonisolated(nonsending) func reading<Value>(
    _ local: LocalCall, _ read: nonisolated(nonsending) (@escaping @Sendable (Int) -> Void) async throws -> Value
  ) async throws -> Value {
    try await bodies.with(end: { [weak local] in local?.cancel(because: .noRoomForBody) }, read)
  }

  // MARK: Streams

  /// The whole body of the request is read before the response begins, as HTTP/1.1 has it.
  private func stream(_ call: ConnectCall) async -> HTTPResponse {
    let local = begin(call)
    do {
      try await local.sendAll(from: call.request) {
        try await reading(local) { grow in
          var requests = RequestEnvelopes(
            call.request, maxBytes: bytesMax(call, local), uploadBytesMax: Self.uploadBytesMax, growing: grow)
          guard call.method.isClientStreaming, !call.method.isServerStreaming else {
            return try await local.send(try message(try await requests.only(), call))
          }
          while let request = try await requests.next() { try await local.send(try message(request, call)) }
        }
      }
      guard call.method.isServerStreaming else {
        return Self.streamed(call.content, try envelope(of: try await local.only(), call) + ConnectFailure.end(nil))
      }
    } catch {
      return Self.streamed(call.content, ConnectFailure.end(failure(error)))
    }
    // Nothing of the request is kept for as long as the answer is written.
    let (codec, type) = (call.content.codec, call.method.output)
    return HTTPResponse(
      status: 200, headers: Self.streamHeaders(call.content),
      stream: { writer in
        var end: ConnectFailure?
        do {
          while let response = try await local.next() {
            try await writer.write(try frames.envelope(of: response, as: codec, type))
          }
        } catch {
          end = failure(error)
        }
        // Nobody is there any more where it can't be written.
        try? await writer.write(ConnectFailure.end(end))
      })
  }

  /// A stream that is over before it begins.
  static func streamed(_ content: ConnectContent, _ envelopes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: streamHeaders(content), body: envelopes)
  }

  private static func streamHeaders(_ content: ConnectContent) -> [(String, String)] {
    // Proxies pass each frame on as it comes.
    [("content-type", content.contentType), noStore, ("x-accel-buffering", "no")]
  }

  // MARK: Messages

  private func begin(_ call: ConnectCall) -> LocalCall {
    calls.call(call.method.path, from: call.request, authorization: call.authorization, deadline: call.timeout)
  }

  /// Of a message: what the RPC lets through, and in JSON what becomes of that.
  private func bytesMax(_ call: ConnectCall, _ local: LocalCall) -> Int {
    local.maxMessageBytes * (call.content.codec == .json ? Self.jsonGrowth : 1)
  }

  private func message(_ bytes: [UInt8], _ call: ConnectCall) throws -> RPCMessage {
    switch call.content.codec {
    case .proto: return RPCMessage(bytes)
    case .json:
      do throws(WireError) {
        return RPCMessage(try call.method.input.message(fromJSON: bytes))
      } catch {
        throw RPCStatus(invalidMessage: error)
      }
    }
  }

  private func bytes(of message: RPCMessage, _ call: ConnectCall) throws(WireError) -> [UInt8] {
    switch call.content.codec {
    case .proto: message.bytes
    case .json: try call.method.output.json(message.bytes)
    }
  }

  private func envelope(of message: RPCMessage, _ call: ConnectCall) throws(WireError) -> [UInt8] {
    try frames.envelope(of: message, as: call.content.codec, call.method.output)
  }

  /// A call that did not end well, as Connect tells it.
  func failure(_ error: any Error) -> ConnectFailure { ConnectFailure(RPCStatus(ofRequest: error), schema) }
}

extension RPCStatus {
  fileprivate static let noRoomForBody = RPCStatus(
    .resourceExhausted, reason: "TOO_BUSY", message: "Too much is being sent to the server at once; try again later.")
}
