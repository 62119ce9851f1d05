internal import AreaKit
internal import HTTPServer
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// The calls of a browser that the gateway makes for it, because what they answer with is not for pages.
struct LocalIdentity: Sendable {
  /// How long each may take.
  private static let patience: Duration = .seconds(20)

  let calls: LocalCalls

  func logIn(_ request: Trackme_Identity_V1_LogInRequest, _ http: HTTPRequest) async throws
    -> Trackme_Identity_V1_Session
  {
    let response: Trackme_Identity_V1_LogInResponse = try await call(IdentityServiceMethod.logIn, request, http)
    return try Self.present(response.session)
  }

  func refresh(_ token: String, _ http: HTTPRequest) async throws -> Trackme_Identity_V1_Session {
    let request = Trackme_Identity_V1_RefreshSessionRequest(refreshToken: token)
    let response: Trackme_Identity_V1_RefreshSessionResponse =
      try await call(IdentityServiceMethod.refreshSession, request, http)
    return try Self.present(response.session)
  }

  func logOut(token: String, _ http: HTTPRequest) async throws {
    let _: Trackme_Identity_V1_LogOutResponse =
      try await call(IdentityServiceMethod.logOut, Trackme_Identity_V1_LogOutRequest(), http, token: token)
  }

  private func call<Request: WireMessage, Response: WireMessage>(
    _ method: IdentityServiceMethod, _ request: Request, _ http: HTTPRequest, token: String? = nil
  ) async throws -> Response {
    let call = calls.call(
      method.rawValue, from: http, authorization: token.map { "Bearer \($0)" }, deadline: Self.patience)
    try await call.send(request.encodedMessage())
    call.finishSending()
    guard let message = try await call.next() else { throw RPCStatus(.internal, "the call ended without a response") }
    guard try await call.next() == nil else { throw RPCStatus(.internal, "the call had more than one response") }
    return try message.withUnsafeBytes { try Response.decode($0) }
  }

  private static func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw RPCStatus(.internal, "the response is not whole") }
    return value
  }
}
