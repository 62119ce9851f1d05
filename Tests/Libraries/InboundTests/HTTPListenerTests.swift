import Glibc
import Synchronization
import Testing

@testable import Inbound

@Suite("The listener for webhooks")
struct HTTPListenerTests {
  /// A listener for the length of `body`, and its port.
  private static func with(
    _ limits: InboundLimits = InboundLimits(),
    handler: @escaping @Sendable (InboundRequest) async -> InboundResponse = {
      InboundResponse(status: 200, body: $0.body)
    },
    _ body: (UInt16) async throws -> Void
  ) async throws {
    let listener = try HTTPListener(host: "127.0.0.1", port: 0, limits: limits, handler: handler)
    let running = Task { await listener.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(listener.port)) } catch { result = .failure(error) }
    listener.stop()
    await running.value
    try result.get()
  }

  @Test("Requests are answered, many at once")
  func answers() async throws {
    var limits = InboundLimits()
    limits.requests = 100
    try await Self.with(limits) { port in
      await withTaskGroup(of: String.self) { group in
        for number in 0..<100 {
          group.addTask {
            await Client.ask(port, "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n\(100 + number)")
          }
        }
        var bodies: Set<String> = []
        for await answer in group {
          #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
          bodies.insert(String(answer.suffix(3)))
        }
        #expect(bodies.count == 100)
      }
    }
  }

  @Test("A body beyond the limit is refused, and one that waits for leave to come gets it")
  func sizes() async throws {
    try await Self.with { port in
      let tooLarge = "POST / HTTP/1.1\r\nContent-Length: 70000\r\n\r\n" + String(repeating: "x", count: 70_000)
      #expect(await Client.ask(port, tooLarge).hasPrefix("HTTP/1.1 413 "))
      let largest = "POST / HTTP/1.1\r\nContent-Length: 65536\r\n\r\n" + String(repeating: "x", count: 65_536)
      #expect(await Client.ask(port, largest).hasSuffix("xxx"))
      let head = "POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
      let answer = await Client.ask(port, head, then: "ok")
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
    }
  }

  @Test("Who does not finish a request in time is sent away, and does not hold up others")
  func slowClients() async throws {
    var limits = InboundLimits()
    limits.transfer = .milliseconds(300)
    try await Self.with(limits) { port in
      let slow = (0..<50).map { _ in Client(port) }
      for client in slow { client.send("POST / HTTP/1.1\r\nContent-") }
      #expect(await Client.ask(port, "GET / HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 200"))
      for client in slow { #expect(await client.rest().hasPrefix("HTTP/1.1 408")) }
    }
  }

  @Test("An answer that takes too long is 503, and so is a request beyond those that are worked on")
  func slowHandler() async throws {
    var limits = InboundLimits()
    limits.answer = .milliseconds(300)
    limits.requests = 2
    let cancelled = Count()
    try await Self.with(
      limits,
      handler: { _ in
        try? await Task.sleep(for: .seconds(60))
        if Task.isCancelled { cancelled.add() }
        return InboundResponse(status: 200)
      }
    ) { port in
      let clients = (0..<3).map { _ in Client(port) }
      for client in clients { client.send("GET / HTTP/1.1\r\n\r\n") }
      for client in clients { #expect(await client.rest().hasPrefix("HTTP/1.1 503")) }
    }
    #expect(cancelled.value <= 2)
  }

  @Test("A connection that is closed at any point harms nobody")
  func goneClients() async throws {
    try await Self.with { port in
      let text = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
      for count in 0...text.utf8.count {
        let client = Client(port)
        client.send(String(text.prefix(count)))
        client.close()
      }
      #expect(await Client.ask(port, text).hasSuffix("abc"))
    }
  }
}

private final class Count: Sendable {
  private let number = Atomic<Int>(0)
  var value: Int { number.load(ordering: .relaxed) }
  func add() { number.add(1, ordering: .relaxed) }
}

/// A connection as bytes.
private struct Client: Sendable {
  private let file: Int32

  init(_ port: UInt16) {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(status == 0)
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(file, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func close() { _ = Glibc.close(file) }

  /// Everything until the other side closes. What is to be sent then is sent when the first bytes have come.
  func rest(then more: String = "") async -> String {
    await withCheckedContinuation { continuation in
      Thread.run {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(file, &buffer, buffer.count, 0), count > 0 {
          if all.isEmpty, !more.isEmpty { send(more) }
          all += buffer[..<count]
        }
        close()
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }
    }
  }

  static func ask(_ port: UInt16, _ text: String, then more: String = "") async -> String {
    let client = Client(port)
    client.send(text)
    return await client.rest(then: more)
  }
}

/// Reading blocks, so it has threads of its own.
private enum Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
    pthread_detach(thread)
  }
}
