internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules

/// Takes a request for an RPC: what may not be a call is refused before its body is read.
struct ConnectRoute: Sendable {
  let gateway: ConnectGateway
  let sessions: BrowserSessions

  /// The RPC at a path.
  func method(_ path: String) -> MethodType? { gateway.schema.method(path) }

  /// Answers a request for an RPC.
  func answer(_ request: HTTPRequest, _ method: MethodType) async -> HTTPResponse {
    let isStreaming = method.isClientStreaming || method.isServerStreaming
    let isReadable = method.hasNoSideEffects && !isStreaming
    switch request.method {
    case "POST":
      let content = request.header("content-type").flatMap(ConnectContent.init)
      guard let content, content.isStreaming == isStreaming else {
        let accepted = ConnectContent.Codec.allCases.map {
          ConnectContent(codec: $0, isStreaming: isStreaming).contentType
        }
        return HTTPResponse(status: 415, headers: [("accept-post", accepted.joined(separator: ", "))])
      }
      return await answer(request, method, content, query: nil)
    case "GET" where isReadable:
      do throws(ConnectQuery.Fault) {
        let query = try ConnectQuery(request.query ?? "")
        return await answer(request, method, ConnectContent(codec: query.codec, isStreaming: false), query: query)
      } catch {
        return gateway.failure(RPCStatus(error)).response
      }
    default: return HTTPResponse(status: 405, headers: [("allow", isReadable ? "GET, POST" : "POST")])
    }
  }

  private func answer(
    _ request: HTTPRequest, _ method: MethodType, _ content: ConnectContent, query: ConnectQuery?
  ) async -> HTTPResponse {
    do {
      try Self.check(request, content)
      let timeout = try Self.timeout(request)
      let isPublic = PublicAnswer.isAsked(of: method, by: request)
      let (authorization, cookies) = isPublic ? (nil, []) : try await caller(of: request, isVersioned: query != nil)
      let call = ConnectCall(
        method: method, request: request, content: content, authorization: authorization, timeout: timeout,
        isPublic: isPublic)
      let response =
        if let query { await gateway.answer(call, message: query.message) } else { await gateway.answer(call) }
      return response.adding(cookies.map { ("set-cookie", $0) })
    } catch {
      let failure = gateway.failure(error)
      // Whoever may not even ask is told so by the status.
      guard content.isStreaming, !(error is ForeignPage) else { return failure.response }
      return ConnectGateway.streamed(content, ConnectFailure.end(failure))
    }
  }

  /// Who makes a call. Whoever has a token says so; a browser only sends its cookies along.
  /// - Parameter isVersioned: the protocol's version stands in the address.
  /// - Throws: `ForeignPage`; what exchanging tokens throws.
  private func caller(
    of request: HTTPRequest, isVersioned: Bool
  ) async throws -> (authorization: String?, cookies: [String]) {
    if let authorization = request.header("authorization") { return (authorization, []) }
    guard sessions.isSignedIn(request) else { return (nil, []) }
    guard request.isOfOwnPage, isVersioned || request.isVersioned else { throw ForeignPage() }
    let caller = try await sessions.caller(of: request)
    return (caller.token.map { "Bearer \($0)" }, caller.cookies)
  }

  private static func check(_ request: HTTPRequest, _ content: ConnectContent) throws {
    guard request.isVersioned || request.header(HTTPRequest.versionHeader) == nil else {
      throw RPCStatus(
        .invalidArgument, reason: "PROTOCOL_VERSION",
        message: "Connect-Protocol-Version must be \(HTTPRequest.version).")
    }
    let encoding = request.header(content.isStreaming ? "connect-content-encoding" : "content-encoding")
    guard ["identity", nil].contains(encoding) else { throw RPCStatus(EnvelopeFault.compressed) }
  }

  private static func timeout(_ request: HTTPRequest) throws -> Duration? {
    guard let text = request.header("connect-timeout-ms") else { return nil }
    guard let timeout = ConnectTimeout.duration(text) else {
      throw RPCStatus(
        .invalidArgument, reason: "TIMEOUT", message: "Connect-Timeout-Ms must be a number of one to ten digits.")
    }
    return timeout
  }
}

extension HTTPRequest {
  fileprivate static let version = "1"
  /// Where a version is told.
  fileprivate static let versionHeader = "connect-protocol-version"

  /// Whether it tells the version that is spoken here.
  var isVersioned: Bool { header(Self.versionHeader) == Self.version }
}

extension RPCStatus {
  init(_ fault: ConnectQuery.Fault) {
    switch fault {
    case .parameter(let name):
      self.init(
        .invalidArgument, reason: "QUERY", message: "The address can't be read: \(name).",
        violations: [.init(field: name, problem: "is missing, or means nothing")])
    case .compressed: self.init(EnvelopeFault.compressed)
    }
  }
}
