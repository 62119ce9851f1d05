import Foundation
import Synchronization

/// Passes bytes between clients and a local port, until it cuts every connection without a word.
final class TCPRelay: Sendable {
  struct Failure: Error {}

  let port: Int
  private let listener: Int32
  private let target: Int
  private let sockets = Mutex<(open: [Int32], isCut: Bool)>(([], false))

  init(to target: Int, on port: Int = 0) throws {
    self.target = target
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = Self.loopback(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure() }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  /// Closes the listener and every connection, with a reset.
  func cut() {
    let open = sockets.withLock { sockets in
      defer { sockets = ([], true) }
      return sockets.open
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for socket in open { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      if client < 0 { break }
      guard let server = Self.connect(to: target) else { continue }
      let isCut = sockets.withLock { sockets in
        if !sockets.isCut { sockets.open += [client, server] }
        return sockets.isCut
      }
      if isCut { break }
      Thread.detachNewThread { Self.pump(client, server) }
      Thread.detachNewThread { Self.pump(server, client) }
    }
    close(listener)
  }

  private static func pump(_ from: Int32, _ to: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(from, &buffer, buffer.count)
      if count <= 0 { break }
      var sent = 0
      while sent < count {
        let now = buffer.withUnsafeBytes { send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL)) }
        if now <= 0 { break }
        sent += now
      }
    }
    shutdown(to, Int32(SHUT_RDWR))
  }

  /// A socket connected to a local port, or nil.
  static func connect(to port: Int) -> Int32? {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(port)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isConnected { return connection }
    close(connection)
    return nil
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
