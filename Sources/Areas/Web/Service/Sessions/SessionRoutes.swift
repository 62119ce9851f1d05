internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// Where pages sign in and out: not by RPCs, as these answer with tokens.
struct SessionRoutes: Sendable {
  static let logInPath = "/web/session/log-in"
  static let logOutPath = "/web/session/log-out"
  /// Of a log-in: a name and a password.
  static let bodyBytesMax = 4 << 10

  let gateway: ConnectGateway
  let sessions: BrowserSessions

  /// Whether there is a route at a path.
  static func has(_ path: String) -> Bool { [logInPath, logOutPath].contains(path) }

  /// Answers a request at one of the paths with 204 and cookies, or as Connect tells of failures.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
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
