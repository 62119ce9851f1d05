import Testing

@testable import WebRules

@Suite("A-R4: cookies, and whose page asks")
struct SessionRuleTests {
  private let cookie = SessionCookie("session")

  @Test("A cookie is the host's alone, over TLS alone, and no script reads it")
  func attributes() {
    #expect(
      cookie.set(to: "abc", for: 900)
        == "__Host-session=abc; Path=/; Max-Age=900; Secure; HttpOnly; SameSite=Strict")
    #expect(cookie.set(to: "abc", for: -5).contains("; Max-Age=1;"), "0 would take it away")
    #expect(cookie.removal == "__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict")
    #expect(SessionCookie("way", sites: .lax).set(to: "x", for: 1).hasSuffix("; SameSite=Lax"))
  }

  @Test func aCookieIsFoundByItsWholeName() {
    #expect(cookie.value(in: ["a=b; __Host-session=abc; c=d"]) == "abc")
    #expect(cookie.value(in: ["a=b", "__Host-session=a=c"]) == "a=c")
    for sent in [
      [], [""], ["session=abc"], ["__Host-session2=abc"], ["x__Host-session=abc"], ["__host-session=abc"],
      ["__Host-session"], ["__Host-session="], ["__Host-session=a; __Host-session=b"],
      ["__Host-session=a", "__Host-session=a"],
    ] {
      #expect(cookie.value(in: sent) == nil, "\(sent)")
    }
  }

  @Test("Only a page of the host itself is of the same origin")
  func origins() {
    let host = "trackme.example:8080"
    let same: [(String?, String?)] = [
      ("same-origin", nil), ("same-origin", "http://trackme.example:8080"), (nil, "https://trackme.example:8080"),
      (nil, "http://TRACKME.example:8080"),
    ]
    for (site, origin) in same {
      #expect(RequestOrigin(site: site, origin: origin, host: host).isSame, "\(site ?? "-") \(origin ?? "-")")
    }
    let others: [(String?, String?)] = [
      (nil, nil), ("cross-site", nil), ("same-site", nil), ("none", nil), ("", nil), ("Same-Origin", nil),
      ("cross-site", "http://trackme.example:8080"), ("same-origin", "http://evil.example"),
      (nil, "http://trackme.example"), (nil, "null"), (nil, ""), (nil, "trackme.example:8080"),
      (nil, "http://trackme.example:8080.evil.example"), (nil, "http://evil.example/trackme.example:8080"),
      (nil, "ftp://trackme.example:8080"), (nil, "http://trackme.example:80800"),
    ]
    for (site, origin) in others {
      #expect(!RequestOrigin(site: site, origin: origin, host: host).isSame, "\(site ?? "-") \(origin ?? "-")")
    }
    #expect(!RequestOrigin(site: nil, origin: "http://x", host: nil).isSame)
  }
}
