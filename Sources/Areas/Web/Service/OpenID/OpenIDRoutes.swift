internal import Crypto
internal import HTTPServer
internal import OpenIDConnect
internal import RPCRuntime
internal import ServiceKit
internal import WebRules

/// Sign-in at an issuer, by browsers: the authorization code flow (OpenID Connect Core 1.0, 3.1) with state, nonce and PKCE
/// (RFC 7636).
///
/// What has begun is nowhere but in a cookie of the browser that began it. The session at its end is one like all others,
/// and is ended here; the issuer's own is not ours.
struct OpenIDRoutes: Sendable {
  static let beginPath = "/web/session/openid"
  static let returnPath = "/web/session/openid/return"
  /// How long the way there and back may take; as long as the nonce is good.
  static let cookieSeconds: Int64 = 600
  /// The most bytes of a code.
  static let codeBytesMax = 2_048

  /// Comes along when another site leads back.
  private static let cookie = SessionCookie("trackme-openid", sites: .lax)

  let gateway: ConnectGateway
  let sessions: BrowserSessions
  /// nil: nobody signs in this way.
  let site: OpenIDSite?
  /// Whether an address has a page.
  let isPage: @Sendable (LocalAddress) -> Bool

  /// Whether there is a route at a path.
  func has(_ path: String) -> Bool { site != nil && [Self.beginPath, Self.returnPath].contains(path) }

  /// Answers a request at one of the paths: it leads on, to the issuer, to where the person wanted to go, or back to the
  /// sign-in with a word of what is wrong.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard let site else { return .plain(404) }
    guard request.method == "GET" else { return HTTPResponse(status: 405, headers: [("allow", "GET")]) }
    let query = (try? QueryParameters(request.query ?? "")) ?? .none
    return request.path == Self.beginPath ? await begin(request, query, site) : await end(request, query, site)
  }

  // MARK: There

  private func begin(_ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite) async -> HTTPResponse {
    // Another site could begin one again and again, and take the place of the one that the person has begun.
    guard request.isOfOwnPage else { return gateway.failure(ForeignPage()).response }
    let next = query.text("next").flatMap { LocalAddress($0) }.flatMap { isPage($0) ? $0 : nil } ?? .home
    let nonce: String
    do { nonce = try await sessions.openIDNonce(request) } catch { return Self.back(.unavailable, next) }
    let attempt = OpenIDAttempt(
      state: Base64URL.text(of: SecureRandom.bytes(16)), verifier: Base64URL.text(of: SecureRandom.bytes(32)),
      nonce: nonce, next: next)
    let address: String
    do throws(OpenIDError) {
      address = try await site.provider.authorizationAddress(
        state: attempt.state, nonce: attempt.nonce,
        challenge: Base64URL.text(of: SHA256.hash(of: Array(attempt.verifier.utf8))), returnAddress: site.returnAddress)
    } catch {
      return Self.back(.unavailable, next)
    }
    return Self.leading(to: address, cookies: [Self.cookie.set(to: attempt.cookie, for: Self.cookieSeconds)])
  }

  // MARK: And back

  private func end(_ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite) async -> HTTPResponse {
    // Whoever leads a browser here with an answer of his own does not know its state.
    guard let attempt = Self.cookie.value(in: request.headers("cookie")).flatMap({ OpenIDAttempt(cookie: $0) }),
      let state = query.bytes("state"), ConstantTime.equal(state, Array(attempt.state.utf8))
    else { return Self.back(.notBegun, .home) }
    let cookies: [String]
    do throws(OpenIDEnd) {
      cookies = try await session(of: attempt, request, query, site)
    } catch {
      return Self.back(error.problem, attempt.next, cookies: [Self.cookie.removal])
    }
    return Self.leading(to: attempt.next.text, cookies: cookies + [Self.cookie.removal])
  }

  /// The session of whoever the issuer says has signed in.
  private func session(
    of attempt: OpenIDAttempt, _ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite
  ) async throws(OpenIDEnd) -> [String] {
    // Of two issuers the answer of the one is not the other's (RFC 9207).
    guard query.text("iss").map({ $0 == site.provider.issuer }) ?? true else { throw OpenIDEnd(.invalid) }
    guard let code = query.text("code"), (1...Self.codeBytesMax).contains(code.utf8.count) else {
      throw OpenIDEnd(query.text("error") == nil ? .invalid : .refused)
    }
    do {
      let token = try await site.provider.idToken(
        for: code, verifier: attempt.verifier, returnAddress: site.returnAddress)
      // The RPC takes any nonce of this server: that of another browser's sign-in as well.
      let identity = try await site.provider.verify(token)
      guard ConstantTime.equal(Array(identity.nonce.utf8), Array(attempt.nonce.utf8)) else {
        throw OpenIDError.tokenInvalid(.nonce)
      }
      return try await sessions.logIn(openIDToken: token, request)
    } catch let error as OpenIDError {
      throw OpenIDEnd(error)
    } catch {
      throw OpenIDEnd(error as? RPCStatus)
    }
  }

  // MARK: Answers

  private static func back(
    _ problem: OpenIDProblem, _ next: LocalAddress, cookies: [String] = []
  ) -> HTTPResponse {
    leading(to: "/sign-in?problem=\(problem.rawValue)&next=\(next.asParameter)", cookies: cookies)
  }

  private static func leading(to address: String, cookies: [String]) -> HTTPResponse {
    HTTPResponse(
      status: 303, headers: [("location", address), ConnectGateway.noStore] + cookies.map { ("set-cookie", $0) })
  }
}

/// Why a sign-in at an issuer has ended without a session.
private struct OpenIDEnd: Error {
  let problem: OpenIDProblem

  init(_ problem: OpenIDProblem) { self.problem = problem }

  init(_ error: OpenIDError) {
    problem =
      switch error {
      case .issuerUnavailable: .unavailable
      case .codeRefused, .tokenInvalid: .invalid
      }
  }

  /// - Parameter status: of the RPC; nil where something else went wrong.
  init(_ status: RPCStatus?) {
    problem =
      switch status?.code {
      case .failedPrecondition: .notLinked
      case .unauthenticated, .invalidArgument: .invalid
      default: .unavailable
      }
  }
}
