public import RPCRuntime
public import WireCodec

/// The responses of a server, in order. Whoever stops reading before the end calls `cancel()`.
public struct ResponseStream<Message: WireMessage>: AsyncSequence, Sendable {
  /// The call, for its metadata and status.
  public let call: ClientCall

  init(call: ClientCall) { self.call = call }

  /// The next message; nil once the call has ended with OK. Throws the `RPCStatus` of any other end.
  public nonisolated(nonsending) func next() async throws -> Message? {
    guard let message = try await call.next() else { return nil }
    do {
      return try Message.decoded(fromResponse: message)
    } catch {
      call.cancel()
      throw error
    }
  }

  /// Ends the call.
  public func cancel() { call.cancel() }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ResponseStream

    public func next() async throws -> Message? { try await stream.next() }
  }
}

/// A call on which the client sends many messages. One task may send while another one reads.
public struct ClientStream<Request: WireMessage, Response: WireMessage>: Sendable {
  /// What the server sends.
  public let responses: ResponseStream<Response>

  init(call: ClientCall) { responses = ResponseStream(call: call) }

  /// The call, for its metadata and status.
  public var call: ClientCall { responses.call }

  /// Sends one message and returns when flow control has accepted it.
  public nonisolated(nonsending) func send(_ message: Request, moreToCome: Bool = false) async throws {
    try await call.send(message.encodedMessage(), moreToCome: moreToCome)
  }

  /// Sends a message that was encoded before.
  public nonisolated(nonsending) func sendEncoded(_ message: RPCMessage, moreToCome: Bool = false) async throws {
    try await call.send(message, moreToCome: moreToCome)
  }

  /// Tells the server that no message follows.
  public nonisolated(nonsending) func finishSending() async throws { try await call.finishSending() }

  /// The next response; nil once the call has ended with OK.
  public nonisolated(nonsending) func next() async throws -> Response? { try await responses.next() }

  /// The one response of a client-streaming RPC, after the last message was sent.
  public nonisolated(nonsending) func response() async throws -> Response {
    guard let response = try await responses.next() else {
      throw RPCStatus(.internal, "The call ended without a response.")
    }
    // The status follows the response, and counts.
    guard try await responses.next() == nil else {
      call.cancel()
      throw RPCStatus(.internal, "The call had more than one response.")
    }
    return response
  }

  /// Ends the call.
  public func cancel() { call.cancel() }
}

extension Channel {
  /// One request, one response; what the generated clients call.
  func unary<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ request: Request, metadata: Metadata, deadline: Duration?
  ) async throws -> Response {
    try Response.decoded(
      fromResponse: await unary(path, request.encodedMessage(), metadata: metadata, deadline: deadline))
  }

  /// One request, many responses; what the generated clients call.
  func serverStreaming<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ request: Request, metadata: Metadata, deadline: Duration?
  ) async throws -> ResponseStream<Response> {
    let call = call(path, metadata: metadata, deadline: deadline)
    try await call.sendLast(request.encodedMessage())
    return ResponseStream(call: call)
  }
}

extension WireMessage {
  /// Decodes a server's message; throws INTERNAL where it is not valid.
  fileprivate static func decoded(fromResponse message: RPCMessage) throws -> Self {
    do {
      return try message.withUnsafeBytes { bytes in try decode(bytes) }
    } catch let error as WireError {
      throw RPCStatus(.internal, "The response can't be read: \(error).")
    }
  }
}
