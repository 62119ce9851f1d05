internal import BenchKit
internal import Glibc

/// A program that asks over HTTP with JSON, one call after the other on one connection.
final class WebClient {
  private let descriptor: Int32
  private let token: String
  private var unread: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)

  /// - Parameter target: an IPv4 address and port.
  init(target: String, token: String) throws {
    descriptor = try HTTP2Frame.connect(to: target)
    self.token = token
  }

  deinit { close(descriptor) }

  /// The bytes of a call.
  static func request(_ path: String, token: String, contentType: String, body: [UInt8]) -> [UInt8] {
    Array(
      """
      POST \(path) HTTP/1.1\r
      Host: bench\r
      Content-Type: \(contentType)\r
      Connect-Protocol-Version: 1\r
      Authorization: Bearer \(token)\r
      Content-Length: \(body.count)\r
      \r

      """.utf8) + body
  }

  /// A unary call.
  /// - Returns: the JSON of its response.
  func call(_ path: String, _ json: String) throws -> [UInt8] {
    try sendAll(
      Self.request(path, token: token, contentType: "application/json", body: Array(json.utf8)), to: descriptor)
    var headEnd: Int?
    while headEnd == nil {
      headEnd = unread.indices.dropLast(3).first { unread[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
      if headEnd == nil { try receive() }
    }
    let head = String(decoding: unread[..<headEnd!], as: UTF8.self).lowercased()
    try check(head.hasPrefix("http/1.1 200 "), "a call over HTTP was answered with \(head.prefix(20))")
    guard
      let length = head.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length: ") })
        .flatMap({ Int($0.dropFirst(16)) })
    else { throw BenchError("an answer has no length") }
    let start = headEnd! + 4
    while unread.count < start + length { try receive() }
    defer { unread.removeFirst(start + length) }
    return Array(unread[start..<(start + length)])
  }

  private func receive() throws {
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { return }
    try check(count > 0, "the server closed a connection")
    unread += buffer[..<count]
  }
}
