import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// A connection as bytes, which waits for nobody's thread.
final class RawClient {
  struct Answer {
    let status: Int
    /// The first line and the fields, as they came.
    let head: String
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The other side has closed the connection before all was there.
  struct Ended: Error {}

  let file: Int32
  private var isOpen = true
  private var buffer: [UInt8] = []
  /// How much of it was taken off.
  private var taken = 0
  private var hasEnded = false

  init(_ port: UInt16, from host: String = "127.0.0.1", receiveBufferBytes: Int32? = nil) {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBufferBytes {
      setsockopt(file, SOL_SOCKET, SO_RCVBUF, &receiveBufferBytes, socklen_t(MemoryLayout<Int32>.size))
    }
    Self.call(bind, file, host, 0)
    Self.call(connect, file, "127.0.0.1", port)
  }

  deinit { close() }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ file: Int32, _ host: String, _ port: UInt16
  ) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(file, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func close() {
    if isOpen { _ = Glibc.close(file) }
    isOpen = false
  }

  /// Takes what is there.
  private func take() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while !hasEnded {
      let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { buffer += bytes[..<count] }
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { hasEnded = true }
      if count < 0 { return }
    }
  }

  /// Whether the other side has closed the connection by now.
  var isClosed: Bool {
    take()
    return hasEnded
  }

  func waitUntilClosed() async throws { try await eventually { isClosed } }

  /// Everything until the other side closes.
  func rest() async throws -> String {
    try await waitUntilClosed()
    defer { buffer.removeAll() }
    return String(decoding: buffer[taken...], as: UTF8.self)
  }

  /// Waits for so many bytes.
  func bytes(_ count: Int) async throws -> [UInt8] {
    try await eventually {
      take()
      return buffer.count - taken >= count || hasEnded
    }
    guard buffer.count - taken >= count else { throw Ended() }
    defer {
      taken += count
      if taken > 1 << 20 || taken == buffer.count {
        buffer.removeFirst(taken)
        taken = 0
      }
    }
    return Array(buffer[taken..<taken + count])
  }

  /// Waits for something, and takes what is there, but not more than so much; nothing once the other side has closed.
  func some(atMost max: Int) async throws -> [UInt8] {
    if taken < buffer.count { return try await bytes(min(max, buffer.count - taken)) }
    var bytes = [UInt8](repeating: 0, count: max)
    var count = -1
    try await eventually {
      count = recv(file, &bytes, max, Int32(MSG_DONTWAIT))
      return count >= 0 || errno != EAGAIN && errno != EINTR
    }
    return Array(bytes.prefix(Swift.max(count, 0)))
  }

  /// Waits for a line, and takes it off.
  func line() async throws -> String {
    var end: Int?
    try await eventually {
      take()
      end = buffer[taken...].firstIndex(of: 10).map { $0 - taken }
      return end != nil || hasEnded
    }
    guard let end else { throw Ended() }
    let line = try await bytes(end + 1)
    return String(decoding: line, as: UTF8.self).trimmingSuffix("\r\n")
  }

  /// The next chunk of a body; nil at the end.
  func chunk() async throws -> [UInt8]? {
    let count = try #require(Int(try await line(), radix: 16))
    let bytes = try await bytes(count + 2)
    return count == 0 ? nil : bytes.dropLast(2)
  }

  /// The head of the next answer.
  func head() async throws -> String {
    var lines: [String] = []
    while case let line = try await line(), !line.isEmpty { lines.append(line) }
    return lines.joined(separator: "\n")
  }

  /// The next answer as a whole.
  func answer(hasBody: Bool = true) async throws -> Answer {
    let head = try await head()
    let status = try #require(Int(head.split(separator: " ").dropFirst().first ?? ""))
    guard hasBody, status != 204, status != 304, status >= 200 else {
      return Answer(status: status, head: head, body: [])
    }
    var body: [UInt8] = []
    if head.contains("Transfer-Encoding: chunked") {
      while let chunk = try await chunk() { body += chunk }
    } else if let field = head.split(separator: "\n").first(where: { $0.hasPrefix("Content-Length: ") }) {
      body = try await bytes(try #require(Int(field.dropFirst(16))))
    }
    return Answer(status: status, head: head, body: body)
  }

  func ask(_ text: String) async throws -> Answer {
    send(text)
    return try await answer()
  }

  /// That of the answer to a question; nil when the other side closes instead.
  func status(_ text: String) async throws -> Int? {
    do { return try await ask(text).status } catch is Ended { return nil }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix)
      ? String(dropLast(suffix == "\r\n" ? 1 : suffix.count)) : hasSuffix("\n") ? String(dropLast()) : self
  }
}

/// A server for the length of `body`, and its port.
func withServer(
  _ limits: HTTPLimits = HTTPLimits(), isExempt: (@Sendable (String) -> Bool)? = nil,
  executor: (@Sendable () -> any TaskExecutor)? = nil,
  handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, _ body: (UInt16) async throws -> Void
) async throws {
  let server = try HTTPServer(
    host: "127.0.0.1", port: 0, limits: limits, isExempt: isExempt, executor: executor, handler: handler)
  let running = Task { await server.run() }
  let result: Result<Void, any Error>
  do { result = .success(try await body(server.port)) } catch { result = .failure(error) }
  server.stop()
  await running.value
  try result.get()
}

/// Answers with the body of the request.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
  do throws(HTTPBodyError) {
    return HTTPResponse(status: 200, body: try await request.body(atMost: 1 << 20))
  } catch {
    return .plain(error.status)
  }
}

extension RawClient {
  /// Sends until the system takes no more, and nothing has gone on for a while.
  /// - Returns: how many bytes it took.
  func sendWhilePossible(_ count: Int) -> Int {
    let bytes = [UInt8](repeating: 120, count: 1 << 16)
    var (sent, failures) = (0, 0)
    while sent < count, failures < 50 {
      let next = min(bytes.count, count - sent)
      let taken = Glibc.send(file, bytes, next, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if taken > 0 {
        sent += taken
        failures = 0
      } else {
        failures += 1
        usleep(1_000)
      }
    }
    return sent
  }

  /// Waits until the other side has given the connection up, without taking what it had sent.
  func waitUntilCut() async throws {
    var events = pollfd(fd: file, events: 0, revents: 0)
    try await eventually {
      poll(&events, 1, 0)
      let byte: [UInt8] = [10]
      _ = Glibc.send(file, byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      return events.revents & Int16(POLLHUP | POLLERR) != 0
    }
  }

  /// What has come when there is a whole answer or the end.
  func rest(orAnswer: Void) async throws -> String {
    do { return try await "HTTP/1.1 \(answer().status)" } catch { return "" }
  }
}
