internal import Glibc

/// The few frames of HTTP/2 (RFC 9113) that a subscriber needs.
///
/// The load process speaks HTTP/2 over bare sockets, on one thread: a thousand subscriptions of our own client library
/// would take as much processor time as the server, and on a small machine the two would measure each other.
package enum HTTP2Frame {
  package static let headerBytes = 9

  package enum Kind {
    package static let data: UInt8 = 0
    package static let headers: UInt8 = 1
    package static let reset: UInt8 = 3
    package static let settings: UInt8 = 4
    package static let ping: UInt8 = 6
    package static let goAway: UInt8 = 7
  }

  /// What a client sends first: the preface, its settings (none but the defaults), and a connection window that never
  /// closes; each stream's window is what limits it.
  package static var preface: [UInt8] {
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(Kind.settings, stream: 0, [])
      + windowUpdate(stream: 0, bytes: 1 << 30)
  }

  package static let settingsAcknowledgement = frame(Kind.settings, flags: 1, stream: 0, [])

  package static func pingAcknowledgement(_ payload: [UInt8]) -> [UInt8] {
    frame(Kind.ping, flags: 1, stream: 0, payload)
  }

  package static func windowUpdate(stream: UInt32, bytes: Int) -> [UInt8] {
    frame(8, stream: stream, bigEndian(UInt32(bytes)))
  }

  /// Opens a gRPC call and sends its first message.
  package static func call(stream: UInt32, path: String, authority: String, token: String, message: [UInt8]) -> [UInt8]
  {
    // HPACK (RFC 7541) with names of its static table where there are some, and nothing that changes its state.
    var fields: [UInt8] = [0x83, 0x86]  // :method POST, :scheme http
    fields += [0x04] + text(path)
    fields += [0x01] + text(authority)
    fields += [0x0f, 0x10] + text("application/grpc")  // content-type
    fields += [0x0f, 0x08] + text("Bearer " + token)  // authorization
    fields += [0x00] + text("te") + text("trailers")
    return frame(Kind.headers, flags: 4, stream: stream, fields)
      + frame(Kind.data, stream: stream, [0] + bigEndian(UInt32(message.count)) + message)
  }

  private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    Array(bigEndian(UInt32(payload.count)).dropFirst()) + [kind, flags] + bigEndian(stream) + payload
  }

  /// A text of at most 126 bytes, as HPACK has it.
  private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func bigEndian(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  /// A connected socket.
  /// - Parameter target: an IPv4 address and port.
  package static func connect(to target: String) throws -> Int32 {
    let parts = target.split(separator: ":")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1
    else { throw BenchError("\(target) is not an address and a port") }
    address.sin_port = port.bigEndian
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try check(status == 0, "cannot connect to \(target): \(describeError())")
    return descriptor
  }
}
