public import RPCRuntime
public import WireCodec

// The four kinds of RPC over the untyped call of RPCRuntime; the generated method tables are made of these.

extension RPCMethod {
  /// One request, one response.
  public static func unary<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ body: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) -> RPCMethod {
    RPCMethod(path: path) { call in
      let response = try await body(onlyRequest(call), CallContext(call))
      call.sendLast(response.encodedMessage())
    }
  }

  /// One request, many responses.
  public static func serverStreaming<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ body: @escaping @Sendable (Request, ResponseWriter<Response>, CallContext) async throws -> Void
  ) -> RPCMethod {
    RPCMethod(path: path) { call in
      try await body(onlyRequest(call), ResponseWriter(call), CallContext(call))
    }
  }

  /// Many requests, one response.
  public static func clientStreaming<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ body: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
  ) -> RPCMethod {
    RPCMethod(path: path) { call in
      let response = try await body(RequestStream(call), CallContext(call))
      call.sendLast(response.encodedMessage())
    }
  }

  /// Many requests and many responses, independent of each other.
  public static func bidirectional<Request: WireMessage, Response: WireMessage>(
    _ path: String,
    _ body: @escaping @Sendable (RequestStream<Request>, ResponseWriter<Response>, CallContext) async throws -> Void
  ) -> RPCMethod {
    RPCMethod(path: path) { call in
      try await body(RequestStream(call), ResponseWriter(call), CallContext(call))
    }
  }

  private nonisolated(nonsending) static func onlyRequest<Request: WireMessage>(
    _ call: ServerCall
  ) async throws -> Request {
    guard let request = try await RequestStream<Request>(call).next() else {
      throw RPCStatus(.invalidArgument, reason: "NO_MESSAGE", message: "The call ended without a request message.")
    }
    return request
  }
}
