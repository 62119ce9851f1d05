internal import HTTPServer
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules
internal import WireCodec

/// To link an account with a sign-in takes both at once: the issuer's word, and the password. So the code waits in the page
/// that asks for it, in the part of the address that no server sees; without the verifier, which the browser keeps in a
/// cookie, it is worth nothing.
extension OpenIDRoutes {
  /// The page that asks for the password.
  static let linkPage = LocalAddress.link

  /// Leads to the page with the issuer's answer.
  static func forPassword(_ code: String, _ attempt: OpenIDAttempt) -> HTTPResponse {
    let parameters = [("state", attempt.state), ("code", code)].map { "\($0)=\(LocalAddress.parameter($1))" }
    return leading(to: "\(linkPage.text)#\(parameters.joined(separator: "&"))", cookies: [])
  }

  /// Links the account of whoever is signed in. State and code are in the address; the body is a
  /// `trackme.identity.v1.LinkOpenIDRequest` with the password alone. Answers with 204, or as Connect tells of failures;
  /// whatever comes of it, the code is used up.
  func link(_ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite) async -> HTTPResponse {
    guard request.header("content-type")?.prefix(while: { $0 != ";" }) == "application/json" else {
      return HTTPResponse(status: 415, headers: [("accept-post", "application/json")])
    }
    do {
      guard request.isOfOwnPage else { throw ForeignPage() }
      let caller = try await sessions.caller(of: request)
      guard let session = caller.token else { throw RPCStatus.unauthenticated }
      let cookies = caller.cookies + [Self.cookie.removal]
      do {
        var wanted = try await linkRequest(request)
        guard let attempt = Self.attempt(request, query), attempt.purpose == .link else { throw OpenIDEnd(.notBegun) }
        wanted.idToken = try await token(for: try Self.code(query, site), of: attempt, site)
        try await sessions.linkOpenID(wanted, session: session, request)
        return HTTPResponse(status: 204, headers: cookies.map { ("set-cookie", $0) })
      } catch {
        let failure = gateway.failure((error as? OpenIDEnd)?.status ?? error)
        return failure.response.adding(cookies.map { ("set-cookie", $0) })
      }
    } catch {
      return gateway.failure(error).response
    }
  }

  private func linkRequest(_ request: HTTPRequest) async throws -> Trackme_Identity_V1_LinkOpenIDRequest {
    guard let type = gateway.schema.message("trackme.identity.v1.LinkOpenIDRequest") else {
      throw RPCStatus(.internal, "the link has no type")
    }
    let body = try await request.body(atMost: SessionRoutes.bodyBytesMax)
    do throws(WireError) { return try .decode(try type.message(fromJSON: body)) } catch {
      throw RPCStatus(invalidMessage: error)
    }
  }
}

extension OpenIDEnd {
  /// As the RPCs of identity tell it.
  fileprivate var status: RPCStatus {
    switch problem {
    case .unavailable:
      .failure(
        .unavailable, reason: "OPENID_ISSUER_UNAVAILABLE", message: "the issuer can't be asked now; try again later")
    case .notBegun, .refused, .notLinked, .invalid:
      .failure(.unauthenticated, reason: "OPENID_TOKEN_INVALID", message: "begin again at the issuer")
    }
  }
}
