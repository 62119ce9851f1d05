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

  /// - Parameter read: reads what is asked for, where the call is taken.
  func logIn(
    _ http: HTTPRequest, _ read: () async throws -> Trackme_Identity_V1_LogInRequest
  ) async throws -> Trackme_Identity_V1_Session {
    let call = begin(.logIn, http)
    try await call.sendAll(from: http) { try await call.send(try await read().encodedMessage()) }
    let response: Trackme_Identity_V1_LogInResponse = try await response(of: call)
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
    let call = begin(method, http, token)
    // Not `sendAll(from:)`: that ends the reading of the body with this call, and another call is to read it.
    try await call.send(request.encodedMessage())
    call.finishSending()
    return try await response(of: call)
  }

  private func begin(_ method: IdentityServiceMethod, _ http: HTTPRequest, _ token: String? = nil) -> LocalCall {
    calls.call(method.rawValue, from: http, authorization: token.map { "Bearer \($0)" }, deadline: Self.patience)
  }

  private func response<Response: WireMessage>(of call: LocalCall) async throws -> Response {
    try await call.only().withUnsafeBytes { try Response.decode($0) }
  }

  private static func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw RPCStatus(.internal, "the response is not whole") }
    return value
  }
}

/// At an issuer.
extension LocalIdentity {
  func openIDNonce(_ http: HTTPRequest) async throws -> String {
    let response: Trackme_Identity_V1_StartOpenIDLogInResponse =
      try await call(IdentityServiceMethod.startOpenIDLogIn, Trackme_Identity_V1_StartOpenIDLogInRequest(), http)
    return response.nonce
  }

  func logIn(openIDToken: String, _ http: HTTPRequest) async throws -> Trackme_Identity_V1_Session {
    let request = Trackme_Identity_V1_LogInWithOpenIDRequest(idToken: openIDToken)
    let response: Trackme_Identity_V1_LogInWithOpenIDResponse =
      try await call(IdentityServiceMethod.logInWithOpenID, request, http)
    return try Self.present(response.session)
  }

  func linkOpenID(
    _ request: Trackme_Identity_V1_LinkOpenIDRequest, token: String, _ http: HTTPRequest
  ) async throws {
    let _: Trackme_Identity_V1_LinkOpenIDResponse =
      try await call(IdentityServiceMethod.linkOpenID, request, http, token: token)
  }
}
