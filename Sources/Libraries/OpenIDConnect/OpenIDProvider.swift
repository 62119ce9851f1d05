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
  }

  private struct Known {
    let authorizationEndpoint: String
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
  public let clientID: String
  private let client: HTTPClient
  private let unknownKeyPause: Duration
  private let now: @Sendable () -> Double
  private let state = Mutex(State())

  /// - Parameters:
  ///   - issuer: the issuer's URL, as it stands in its tokens: https, or http on this machine.
  ///   - clientID: under which the issuer knows this server.
  ///   - unknownKeyPause: the least time between two readings for keys that were not there.
  ///   - now: seconds since the Unix epoch.
  /// - Returns: nil if the issuer is no such URL.
  public init?(
    issuer: String, clientID: String, client: HTTPClient, unknownKeyPause: Duration = .seconds(10),
    now: @escaping @Sendable () -> Double
  ) {
    guard Self.url(issuer) != nil, !clientID.isEmpty else { return nil }
    self.issuer = issuer
    self.clientID = clientID
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
    guard let keys = IssuerKeys(json: try await get(document.jwks_uri)) else {
      throw .issuerUnavailable("its keys can't be read")
    }
    return Known(authorizationEndpoint: document.authorization_endpoint, keys: keys, readAt: .now)
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
