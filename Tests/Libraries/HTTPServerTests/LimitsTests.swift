import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("What a client may do has limits")
struct LimitsTests {
  static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  /// Limits of which each is far away.
  static func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
    var limits = HTTPLimits()
    // Whatever ends sooner has met another limit.
    limits.headTime = .seconds(600)
    change(&limits)
    return limits
  }

  // MARK: Sizes

  @Test("A head beyond the limit is refused, in one line and in many, also when it does not end")
  func heads() async throws {
    let calls = Counter()
    try await withServer(handler: { _ in
      calls.add(1)
      return .plain(200)
    }) { (port) async throws in
      let long = String(repeating: "a", count: 4_000)
      for (text, status) in [
        ("GET / HTTP/1.1\r\nHost: x\r\nA: \(long)\r\n\r\n", 431), ("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\n" + (0..<500).map { "A\($0): b\r\n" }.joined() + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\n" + (0..<40).map { "A\($0): b\r\n" }.joined() + "Cookie: \(long)\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: \(long)\(long)", 431), ("GET /\(long)\(long)", 414),
        (String(repeating: "\r\n", count: 10_000), 414),
      ] {
        let client = RawClient(port)
        client.send(text)
        let answer = try await client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(20)): \(answer)")
        #expect(answer.components(of: "HTTP/1.1 ") == 1, "\(text.prefix(20)): one head")
      }
      #expect(calls.value == 0)
    }
  }

  @Test("Parts of a query take memory as fields do, and more of them than there is room for are refused")
  func query() async throws {
    let calls = Counter()
    try await withServer(handler: { _ in
      calls.add(1)
      return .plain(200)
    }) { (port) async throws in
      for count in [30, 70, 100, 500, 1_000] {
        let client = RawClient(port)
        client.send("GET /?\(String(repeating: "a&", count: count)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = try await client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 \(count == 30 ? 200 : 431) "), "\(count): \(answer)")
        #expect(answer.components(of: "HTTP/1.1 ") == 1, "\(count): one head")
      }
      #expect(calls.value == 1, "thirty do fit")
    }
  }

  @Test("A body beyond the limit is refused before it comes, or ends at the limit")
  func bodies() async throws {
    let outcomes = Mutex<[HTTPBodyError]>([])
    try await withServer(
      Self.limits { $0.bodyBytes = 1_000 },
      handler: { request in
        do throws(HTTPBodyError) { return .plain(200, "\(try await request.body(atMost: 2_000).count)") } catch {
          outcomes.withLock { $0.append(error) }
          return .plain(error.status)
        }
      }
    ) { (port) async throws in
      let body = String(repeating: "x", count: 1_000)
      #expect(
        try await RawClient(port).ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n\(body)").text
          == "1000\n")
      #expect(try await RawClient(port).ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n").status == 413)
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n\(body)x\r\n0\r\n\r\n")
      #expect(try await client.rest() == "")
      try await eventually { outcomes.withLock { $0 } == [.tooLarge] }
    }
  }

  @Test("A handler's own limit is answered with 413: at once where the length is said")
  func ownLimit() async throws {
    try await withServer(handler: { request in
      do throws(HTTPBodyError) { return .plain(200, "\(try await request.body(atMost: 3).count)") } catch {
        return .plain(error.status)
      }
    }) { (port) async throws in
      #expect(try await RawClient(port).ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc").text == "3\n")
      let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
      #expect(try await RawClient(port).ask(head).status == 413)
      let chunks = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"
      #expect(try await RawClient(port).ask(chunks).status == 413)
    }
  }

  @Test("Nothing more is read of a body than one part, while nobody reads it")
  func backpressure() async throws {
    let gate = Gate()
    try await withServer(
      Self.limits { $0.bodyBytes = 64 << 20 },
      handler: { request in
        try? await gate.wait()
        var count = 0
        while let part = try? await request.nextPart() { count += part.count }
        return .plain(200, "\(count)")
      }
    ) { (port) async throws in
      let client = RawClient(port)
      let bytes = 32 << 20
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(bytes)\r\n\r\n")
      let sent = client.sendWhilePossible(bytes)
      // What the system keeps on both sides.
      #expect(sent < 16 << 20)
      gate.open()
      var left = bytes - sent
      while left > 0 {
        left -= client.sendWhilePossible(left)
        await Task.yield()
      }
      #expect(try await client.answer().text == "\(bytes)\n")
    }
  }

  // MARK: Times

  @Test("Who does not finish a head in time is sent away, also byte by byte, and does not hold up others")
  func slowHeads() async throws {
    try await withServer(Self.limits { $0.headTime = .milliseconds(300) }, handler: echo) { (port) async throws in
      let starts = ["", "POST / HTTP/1.1\r\nContent-", "GET / HTTP/1.1\r\nHost: x\r\nA: b"]
      let slow = (0..<50).map { _ in RawClient(port) }
      for (number, client) in slow.enumerated() { client.send(starts[number % 3]) }
      // Once in time is enough: for those who are quick the time is as short as for the slow ones.
      try await eventually { try await RawClient(port).status(Self.get) == 200 }
      try await eventually {
        for client in slow where !client.isClosed { client.send("x") }
        return slow.allSatisfy(\.isClosed)
      }
    }
  }

  @Test("A connection without a request is closed after its time")
  func idle() async throws {
    try await withServer(Self.limits { $0.idleTime = .milliseconds(200) }, handler: echo) { (port) async throws in
      // A test that stands still between two questions is idle as well.
      try await eventually {
        let client = RawClient(port)
        guard try await client.status(Self.get) == 200, try await client.status(Self.get) == 200 else { return false }
        try await client.waitUntilClosed()
        return true
      }
    }
  }

  @Test("A body that dribbles ends at its time, however many parts of it come")
  func slowBody() async throws {
    let outcomes = Mutex<[HTTPBodyError]>([])
    try await withServer(
      Self.limits { $0.bodyTime = .milliseconds(300) },
      handler: { request in
        do throws(HTTPBodyError) { while try await request.nextPart() != nil {} } catch {
          outcomes.withLock { $0.append(error) }
        }
        return .plain(200)
      }
    ) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
      try await eventually {
        client.send("x")
        return client.isClosed
      }
      try await eventually { outcomes.withLock { $0 } == [.tooSlow] }
    }
  }

  @Test("The rest of a body that nobody reads any more has little time, whatever the body may have")
  func leftover() async throws {
    let begun = Counter()
    try await withServer(
      Self.limits {
        $0.bodyTime = .seconds(600)
        $0.leftoverTime = .milliseconds(200)
      },
      handler: { request in
        _ = try? await request.nextPart()
        begun.add(1)
        return .plain(404)
      }
    ) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\nx")
      try await eventually { begun.value == 1 }
      try await client.waitUntilClosed()
    }
  }

  @Test("The time in which a handler asks for nothing does not count as the client's")
  func slowReader() async throws {
    try await withServer(
      Self.limits { $0.bodyTime = .milliseconds(400) },
      handler: { request in
        var count = 0
        do throws(HTTPBodyError) {
          while let part = try await request.nextPart() {
            count += part.count
            if count < 20_000 { try? await Task.sleep(for: .milliseconds(150)) }
          }
        } catch { return .plain(error.status) }
        return .plain(200, "\(count)")
      }
    ) { (port) async throws in
      let body = String(repeating: "x", count: 30_000)
      // A client that stands still takes time that is its own: then it is asked again.
      try await eventually {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n"
        return (try? await RawClient(port).ask(head + body))?.text == "30000\n"
      }
    }
  }

  @Test("An answer that takes too long is 503, and its task is cancelled; the connection goes on")
  func slowHandler() async throws {
    let cancelled = Counter()
    try await withServer(
      Self.limits { $0.answerTime = .milliseconds(200) },
      handler: { request in
        if request.path == "/fast" { return .plain(200) }
        _ = try? await request.nextPart()
        try? await Task.sleep(for: .seconds(60))
        if Task.isCancelled { cancelled.add(1) }
        return .plain(200)
      }
    ) { (port) async throws in
      let client = RawClient(port)
      #expect(try await client.ask(Self.get).status == 503)
      // The time is as short for this one, and a machine that stands still may need more than one attempt.
      try await eventually { try await client.ask("GET /fast HTTP/1.1\r\nHost: x\r\n\r\n").status == 200 }
      let body = String(repeating: "x", count: 50_000)
      #expect(try await client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n\(body)").status == 503)
      try await eventually { cancelled.value == 2 }
    }
  }

  @Test("More answers than may be made at once are 503, and a stream is none of them")
  func requests() async throws {
    let gate = Gate()
    let streaming = Counter()
    try await withServer(
      Self.limits { $0.requests = 2 },
      handler: { request in
        if request.path == "/stream" {
          return HTTPResponse(status: 200) { writer in
            streaming.add(1)
            try? await gate.wait()
          }
        }
        try? await gate.wait()
        return .plain(200)
      }
    ) { (port) async throws in
      let streams = (0..<4).map { _ in RawClient(port) }
      for (number, client) in streams.enumerated() {
        client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        try await eventually { streaming.value == number + 1 }
      }
      let clients = (0..<2).map { _ in RawClient(port) }
      for client in clients { client.send(Self.get) }
      try await eventually { try await RawClient(port).ask(Self.get).status == 503 }
      gate.open()
      for client in clients { #expect(try await client.answer().status == 200) }
      for client in streams { #expect(try await client.answer().status == 200) }
      #expect(try await RawClient(port).ask(Self.get).status == 200)
    }
  }

  @Test("A client that does not take its answer is cut off at its time: a long one, and a stream")
  func untaken() async throws {
    let ended = Counter()
    let large = [UInt8](repeating: 7, count: 64 << 20)
    try await withServer(
      Self.limits { $0.takingTime = .milliseconds(300) },
      handler: { request in
        guard request.path == "/stream" else { return HTTPResponse(status: 200, body: large) }
        return HTTPResponse(status: 200) { writer in
          let part = [UInt8](repeating: 7, count: 1 << 20)
          do { while true { try await writer.write(part) } } catch { if Task.isCancelled { ended.add(1) } }
        }
      }
    ) { (port) async throws in
      for path in ["/", "/stream"] {
        let client = RawClient(port, receiveBufferBytes: 4_096)
        client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        try await client.waitUntilCut()
      }
      try await eventually { ended.value == 1 }
    }
  }

  // MARK: Connections
}
