import TestSupport
import Testing

@testable import HTTPServer

@Suite("A server begins and ends in order")
struct StopTests {
  private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("An address that is taken is an error before anything runs, and so is a name that is none")
  func taken() throws {
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in .plain(200) }
    #expect(throws: HTTPServerError.self) {
      try HTTPServer(host: "127.0.0.1", port: server.port) { _ in .plain(200) }
    }
    #expect(throws: HTTPServerError.self) { try HTTPServer(host: "no such host.invalid", port: 0) { _ in .plain(200) } }
  }

  @Test("Who comes before `run` is answered by it")
  func early() async throws {
    let server = try HTTPServer(host: "[::1]", port: 0) { .plain(200, $0.peer) }
    _ = server
    let other = try HTTPServer(host: "127.0.0.1", port: 0) { _ in .plain(200) }
    let client = RawClient(other.port)
    client.send(Self.get)
    let running = Task { await other.run() }
    #expect(try await client.answer().status == 200)
    other.stop()
    await running.value
  }

  @Test("A body that is on its way when the server ends may come")
  func body() async throws {
    let begun = Counter()
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in
      begun.add(1)
      return await echo(request)
    }
    let running = Task { await server.run() }
    let (sending, unused) = (RawClient(server.port), RawClient(server.port))
    sending.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
    try await eventually { begun.value == 1 }
    server.stop()
    // Those without a request are closed, again and again.
    try await unused.waitUntilClosed()
    sending.send("cd")
    #expect(try await sending.answer().text == "abcd")
    await running.value
  }

  @Test("What is being answered ends first; who has no request is closed, and nobody new comes in")
  func drain() async throws {
    let gate = Gate()
    let begun = Counter()
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in
      if request.path == "/idle" { return .plain(200) }
      begun.add(1)
      guard request.path == "/stream" else {
        try? await gate.wait()
        return .plain(200, "whole")
      }
      return HTTPResponse(status: 200) { writer in
        try? await writer.write([1])
        try? await gate.wait()
        try? await writer.write([2])
      }
    }
    let running = Task { await server.run() }
    let (plain, stream, idle, unused) = (
      RawClient(server.port), RawClient(server.port), RawClient(server.port), RawClient(server.port)
    )
    plain.send(Self.get)
    stream.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try await idle.ask("GET /idle HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    unused.send("GET / HTTP")
    try await eventually { begun.value == 2 }
    server.stop()
    try await idle.waitUntilClosed()
    try await unused.waitUntilClosed()
    try await RawClient(server.port).waitUntilClosed()
    gate.open()
    let answer = try await plain.answer()
    #expect(answer.text == "whole\n")
    #expect(answer.head.contains("Connection: close"))
    #expect(try await stream.answer().body == [1, 2])
    await running.value
  }

  @Test("What has not ended in time is cut off, wherever it is, and its task cancelled")
  func cut() async throws {
    let (begun, cancelled) = (Counter(), Counter())
    var limits = HTTPLimits()
    limits.drainTime = .milliseconds(100)
    let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { request in
      @Sendable func wait() async {
        begun.add(1)
        try? await Task.sleep(for: .seconds(600))
        if Task.isCancelled { cancelled.add(1) }
      }
      switch request.path {
      case "/body":
        begun.add(1)
        do throws(HTTPBodyError) { while try await request.nextPart() != nil {} } catch { cancelled.add(1) }
        return .plain(200)
      case "/stream":
        return HTTPResponse(status: 200) { writer in
          try? await writer.write([1])
          await wait()
        }
      case "/full":
        return HTTPResponse(status: 200) { writer in
          begun.add(1)
          do { while true { try await writer.write([UInt8](repeating: 1, count: 1 << 20)) } } catch { cancelled.add(1) }
        }
      default:
        await wait()
        return .plain(200)
      }
    }
    let running = Task { await server.run() }
    let clients = (0..<40).map { _ in RawClient(server.port, receiveBufferBytes: 4_096) }
    for (number, client) in clients.enumerated() {
      let path = ["/", "/body", "/stream", "/full"][number % 4]
      client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(number % 4 == 1 ? 3 : 0)\r\n\r\n")
    }
    try await eventually { begun.value == 40 }
    running.cancel()
    await running.value
    #expect(cancelled.value == 40)
    for client in clients { try await client.waitUntilCut() }
  }

  @Test("Servers end while clients come and go")
  func storm() async throws {
    for _ in 0..<20 {
      var limits = HTTPLimits()
      limits.drainTime = .milliseconds(5)
      let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { request in
        if request.path == "/" { return await echo(request) }
        return HTTPResponse(status: 200) { writer in
          do { while true { try await writer.write([1]) } } catch {}
        }
      }
      let running = Task { await server.run() }
      let port = server.port
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            for _ in 0..<5 {
              let client = RawClient(port)
              client.send(number % 2 == 0 ? Self.get : "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
              _ = try? await client.head()
            }
          }
        }
        await group.next()
        server.stop()
      }
      await running.value
    }
  }
}
