internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceAPI
internal import WebRules
internal import WireCodec

/// Where pages sign in and out, not by RPCs, as these answer with tokens; and where they ask whether anybody is signed in.
struct SessionRoutes: Sendable {
  /// Whose session it is.
  static let sessionPath = "/web/session"
  static let logInPath = "/web/session/log-in"
  static let logOutPath = "/web/session/log-out"
  /// Of a log-in: a name and a password.
  static let bodyBytesMax = 4 << 10

  let gateway: ConnectGateway
  let sessions: BrowserSessions

  /// Whether there is a route at a path.
  static func has(_ path: String) -> Bool { [sessionPath, logInPath, logOutPath].contains(path) }

  /// Answers a request at one of the paths; of failures as Connect tells of them.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    request.path == Self.sessionPath ? await session(request) : await change(request)
  }

  /// Answers with what `GetAccount` answers with, and where nobody is signed in with nothing of it: for a page that opens,
  /// that is no failure.
  private func session(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "GET" else { return HTTPResponse(status: 405, headers: [("allow", "GET")]) }
    do {
      guard request.isOfOwnPage, request.isVersioned else { throw ForeignPage() }
      let caller = try await sessions.caller(of: request)
      return try await account(of: caller, request).adding(caller.cookies.map { ("set-cookie", $0) })
    } catch {
      return gateway.failure(error).response
    }
  }

  private func account(of caller: RequestCaller, _ request: HTTPRequest) async throws -> HTTPResponse {
    guard let method = gateway.schema.method(IdentityServiceMethod.getAccount.rawValue) else {
      throw RPCStatus(.internal, "there is no such method")
    }
    let content = ConnectContent(codec: .json, isStreaming: false)
    let nobody = HTTPResponse(
      status: 200, headers: [("content-type", content.contentType), ConnectGateway.noStore], body: Array("{}".utf8))
    guard let token = caller.token else { return nobody }
    let call = ConnectCall(
      method: method, request: request, content: content, authorization: "Bearer \(token)", timeout: nil)
    let response = await gateway.answer(call, message: Array("{}".utf8))
    return response.status == ConnectCode.unauthenticated.httpStatus ? nobody : response
  }

  /// Begins or ends a session, with 204 and cookies.
  private func change(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST" else { return HTTPResponse(status: 405, headers: [("allow", "POST")]) }
    guard request.header("content-type")?.prefix(while: { $0 != ";" }) == "application/json" else {
      return HTTPResponse(status: 415, headers: [("accept-post", "application/json")])
    }
    do {
      // Also without a cookie: another site could sign somebody in as itself, and read what is done then.
      guard request.isOfOwnPage else { throw ForeignPage() }
      let cookies =
        request.path == Self.logInPath ? try await logIn(request) : try await sessions.logOut(request)
      return HTTPResponse(status: 204, headers: cookies.map { ("set-cookie", $0) })
    } catch {
      return gateway.failure(error).response
    }
  }

  /// The body is a `trackme.identity.v1.LogInRequest`.
  private func logIn(_ request: HTTPRequest) async throws -> [String] {
    guard let type = gateway.schema.message("trackme.identity.v1.LogInRequest") else {
      throw RPCStatus(.internal, "the log-in has no type")
    }
    return try await sessions.logIn(request) {
      let body = try await request.body(atMost: Self.bodyBytesMax)
      do throws(WireError) { return try .decode(try type.message(fromJSON: body)) } catch {
        throw RPCStatus(invalidMessage: error)
      }
    }
  }
}
