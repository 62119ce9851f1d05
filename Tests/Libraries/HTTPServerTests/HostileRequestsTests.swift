import TestSupport
import Testing

@testable import HTTPServer

@Suite("What two readers might read differently is refused, and no handler sees it")
struct HostileRequestsTests {
  /// Bytes that are sent, and the status that comes back before the connection is closed; 0: nothing comes back.
  private static let table: [(String, Int)] = [
    // The first line.
    ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400), (" GET / HTTP/1.1\r\nHost: x\r\n\r\n", 0),
    ("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\r\n\r\n", 400), ("GET\r\n\r\n", 0), ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\r\nHost: x\r\n\r\n", 400), ("GET / http/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / FTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.12\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505), ("GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /#a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\u{e9} HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /?\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\u{0}HTTP/1.1\u{0}\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("G\u{1}T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("G\u{0}T / HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("G:T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
    // Fields.
    ("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA\t: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\n A: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: x\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\n\n", 400), ("GET / HTTP/1.1\r\nHost: x\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n\n", 400), ("GET / HTTP/1.0\n\n", 400), ("GET / HTTP/1.0\r\n\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: \u{0}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA\u{0}: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: \u{7f}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA\u{e9}: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA(: b\r\n\r\n", 400),
    // Hosts.
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400), ("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x, y\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a@x\r\n\r\n", 400),
    // Lengths.
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nxx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1,1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1.0\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 00000000000000000001\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775807\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    // Codings.
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
  ]

  @Test("Heads", arguments: table)
  func heads(_ text: String, _ status: Int) async throws {
    let calls = Counter()
    try await withServer(handler: { _ in
      calls.add(1)
      return .plain(200)
    }) { (port) async throws in
      for isSplit in [false, true] {
        let client = RawClient(port)
        for piece in isSplit ? text.utf8.map({ [$0] }) : [Array(text.utf8)] {
          client.send(piece)
          if isSplit { await Task.yield() }
        }
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = try await client.rest()
        if status == 0 {
          #expect(answer.isEmpty)
        } else {
          #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.debugDescription): \(answer)")
          #expect(answer.contains("\r\nConnection: close\r\n"))
          #expect(answer.components(of: "HTTP/1.1 ") == 1, "\(text.debugDescription): one head")
        }
        #expect(calls.value == 0, "\(text.debugDescription)")
      }
    }
  }

  @Test(
    "Chunks that are none end the connection, and the body does not come as a whole",
    arguments: [
      "g\r\nhello\r\n0\r\n\r\n", "5hello\r\n0\r\n\r\n", "5\r\nhelloo\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n",
      "+5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
      "\r\n5\r\nhello\r\n0\r\n\r\n", ";a\r\nhello\r\n0\r\n\r\n", "10000000000000005\r\nhello\r\n0\r\n\r\n",
      "ffffffffffffffffff\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello\r0\r\n\r\n",
      "fffffffffffffff0\r\n" + String(repeating: "x", count: 70_000),
      String(repeating: "2\r\nxx\r\n", count: 40_000), "5;" + String(repeating: "x", count: 70_000),
      "0\r\n" + String(repeating: "A: b\r\n", count: 10_000),
    ])
  func chunks(_ text: String) async throws {
    let whole = Counter()
    try await withServer(handler: { request in
      do throws(HTTPBodyError) { _ = try await request.body(atMost: 1 << 20) } catch { return .plain(error.status) }
      whole.add(1)
      return .plain(200)
    }) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      client.send(text)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try await client.rest()
      #expect(!answer.contains("HTTP/1.1 200"), "\(text.prefix(30).debugDescription): \(answer)")
      #expect(whole.value == 0)
    }
  }

  @Test("What belongs to libmicrohttpd's memory and to nobody else stays there, whatever comes")
  func garbage() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "GET", "POST", " ", "/", "?a=%4&b", "&", "HTTP/1.1", "HTTP/1.0", "\r\n", "\r", "\n", ":", "Host: x",
      "Content-Length: ",
      "3", "\u{0}", "\u{e9}", "\r\n\r\n", "Transfer-Encoding: chunked", "\r\n ", "Cookie: a=b; c",
      "Expect: 100-continue",
      "GET / HTTP/1.1\r\nHost: x\r\n", "abc", String(repeating: "x", count: 1_000), ";", ",",
    ]
    try await withServer(handler: echo) { (port) async throws in
      for _ in 0..<1_500 {
        let client = RawClient(port)
        for _ in 0..<random.pick([1, 1, 2, 3]) {
          client.send((0..<Int.random(in: 0..<30, using: &random)).map { _ in random.pick(pieces) }.joined())
          await Task.yield()
        }
        client.close()
      }
      #expect(try await RawClient(port).ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200, "seed \(seed)")
    }
  }

  @Test("A blank line before a request is passed over")
  func blankLine() async throws {
    try await withServer(handler: echo) { (port) async throws in
      #expect(try await RawClient(port).ask("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    }
  }
}
