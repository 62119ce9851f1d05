import Outbound
import Testing

@testable import OpenIDConnect

/// What can be decided without an issuer; the rest is tested from outside, against one.
struct OpenIDProviderTests {
  private let now = 1_795_233_906.0

  private func fault(_ claims: IDTokenClaims) -> TokenFault? {
    do throws(OpenIDError) {
      _ = try claims.check(issuer: "https://issuer.example", clientID: "me", now: now)
      return nil
    } catch {
      guard case .tokenInvalid(let fault) = error else { return nil }
      return fault
    }
  }

  private func claims(
    iss: String = "https://issuer.example", sub: String = "s", aud: [String] = ["me"], azp: String? = nil,
    exp: Double = 300, iat: Double = 0, nbf: Double? = nil, nonce: String? = "n"
  ) -> IDTokenClaims {
    IDTokenClaims(
      iss: iss, sub: sub, aud: .init(values: aud), azp: azp, exp: now + exp, iat: now + iat, nbf: nbf.map { now + $0 },
      nonce: nonce)
  }

  @Test func everyClaimHasItsCheck() {
    #expect(fault(claims()) == nil)
    #expect(fault(claims(iss: "https://issuer.example/")) == .issuer)
    #expect(fault(claims(aud: ["you"])) == .audience)
    #expect(fault(claims(aud: [])) == .audience)
    #expect(fault(claims(aud: ["me", "you"])) == .audience)
    #expect(fault(claims(aud: ["me", "you"], azp: "you")) == .audience)
    #expect(fault(claims(aud: ["me", "you"], azp: "me")) == nil)
    #expect(fault(claims(azp: "you")) == .audience)
    #expect(fault(claims(exp: -61)) == .expired)
    #expect(fault(claims(exp: -59)) == nil)
    #expect(fault(claims(exp: .nan)) == .expired)
    #expect(fault(claims(iat: 61)) == .time)
    #expect(fault(claims(iat: -86_401)) == .time)
    #expect(fault(claims(nbf: 61)) == .time)
    #expect(fault(claims(sub: "")) == .subject)
    #expect(fault(claims(sub: "a\u{0}")) == .subject)
    #expect(fault(claims(sub: String(repeating: "s", count: 256))) == .subject)
    #expect(fault(claims(nonce: nil)) == .nonce)
    #expect(fault(claims(nonce: "")) == .nonce)
  }

  @Test(arguments: ["http://issuer.example", "issuer.example", "file:///etc", "https://user@issuer.example", ""])
  func anIssuerIsHTTPSOrOnThisMachine(_ issuer: String) {
    #expect(OpenIDProvider(issuer: issuer, clientID: "me", client: HTTPClient(), now: { 0 }) == nil)
    #expect(OpenIDProvider(issuer: "http://127.0.0.1:1", clientID: "me", client: HTTPClient(), now: { 0 }) != nil)
    #expect(OpenIDProvider(issuer: "https://issuer.example", clientID: "", client: HTTPClient(), now: { 0 }) == nil)
  }
}
