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
}

/// Answers RPCs by the Connect protocol (https://connectrpc.com/docs/protocol), each at its own path.
///
/// It knows no RPC: what there is, and how a message is written as JSON, is in the descriptors. It decides nothing about
/// rights either: a call goes through what every call of gRPC goes through, with the browser's address as its peer.
struct ConnectGateway: Sendable {
  /// The most bytes of a message, in either form. The RPCs have limits of their own below it.
  static let messageBytesMax = 4 << 20
  /// The most bytes of all messages of a call to which many are sent.
  static let uploadBytesMax = 256 << 20

  let schema: ProtoSchema
  let calls: LocalCalls
  let frames = SharedFrames()

  /// What is answered is somebody's: nobody keeps it on its way.
  static let noStore = ("cache-control", "no-store")

  /// Answers a call.
  func answer(_ call: ConnectCall) async -> HTTPResponse {
    if call.content.isStreaming { return await stream(call) }
    return await unary(call) { try await call.request.body(atMost: Self.messageBytesMax) }
  }

  /// Answers a call whose message stands in the address.
  func answer(_ call: ConnectCall, _ query: ConnectQuery) async -> HTTPResponse { await unary(call) { query.message } }

  // MARK: One request, one response

  private func unary(_ call: ConnectCall, _ body: () async throws -> [UInt8]) async -> HTTPResponse {
    do {
      let request = try message(try await body(), call)
      let local = begin(call)
      try await local.send(request)
      local.finishSending()
      let response = try await Self.only(of: local)
      return HTTPResponse(
        status: 200, headers: [("content-type", call.content.contentType), Self.noStore],
        body: try bytes(of: response, call))
    } catch {
      return failure(error).response
    }
  }

  /// The one response.
  private nonisolated(nonsending) static func only(of local: LocalCall) async throws -> RPCMessage {
    guard let response = try await local.next() else {
      throw RPCStatus(.internal, "the call ended without a response")
    }
    // The status follows the response, and counts.
    guard try await local.next() == nil else { throw RPCStatus(.internal, "the call had more than one response") }
    return response
  }

  // MARK: Streams

  /// The whole body of the request is read before the response begins, as HTTP/1.1 has it.
  private func stream(_ call: ConnectCall) async -> HTTPResponse {
    var requests = RequestEnvelopes(call.request, maxBytes: Self.messageBytesMax, uploadBytesMax: Self.uploadBytesMax)
    do {
      guard call.method.isServerStreaming else {
        let response = try await upload(&requests, call)
        return Self.streamed(call.content, try envelope(of: response, call) + ConnectFailure.end(nil))
      }
      let first = try message(try await requests.only(), call)
      return HTTPResponse(
        status: 200, headers: Self.streamHeaders(call.content),
        stream: { writer in
          var end: ConnectFailure?
          do { try await pass(call, first, to: writer) } catch { end = failure(error) }
          // Nobody is there any more where it can't be written.
          try? await writer.write(ConnectFailure.end(end))
        })
    } catch {
      return Self.streamed(call.content, ConnectFailure.end(failure(error)))
    }
  }

  /// A stream that is over before it begins.
  static func streamed(_ content: ConnectContent, _ envelopes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: streamHeaders(content), body: envelopes)
  }

  private static func streamHeaders(_ content: ConnectContent) -> [(String, String)] {
    // Proxies pass each frame on as it comes.
    [("content-type", content.contentType), noStore, ("x-accel-buffering", "no")]
  }

  private nonisolated(nonsending) func pass(
    _ call: ConnectCall, _ request: RPCMessage, to writer: HTTPBodyWriter
  ) async throws {
    let local = begin(call)
    try await local.send(request)
    local.finishSending()
    while let response = try await local.next() { try await writer.write(try envelope(of: response, call)) }
  }

  /// Sends message after message as they come, and stops where the handler has ended.
  private nonisolated(nonsending) func upload(
    _ requests: inout RequestEnvelopes, _ call: ConnectCall
  ) async throws -> RPCMessage {
    let local = begin(call)
    while let request = try await requests.next() {
      let message = try message(request, call)
      // What a call has ended with before its client was done is read below.
      do { try await local.send(message) } catch { break }
    }
    local.finishSending()
    return try await Self.only(of: local)
  }

  // MARK: Messages

  private func begin(_ call: ConnectCall) -> LocalCall {
    calls.call(call.method.path, from: call.request, authorization: call.authorization, deadline: call.timeout)
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

  /// The one table from what can go wrong on the way to statuses.
  func failure(_ error: any Error) -> ConnectFailure {
    let status: RPCStatus =
      switch error {
      case let status as RPCStatus: status
      case let page as ForeignPage: page.status
      case let fault as EnvelopeFault: RPCStatus(fault)
      case let error as HTTPBodyError: RPCStatus(error)
      case is CancellationError, is HTTPBodyWriter.Gone: RPCStatus(.cancelled, "the call was cancelled")
      default: RPCStatus(.internal, "the answer can't be written")
      }
    return ConnectFailure(status, schema)
  }
}
