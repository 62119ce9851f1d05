import Testing

@testable import Inbound

@Suite("Requests as they come in")
struct RequestParserTests {
  private static func parse(_ text: String, limits: InboundLimits = InboundLimits()) -> RequestParser.Outcome {
    var parser = RequestParser(limits: limits)
    return parser.parse(Array(text.utf8))
  }

  @Test("A request is the same in one piece and byte by byte")
  func pieces() {
    let text =
      "POST /a/b?c=d HTTP/1.1\r\nHost: x\r\nX-One:  two words \r\nx-one: three\r\nContent-Length: 5\r\n\r\nhello"
    let expected = InboundRequest(
      method: "POST", path: "/a/b", headers: ["host": "x", "x-one": "two words", "content-length": "5"],
      body: Array("hello".utf8))
    #expect(Self.parse(text) == .request(expected))
    var parser = RequestParser(limits: InboundLimits())
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count { #expect(parser.parse(Array(bytes[..<count])) == .incomplete) }
    #expect(parser.parse(bytes) == .request(expected))
    #expect(expected.header("X-ONE") == "two words")
  }

  @Test(
    "What two readers might read differently is refused",
    arguments: [
      ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
      ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET http://x/ HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("GET / FTP/1.1\r\n\r\n", 400), ("G\u{1}T / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
      ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", 400), ("POST / HTTP/1.1\r\nContent-Length: \r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 9999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 413), ("\r\n\r\n", 400),
    ])
  func refused(_ text: String, _ status: Int) {
    #expect(Self.parse(text) == .refused(status))
  }

  @Test("A head that does not end is refused at its limit, also in one line")
  func endlessHead() {
    #expect(Self.parse("GET /" + String(repeating: "a", count: 20_000)) == .refused(431))
    let many = (0..<200).map { "A\($0): b\r\n" }.joined()
    #expect(Self.parse("GET / HTTP/1.1\r\n\(many)\r\n") == .refused(431))
  }

  @Test("Whatever comes, the parser has an answer")
  func garbage() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "\r", "\n", ":", "Content-Length", "1", "\u{0}", "é", "\r\n\r\n",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
      _ = Self.parse(text)
    }
  }
}
