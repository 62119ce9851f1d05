import Testing

@testable import WebRules

@Suite("Addresses: their parameters, and where people are led")
struct AddressTests {
  @Test("A local address stays on this server, whatever a browser makes of it")
  func local() {
    for address in [
      "/", "/status?metric=heart_rate&from=1", "/races/7?near=45.5:9.2", "/a//b", "/x?u=https://e.example",
    ] {
      #expect(LocalAddress(address)?.text == address)
    }
    for address in [
      "", "status", "//evil.example", "///evil", "/\\evil", "\\/evil", "https://evil.example", "/\t/evil", "/\n/evil",
      "/a\r\nb",
      "/\u{7f}", "javascript:alert(1)", "/" + String(repeating: "x", count: 256), " /x",
    ] {
      #expect(LocalAddress(address) == nil, "\(address)")
    }
  }

  @Test("What has a meaning in a header or a cookie is written as its number")
  func encoded() {
    #expect(LocalAddress("/a b,c;d\"e<f>è")?.text == "/a%20b%2Cc%3Bd%22e%3Cf%3E%C3%A8")
    #expect(LocalAddress("/a?b=c&d")?.asParameter == "%2Fa%3Fb%3Dc%26d")
    #expect(LocalAddress("/a?b=/c?d")?.path == "/a")
  }

  @Test("An address for feedback is a plain one of e-mail")
  func feedback() {
    for address in ["a@b.example", "a.b+c_d-e@mail.b-c.example"] { #expect(FeedbackAddress(address)?.text == address) }
    for address in [
      "", "a", "@b", "a@", "a@@b", "a@b@c", "a b@c", "a@b?cc=d", "a%0a@b", "a@b..c", "a@.b", "a@b_c", "è@b", "a@b\n",
      String(repeating: "a", count: 255) + "@b",
    ] {
      #expect(FeedbackAddress(address) == nil, "\(address)")
    }
  }

  @Test("A parameter that comes twice, or can't be read, is named")
  func parameters() throws {
    let query = try QueryParameters("a=1&b=%C3%A8+%26&c&=x")
    #expect(query.text("a") == "1" && query.text("b") == "è &" && query.text("c") == "" && query.text("d") == nil)
    for (query, name) in [("a=1&a=2", "a"), ("x=%zz", "x"), ("x=%4", "x")] {
      #expect(throws: QueryParameters.Fault(parameter: name)) { try QueryParameters(query) }
    }
  }

  @Test("A sign-in that is under way is what the browser kept of it")
  func attempt() throws {
    let next = try #require(LocalAddress("/races?at=12:30&x=a:b"))
    let attempt = OpenIDAttempt(purpose: .link, state: "st_-", verifier: "ve", nonce: "2.a.-b.tag", next: next)
    #expect(attempt.cookie == "st_-:ve:2.a.-b.tag:link:/races?at=12:30&x=a:b")
    #expect(OpenIDAttempt(cookie: attempt.cookie) == attempt)
    for cookie in [
      "", "a", "a:b:c:link", "a:b:c:link:", ":b:c:link:/", "a::c:link:/", "a:b::link:/", "a:b:c:link://evil.example",
      "a:b:c:link:d", "a:b:c:other:/",
    ] {
      #expect(OpenIDAttempt(cookie: cookie) == nil, "\(cookie)")
    }
  }
}
