import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Requests and their answers")
struct AnswersTests {
  @Test("The handler sees a request as it was sent")
  func request() async throws {
    let seen = Mutex<HTTPRequest?>(nil)
    try await withServer(handler: { request in
      seen.withLock { $0 = request }
      return .plain(200)
    }) { (port) async throws in
      let client = RawClient(port)
      _ = try await client.ask(
        "PATCH /a%20b//c;d?e=%41&f+g&&=h?i HTTP/1.1\r\nhOST: x.example:80\r\nX-One:\ttwo  words \t\r\nx-one:three\r\n"
          + "Empty:\r\nCookie: a=b; c=d\r\n\r\n")
      let request = try #require(seen.withLock { $0 })
      #expect(request.method == "PATCH")
      #expect(request.path == "/a%20b//c;d")
      #expect(request.query == "e=%41&f+g&&=h?i")
      #expect(request.headers.map(\.name) == ["host", "x-one", "x-one", "empty", "cookie"])
      #expect(request.headers.map(\.value) == ["x.example:80", "two  words", "three", "", "a=b; c=d"])
      #expect(request.header("X-One") == "two  words")
      #expect(request.headers("x-one") == ["two  words", "three"])
      #expect(request.header("none") == nil)
      #expect(request.peer.hasPrefix("ipv4:127.0.0.1:"))
    }
  }

  @Test("A connection carries many requests, also when they are sent before the answers come")
  func pipelining() async throws {
    try await withServer(handler: { request in .plain(200, request.path + (request.query ?? "-")) }) {
      (port) async throws in
      let client = RawClient(port)
      for number in 0..<20 {
        #expect(try await client.ask("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n").text == "/\(number)-\n")
      }
      client.send((0..<100).map { "GET /\($0)? HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
      for number in 0..<100 { #expect(try await client.answer().text == "/\(number)\n") }
      #expect(!client.isClosed)
    }
  }

  @Test("Bodies come by length and in chunks, in one piece or byte by byte, and the connection goes on")
  func bodies() async throws {
    try await withServer(handler: echo) { (port) async throws in
      let client = RawClient(port)
      let large = String(repeating: "0123456789", count: 6_000)
      for body in ["", "a", large] {
        let answer = try await client.ask(
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 200)
        #expect(answer.text == body)
      }
      for byte in "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello".utf8 {
        client.send([byte])
        await Task.yield()
      }
      #expect(try await client.answer().text == "hello")
      let chunks = "5\r\nhello\r\n00a;name=\"v\"\r\n, all of y\r\n3\r\nou!\r\n0\r\nTrailer: x\r\n\r\n"
      client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n\(chunks)")
      #expect(try await client.answer().text == "hello, all of you!")
      try await client.waitUntilClosed()
    }
  }

  @Test("Nothing behind a chunked body is read as a request, for others may see its end elsewhere")
  func nothingBehindChunks() async throws {
    let calls = Counter()
    try await withServer(handler: { request in
      calls.add(1)
      return await echo(request)
    }) { (port) async throws in
      let client = RawClient(port)
      client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
      )
      #expect(try await client.rest().components(of: "HTTP/1.1 ") == 1)
      #expect(calls.value == 1)
    }
  }

  @Test("Leave to send a body is given when the handler asks for it, and not before")
  func expect() async throws {
    try await withServer(handler: { request in
      request.path == "/no" ? .plain(401) : await echo(request)
    }) { (port) async throws in
      let client = RawClient(port)
      let head = "HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
      client.send("POST / \(head)")
      #expect(try await client.answer().status == 100)
      client.send("ok")
      #expect(try await client.answer().text == "ok")
      #expect(try await client.ask("POST /no \(head)").status == 401)
      try await client.waitUntilClosed()
    }
  }

  @Test("An answer that needs no more of a body drops what is left of it, and the connection goes on")
  func unreadBody() async throws {
    try await withServer(handler: { request in
      _ = try? await request.nextPart()
      return .plain(404)
    }) { (port) async throws in
      let client = RawClient(port)
      let body = String(repeating: "x", count: 60_000)
      for _ in 0..<2 {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
        #expect(try await client.ask(head + body).status == 404)
      }
      #expect(try await client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 404)
    }
  }

  @Test(
    "An answer that needs nothing of a body does not wait for it, and a client that sends it all the same may finish")
  func unaskedBody() async throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1_000_000
    try await withServer(limits, handler: { _ in .plain(401) }) { (port) async throws in
      for framing in ["Content-Length: 1000000", "Content-Length: 2", "Transfer-Encoding: chunked"] {
        let client = RawClient(port)
        client.send("POST / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n")
        let answer = try await client.answer()
        #expect(answer.status == 401 && answer.head.contains("Connection: close"), "\(framing)")
        try await client.waitUntilClosed()
        // Where the connection is broken, the system takes nothing more.
        for _ in 0..<10 { #expect(client.sendWhilePossible(10_000) == 10_000) }
      }
    }
  }

  @Test("What comes behind an answer that did not wait for it is not dropped for ever")
  func lingering() async throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1_000_000_000
    limits.leftoverTime = .milliseconds(100)
    try await withServer(limits, handler: { _ in .plain(401) }) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
      #expect(try await client.answer().status == 401)
      try await client.waitUntilCut()
    }
  }

  @Test("The reading of a body can be ended from elsewhere, and what was left of the body is dropped")
  func stopReading() async throws {
    let seen = Mutex<HTTPRequest?>(nil)
    let parts = Counter()
    try await withServer(handler: { request in
      seen.withLock { $0 = request }
      do throws(HTTPBodyError) { while try await request.nextPart() != nil { parts.add(1) } } catch {
        let isOver = (try? await request.nextPart()) == nil
        return .plain(error == .cancelled && isOver ? 409 : 500)
      }
      return .plain(200)
    }) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
      try await eventually { parts.value == 1 }
      try #require(seen.withLock { $0 }).stopReading()
      client.send("b")
      #expect(try await client.answer().status == 409)
      #expect(try await client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na").status == 200)
    }
  }

  @Test("HEAD, 204 and 304 have no body, and the connection goes on")
  func bodiless() async throws {
    let writes = Counter()
    try await withServer(handler: { request in
      switch request.path {
      case "/stream": HTTPResponse(status: 200) { _ in writes.add(1) }
      case "/204": HTTPResponse(status: 204, body: Array("no".utf8))
      case "/304": HTTPResponse(status: 304)
      case "/304-stream": HTTPResponse(status: 304) { _ in writes.add(1) }
      case "/large": HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 100_000))
      default: .plain(200, "body")
      }
    }) { (port) async throws in
      let client = RawClient(port)
      for (method, path) in [
        ("HEAD", "/"), ("HEAD", "/large"), ("GET", "/204"), ("GET", "/304"), ("HEAD", "/204"),
      ] {
        client.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = try await client.answer(hasBody: false)
        #expect(answer.status == (path == "/204" ? 204 : path == "/304" ? 304 : 200))
        if path == "/" { #expect(answer.head.contains("Content-Length: 5")) }
        if path == "/large" { #expect(answer.head.contains("Content-Length: 100000")) }
      }
      #expect(try await client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").text == "body\n")
      // Of no known length: the connection ends with it.
      for request in ["HEAD /stream", "GET /304-stream"] {
        let client = RawClient(port)
        client.send("\(request) HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = try await client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 "))
        #expect(answer.hasSuffix("\r\n\r\n"))
        #expect(answer.components(of: "\r\n\r\n") == 1)
      }
      #expect(writes.value == 0)
    }
  }

  @Test("HTTP/1.0 is answered and closed, with or without a host")
  func old() async throws {
    try await withServer(handler: { request in .plain(200, request.header("host") ?? "none") }) { (port) async throws in
      for (fields, text) in [("", "none\n"), ("Host: x\r\nConnection: keep-alive\r\n", "x\n")] {
        let client = RawClient(port)
        client.send("GET / HTTP/1.0\r\n\(fields)\r\n")
        #expect(try await client.rest().hasSuffix(text))
      }
    }
  }

  @Test("Long bodies come as they are, on one connection after the other")
  func longBodies() async throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    try await withServer(handler: { _ in HTTPResponse(status: 200, headers: [("X-Empty", "")], body: body) }) {
      (port) async throws in
      let client = RawClient(port)
      for _ in 0..<2 {
        let answer = try await client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.body == body)
        #expect(!answer.head.contains("X-Empty"))
      }
    }
  }

  @Test("An answer that does not say who may keep it is nobody's to keep", arguments: [200, 204, 304, 405, 415])
  func notKept(_ status: Int) async throws {
    try await withServer(handler: { request in
      HTTPResponse(status: status, headers: request.path == "/kept" ? [("cache-control", "public")] : [])
    }) { (port) async throws in
      let client = RawClient(port)
      for (path, said) in [("/", "Cache-Control: no-store"), ("/kept", "cache-control: public")] {
        let head = try await client.ask("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n").head
        #expect(head.split(separator: "\n").filter { $0.lowercased().hasPrefix("cache-control:") } == [said[...]])
      }
    }
  }

  @Test("Headers that do not fit are answered with 500, and not with a closed connection")
  func tooManyHeaders() async throws {
    try await withServer(handler: { _ in
      HTTPResponse(status: 200, headers: [("X-Long", String(repeating: "x", count: 1_600))])
    }) { (port) async throws in
      #expect(try await RawClient(port).ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 500)
    }
  }

  @Test("The largest headers fit behind the largest head")
  func largest() async throws {
    try await withServer(handler: { _ in
      HTTPResponse(status: 200, headers: [("X-Long", String(repeating: "x", count: 1_526))])
    }) { (port) async throws in
      let client = RawClient(port)
      var lengths: [Int: Int] = [:]
      for length in 1..<330 {
        let client = RawClient(port)
        let status = try await client.ask(
          "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "y", count: length * 10))\r\n\r\n"
        ).status
        lengths[status, default: 0] += 1
      }
      #expect(Set(lengths.keys) == [200, 431], "\(lengths)")
      _ = client
    }
  }

  @Test("Handlers run where the server is told")
  func executor() async throws {
    final class Counting: TaskExecutor {
      let jobs = Counter()
      func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1)
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        Task.detached { job.runSynchronously(on: executor) }
      }
    }
    let executor = Counting()
    try await withServer(executor: { executor }, handler: echo) { (port) async throws in
      let client = RawClient(port)
      #expect(try await client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab").text == "ab")
      #expect(executor.jobs.value >= 2)
    }
  }

  @Test("A connection that is closed at any point harms nobody")
  func goneClients() async throws {
    try await withServer(handler: echo) { (port) async throws in
      for text in [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      ] {
        for count in 0...text.utf8.count {
          let client = RawClient(port)
          client.send(String(decoding: text.utf8.prefix(count), as: UTF8.self))
          client.close()
        }
        #expect(try await RawClient(port).ask(text).text == "abc")
      }
    }
  }
}

extension String {
  /// How often a text is in it.
  func components(of text: String) -> Int { ranges(of: text).count }
}
