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
  /// For those who have an account, and want to sign in at the issuer from now on.
  static let linkPath = "/web/session/openid/link"
  /// How long the way there and back may take; as long as the nonce is good.
  static let cookieSeconds: Int64 = 600
  /// The most bytes of a code.
  static let codeBytesMax = 2_048

  /// Comes along when another site leads back.
  static let cookie = SessionCookie("trackme-openid", sites: .lax)

  let gateway: ConnectGateway
  let sessions: BrowserSessions
  /// nil: nobody signs in this way.
  let site: OpenIDSite?
  /// Whether an address has a page.
  let isPage: @Sendable (LocalAddress) -> Bool

  /// Whether there is a route at a path.
  func has(_ path: String) -> Bool { site != nil && [Self.beginPath, Self.returnPath, Self.linkPath].contains(path) }

  /// Answers a request at one of the paths: it leads on, to the issuer, to where the person wanted to go, or back with a
  /// word of what is wrong.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard let site else { return .plain(404) }
    let query = (try? QueryParameters(request.query ?? "")) ?? .none
    switch (request.method, request.path) {
    case ("GET", Self.beginPath): return await begin(.signIn, request, query, site)
    case ("GET", Self.linkPath): return await begin(.link, request, query, site)
    case ("GET", Self.returnPath): return await end(request, query, site)
    case ("POST", Self.linkPath): return await link(request, query, site)
    case (_, Self.linkPath): return HTTPResponse(status: 405, headers: [("allow", "GET, POST")])
    default: return HTTPResponse(status: 405, headers: [("allow", "GET")])
    }
  }

  // MARK: There

  private func begin(
    _ purpose: OpenIDAttempt.Purpose, _ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite
  ) async -> HTTPResponse {
    // Another site could begin one again and again, and take the place of the one that the person has begun.
    guard request.isOfOwnPage else { return gateway.failure(ForeignPage()).response }
    let next = query.text("next").flatMap { LocalAddress($0) }.flatMap { isPage($0) ? $0 : nil } ?? .home
    let nonce: String
    do { nonce = try await sessions.openIDNonce(request) } catch { return Self.back(.unavailable, purpose, next) }
    let attempt = OpenIDAttempt(
      purpose: purpose, state: Base64URL.text(of: SecureRandom.bytes(16)),
      verifier: Base64URL.text(of: SecureRandom.bytes(32)),
      nonce: nonce, next: next)
    let address: String
    do throws(OpenIDError) {
      address = try await site.provider.authorizationAddress(
        state: attempt.state, nonce: attempt.nonce,
        challenge: Base64URL.text(of: SHA256.hash(of: Array(attempt.verifier.utf8))), returnAddress: site.returnAddress)
    } catch {
      return Self.back(.unavailable, purpose, next)
    }
    return Self.leading(to: address, cookies: [Self.cookie.set(to: attempt.cookie, for: Self.cookieSeconds)])
  }

  // MARK: And back

  private func end(_ request: HTTPRequest, _ query: QueryParameters, _ site: OpenIDSite) async -> HTTPResponse {
    guard let attempt = Self.attempt(request, query) else { return Self.back(.notBegun, .signIn, .home) }
    do throws(OpenIDEnd) {
      let code = try Self.code(query, site)
      if attempt.purpose == .link { return Self.forPassword(code, attempt) }
      let token = try await token(for: code, of: attempt, site)
      let cookies = try await session(openIDToken: token, request)
      return Self.leading(to: attempt.next.text, cookies: cookies + [Self.cookie.removal])
    } catch {
      return Self.back(error.problem, attempt.purpose, attempt.next, cookies: [Self.cookie.removal])
    }
  }

  /// What has begun in the browser that comes back. Whoever leads a browser here with an answer of his own does not know its
  /// state.
  static func attempt(_ request: HTTPRequest, _ query: QueryParameters) -> OpenIDAttempt? {
    guard let attempt = cookie.value(in: request.headers("cookie")).flatMap({ OpenIDAttempt(cookie: $0) }),
      let state = query.bytes("state"), ConstantTime.equal(state, Array(attempt.state.utf8))
    else { return nil }
    return attempt
  }

  /// The code of an issuer's answer.
  static func code(_ query: QueryParameters, _ site: OpenIDSite) throws(OpenIDEnd) -> String {
    // Of two issuers the answer of the one is not the other's (RFC 9207).
    guard query.text("iss").map({ $0 == site.provider.issuer }) ?? true else { throw OpenIDEnd(.invalid) }
    guard let code = query.text("code"), (1...codeBytesMax).contains(code.utf8.count) else {
      throw OpenIDEnd(query.text("error") == nil ? .invalid : .refused)
    }
    return code
  }

  /// The ID token of whoever has signed in, which has been checked.
  func token(for code: String, of attempt: OpenIDAttempt, _ site: OpenIDSite) async throws(OpenIDEnd) -> String {
    do throws(OpenIDError) {
      let token = try await site.provider.idToken(
        for: code, verifier: attempt.verifier, returnAddress: site.returnAddress)
      // The RPC takes any nonce of this server: that of another browser's sign-in as well.
      let identity = try await site.provider.verify(token)
      guard ConstantTime.equal(Array(identity.nonce.utf8), Array(attempt.nonce.utf8)) else {
        throw .tokenInvalid(.nonce)
      }
      return token
    } catch {
      throw OpenIDEnd(error)
    }
  }

  private func session(openIDToken: String, _ request: HTTPRequest) async throws(OpenIDEnd) -> [String] {
    do { return try await sessions.logIn(openIDToken: openIDToken, request) } catch {
      throw OpenIDEnd(error as? RPCStatus)
    }
  }

  // MARK: Answers

  /// Whoever comes back to no account goes on with the password, and links it then.
  private static func back(
    _ problem: OpenIDProblem, _ purpose: OpenIDAttempt.Purpose, _ next: LocalAddress, cookies: [String] = []
  ) -> HTTPResponse {
    let query =
      switch (purpose, problem) {
      case (.link, _): "\(linkPage.text)?problem=\(problem.rawValue)"
      case (.signIn, .notLinked): "/sign-in?problem=\(problem.rawValue)&next=\(linkPage.asParameter)"
      case (.signIn, _): "/sign-in?problem=\(problem.rawValue)&next=\(next.asParameter)"
      }
    return leading(to: query, cookies: cookies)
  }

  static func leading(to address: String, cookies: [String]) -> HTTPResponse {
    HTTPResponse(
      status: 303, headers: [("location", address), ConnectGateway.noStore] + cookies.map { ("set-cookie", $0) })
  }
}

/// Why what began at an issuer has ended without success.
struct OpenIDEnd: Error {
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
