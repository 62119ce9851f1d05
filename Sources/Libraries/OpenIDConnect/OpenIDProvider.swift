internal import FoundationEssentials
public import Outbound
internal import Synchronization

/// The issuer that this server trusts with sign-ins: what it says of itself (OpenID Connect Discovery 1.0), its keys,
/// and the check of its tokens. Both are read when they are needed and kept for an hour.
public final class OpenIDProvider: Sendable {
  private struct Document: Decodable {
    let issuer: String
    let authorization_endpoint: String
    let jwks_uri: String
    let token_endpoint: String?
  }

  private struct TokenResponse: Decodable {
    let id_token: String
  }

  private struct Known {
    let authorizationEndpoint: String
    /// Absent of an issuer that gives ID tokens to programs alone.
    let tokenEndpoint: OutboundURL?
    let keys: IssuerKeys
    let readAt: ContinuousClock.Instant
  }

  private struct State {
    var known: Known?
    /// The last try, whatever came of it.
    var triedAt: ContinuousClock.Instant?
    var isReading = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// How long what the issuer said holds.
  private static let lifetime: Duration = .seconds(3_600)
  /// The least time between two tries while the issuer does not answer.
  private static let failurePause: Duration = .seconds(1)

  /// The longest token that is looked at.
  public static let tokenBytesMax = IDToken.bytesMax

  public let issuer: String
  /// Of the issuer's URL, for people.
  public let host: String
  public let clientID: String
  private let clientSecret: String?
  private let client: HTTPClient
  private let unknownKeyPause: Duration
  private let now: @Sendable () -> Double
  private let state = Mutex(State())

  /// - Parameters:
  ///   - issuer: the issuer's URL, as it stands in its tokens: https, or http on this machine.
  ///   - clientID: under which the issuer knows this server.
  ///   - clientSecret: with which this server proves there who it is, when it exchanges codes; nil if it has none.
  ///   - unknownKeyPause: the least time between two readings for keys that were not there.
  ///   - now: seconds since the Unix epoch.
  /// - Returns: nil if the issuer is no such URL.
  public init?(
    issuer: String, clientID: String, clientSecret: String? = nil, client: HTTPClient,
    unknownKeyPause: Duration = .seconds(10), now: @escaping @Sendable () -> Double
  ) {
    guard let url = Self.url(issuer), !clientID.isEmpty else { return nil }
    host = url.host
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.client = client
    self.unknownKeyPause = unknownKeyPause
    self.now = now
  }

  /// How long and how much an issuer may answer.
  public static var limits: OutboundLimits {
    var limits = OutboundLimits()
    limits.connect = .seconds(5)
    limits.whole = .seconds(10)
    limits.bodyBytes = 256 << 10
    limits.headerBytes = 32 << 10
    return limits
  }

  /// Where a person signs in.
  public func authorizationEndpoint() async throws(OpenIDError) -> String { try await known().authorizationEndpoint }

  /// Where a browser signs in, to come back with a code (OpenID Connect Core 1.0, 3.1.2.1, with RFC 7636).
  ///
  /// - Parameters:
  ///   - challenge: SHA-256 of the verifier that `idToken` will show, in base64url.
  ///   - returnAddress: that the issuer knows.
  public func authorizationAddress(
    state: String, nonce: String, challenge: String, returnAddress: String
  ) async throws(OpenIDError) -> String {
    let endpoint = try await authorizationEndpoint()
    let question = HTTPPost.form([
      ("response_type", "code"), ("scope", "openid"), ("client_id", clientID), ("redirect_uri", returnAddress),
      ("state", state), ("nonce", nonce), ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ])
    let mark = endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return endpoint + mark + String(decoding: question, as: UTF8.self)
  }

  /// Exchanges a code that the issuer has given to a browser for an ID token (OpenID Connect Core 1.0, 3.1.3), which is not
  /// checked yet.
  ///
  /// - Parameters:
  ///   - verifier: of the code's challenge (RFC 7636).
  ///   - returnAddress: to which the issuer sent the browser with the code.
  /// - Throws: `.codeRefused` where the issuer does not take the code, because it is used, too old or another's.
  public func idToken(
    for code: String, verifier: String, returnAddress: String
  ) async throws(OpenIDError) -> String {
    guard let endpoint = try await known().tokenEndpoint else {
      throw .issuerUnavailable("it has no token endpoint")
    }
    var fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returnAddress),
      ("code_verifier", verifier),
    ]
    // RFC 6749, 2.3.1: both are written as in a form before they are a user and a password.
    let credentials = clientSecret.map {
      HTTPCredentials.basic(user: HTTPPost.encoded(clientID), password: HTTPPost.encoded($0))
    }
    if credentials == nil { fields.append(("client_id", clientID)) }
    let post = HTTPPost(
      url: endpoint, contentType: "application/x-www-form-urlencoded",
      content: HTTPPost.form(fields.map { (name: $0.0, value: $0.1) }), credentials: credentials,
      headers: [(name: "Accept", value: "application/json")])
    let response: HTTPResponse
    do throws(OutboundError) { response = try await client.post(post) } catch { throw .issuerUnavailable("\(error)") }
    switch response.status {
    case 200:
      guard let answer = try? JSONDecoder().decode(TokenResponse.self, from: Data(response.body)) else {
        throw .issuerUnavailable("its answer to a code can't be read")
      }
      return answer.id_token
    case 400: throw .codeRefused
    default: throw .issuerUnavailable("it answered a code with status \(response.status)")
    }
  }

  /// Checks an ID token: form, algorithm, signature, issuer, audience, times. The nonce is left to the caller.
  public func verify(_ text: String) async throws(OpenIDError) -> VerifiedIdentity {
    let token = try IDToken(text)
    var key = try await known().keys.key(for: token)
    if key == nil {
      // The issuer may have changed its keys since they were read.
      key = try await known(after: unknownKeyPause).keys.key(for: token)
    }
    guard let key else { throw .tokenInvalid(.key) }
    let claims = try token.claims(signedWith: key)
    return try claims.check(issuer: issuer, clientID: clientID, now: now())
  }

  private enum Step {
    case have(Known)
    case read
    case fail
    case wait
  }

  /// What the issuer says of itself, read anew if it was read longer ago than its lifetime.
  private func known(after age: Duration = OpenIDProvider.lifetime) async throws(OpenIDError) -> Known {
    while true {
      switch step(age) {
      case .have(let known): return known
      case .fail: throw .issuerUnavailable("it did not answer a moment ago")
      case .wait: await waitForReader()
      case .read:
        let result: Result<Known, OpenIDError>
        do throws(OpenIDError) { result = .success(try await read()) } catch { result = .failure(error) }
        finish(result)
        if case .failure = result, age != Self.lifetime, let known = state.withLock(\.known) { return known }
        return try result.get()
      }
    }
  }

  private func step(_ age: Duration) -> Step {
    state.withLock { state in
      if let known = state.known {
        let since = ContinuousClock.now - known.readAt
        let isTriedJustNow = state.triedAt.map { .now - $0 < age } ?? false
        // For a key that is not there, a try counts like a reading: strangers can name any key.
        if since < age || (since < Self.lifetime && isTriedJustNow) { return .have(known) }
      }
      if state.isReading { return .wait }
      if let triedAt = state.triedAt, .now - triedAt < Self.failurePause,
        state.known.map({ $0.readAt < triedAt }) ?? true
      {
        return .fail
      }
      state.isReading = true
      return .read
    }
  }

  private func waitForReader() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isReading { state.waiting.append(continuation) }
        return !state.isReading
      }
      if isOver { continuation.resume() }
    }
  }

  private func finish(_ result: Result<Known, OpenIDError>) {
    let waiting = state.withLock { state in
      state.isReading = false
      state.triedAt = .now
      if case .success(let known) = result { state.known = known }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func read() async throws(OpenIDError) -> Known {
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    let json = try await get(base + "/.well-known/openid-configuration")
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)) else {
      throw .issuerUnavailable("its discovery document can't be read")
    }
    guard document.issuer == issuer else { throw .issuerUnavailable("it calls itself by another name") }
    guard Self.url(document.authorization_endpoint) != nil else {
      throw .issuerUnavailable("its authorization endpoint is not https")
    }
    let tokenEndpoint = document.token_endpoint.flatMap { Self.url($0) }
    guard document.token_endpoint == nil || tokenEndpoint != nil else {
      throw .issuerUnavailable("its token endpoint is not https")
    }
    guard let keys = IssuerKeys(json: try await get(document.jwks_uri)) else {
      throw .issuerUnavailable("its keys can't be read")
    }
    return Known(
      authorizationEndpoint: document.authorization_endpoint, tokenEndpoint: tokenEndpoint, keys: keys, readAt: .now)
  }

  private func get(_ text: String) async throws(OpenIDError) -> [UInt8] {
    guard let url = Self.url(text) else { throw .issuerUnavailable("an address of its is not https") }
    let response: HTTPResponse
    do throws(OutboundError) { response = try await client.get(url) } catch { throw .issuerUnavailable("\(error)") }
    guard response.status == 200 else { throw .issuerUnavailable("it answered with status \(response.status)") }
    return response.body
  }

  /// https, or http to this machine.
  private static func url(_ text: String) -> OutboundURL? {
    guard let url = OutboundURL(text, schemes: ["https", "http"]), url.scheme == "https" || url.isLoopback else {
      return nil
    }
    return url
  }
}
