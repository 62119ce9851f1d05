import Testing

@testable import AreaKit

@Suite struct PageOriginTests {
  @Test("Where browsers find the pages is a scheme and a host")
  func origins() {
    for origin in [
      "https://trackme.example", "https://trackme.example:8443", "http://127.0.0.1:8080", "http://localhost:1",
      "http://[::1]:8080", "https://[2001:db8::1]",
    ] {
      #expect(PageOrigin(origin)?.text == origin)
    }
    for origin in [
      "", "trackme.example", "https://", "https://trackme.example/", "https://trackme.example?x", "https://a@b.example",
      "http://trackme.example", "http://127.0.0.1.evil.example", "https://trackme.example:",
      "https://trackme.example:0",
      "https://trackme.example:65536", "https://Trackme.example", "ftp://trackme.example", "https://a b",
    ] {
      #expect(PageOrigin(origin) == nil, "\(origin)")
    }
  }
}
