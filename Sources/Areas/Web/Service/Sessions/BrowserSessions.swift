internal import AreaKit
internal import HTTPServer
internal import Log
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules
internal import WireCodec

/// Whose call a request is.
struct RequestCaller: Sendable {
  /// Of the session, or of a program that has a token; nil: nobody's.
  var token: String?
  /// What the browser is to keep from now on: values of `Set-Cookie`.
  var cookies: [String] = []
}

/// Sessions of browsers: two cookies that no script reads, in place of the tokens that programs keep.
///
/// The one ends with the session's token, after 15 minutes at most; the other one is exchanged for new tokens then, before
/// the call that came without: pages do not notice.
struct BrowserSessions: Sendable {
  private static let session = SessionCookie("trackme-session")
  private static let refresh = SessionCookie("trackme-refresh")
  /// A cookie ends so long before its token, so that no call comes with one that has just ended.
  private static let timeAhead: Duration = .seconds(30)

  private let identity: LocalIdentity
  private let refreshes: Refreshes

  init(_ calls: LocalCalls) {
    identity = LocalIdentity(calls: calls)
    refreshes = Refreshes(identity)
  }

  /// Whether a request lives off a cookie: its browser would send it whoever's page asked.
  func isSignedIn(_ request: HTTPRequest) -> Bool {
    let sent = request.headers("cookie")
    return Self.session.value(in: sent) != nil || Self.refresh.value(in: sent) != nil
  }

  /// Whose call a request is. To be asked only of one that may live off its cookies.
  /// - Throws: UNAVAILABLE where the tokens can't be exchanged now; `CancellationError`.
  func caller(of request: HTTPRequest) async throws -> RequestCaller {
    let sent = request.headers("cookie")
    if let token = Self.session.value(in: sent) { return RequestCaller(token: token) }
    guard let refresh = Self.refresh.value(in: sent) else { return RequestCaller() }
    switch try await refreshes.tokens(for: refresh, of: request) {
    case .session(let session): return RequestCaller(token: session.token, cookies: Self.cookies(session))
    // Gone by now: signed out elsewhere, or forgotten for thirty days.
    case .ended: return RequestCaller(cookies: Self.removals)
    }
  }

  /// Signs somebody in.
  /// - Parameter read: reads a name and a password, where the call is taken.
  /// - Throws: what `LogIn` throws.
  func logIn(
    _ request: HTTPRequest, _ read: () async throws -> Trackme_Identity_V1_LogInRequest
  ) async throws -> [String] {
    Self.cookies(try await identity.logIn(request, read))
  }

  /// Ends the session on the server.
  /// - Returns: what takes the cookies away, whether there still was a session or not.
  /// - Throws: what `LogOut` throws, but that the session has ended already.
  func logOut(_ request: HTTPRequest) async throws -> [String] {
    let caller = try await caller(of: request)
    guard let token = caller.token else { return Self.removals }
    do {
      try await identity.logOut(token: token, request)
    } catch let status as RPCStatus where status.code == .unauthenticated {
      // It has ended before.
    }
    return Self.removals
  }

  private static func cookies(_ session: Trackme_Identity_V1_Session) -> [String] {
    let now = wallClock() / 1_000_000
    return [
      Self.session.set(to: session.token, for: (session.expires?.seconds ?? now) - now - timeAhead.components.seconds),
      refresh.set(to: session.refreshToken, for: (session.refreshExpires?.seconds ?? now) - now),
    ]
  }

  private static let removals = [session.removal, refresh.removal]
}

/// At an issuer.
extension BrowserSessions {
  /// What an ID token must carry.
  /// - Throws: what `StartOpenIDLogIn` throws.
  func openIDNonce(_ request: HTTPRequest) async throws -> String { try await identity.openIDNonce(request) }

  /// Signs in whoever an ID token names.
  /// - Throws: what `LogInWithOpenID` throws.
  func logIn(openIDToken: String, _ request: HTTPRequest) async throws -> [String] {
    Self.cookies(try await identity.logIn(openIDToken: openIDToken, request))
  }

  /// Links the account of a session with whoever an ID token names.
  /// - Throws: what `LinkOpenID` throws.
  func linkOpenID(
    _ wanted: Trackme_Identity_V1_LinkOpenIDRequest, session: String, _ request: HTTPRequest
  ) async throws {
    try await identity.linkOpenID(wanted, token: session, request)
  }
}
