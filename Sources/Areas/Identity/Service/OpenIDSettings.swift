internal import Log
internal import ArgumentParser
internal import Console
internal import OpenIDConnect
internal import Outbound

/// The issuer whose sign-ins this server trusts, if there is one.
struct OpenIDSettings: Sendable {
  let provider: OpenIDProvider?
  /// Where questions to it wait.
  let threads: OutboundThreads?

  init(_ environment: Environment) throws {
    guard let issuer = environment["TRACKME_OIDC_ISSUER"] else {
      provider = nil
      threads = nil
      return
    }
    guard let clientID = environment["TRACKME_OIDC_CLIENT_ID"] else {
      throw ValidationError("TRACKME_OIDC_ISSUER needs TRACKME_OIDC_CLIENT_ID")
    }
    var limits = OpenIDProvider.limits
    limits.certificateAuthority = environment["TRACKME_OUTBOUND_CA"]
    let threads = OutboundThreads()
    self.threads = threads
    provider = OpenIDProvider(
      issuer: issuer, clientID: clientID, clientSecret: try environment.secret("TRACKME_OIDC_CLIENT_SECRET_FILE"),
      client: HTTPClient(threads: threads, limits: limits),
      now: { Double(wallClock()) / 1_000_000 })
    guard provider != nil else {
      throw ValidationError("TRACKME_OIDC_ISSUER must be an https URL, or an http one of this machine")
    }
  }
}
