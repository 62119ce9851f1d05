internal import Glibc

/// Why nobody can listen there.
public struct InboundError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// The few calls of sockets that a listener needs.
enum InboundSocket {
  /// Listens at the first address of a name or number.
  static func listen(host: String, port: UInt16) throws(InboundError) -> (file: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let status = getaddrinfo(name, "\(port)", &hints, &found)
    guard status == 0, let address = found else {
      throw InboundError(description: "\(host): \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(found) }
    let file = socket(
      address.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard file >= 0 else { throw InboundError(description: "no socket: \(problem)") }
    var yes: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(file, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, Glibc.listen(file, 256) == 0,
      let port = Self.port(of: file)
    else {
      let reason = problem
      close(file)
      throw InboundError(description: "\(host):\(port): \(reason)")
    }
    return (file, port)
  }

  private static var problem: String { String(cString: strerror(errno)) }

  private static func port(of file: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &length) == 0 }
    }
    guard isKnown else { return nil }
    // The port stands at the same place in addresses of both families.
    return withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// A new connection; nil if there is none just now.
  static func accept(_ listener: Int32) -> Int32? {
    let file = Glibc.accept(listener, nil, nil)
    guard file >= 0 else { return nil }
    makeOurs(file)
    return file
  }

  /// Calls on it never block, and child processes don't get it.
  static func makeOurs(_ file: Int32) {
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
  }

  enum Received {
    case bytes
    case nothingYet
    case ended
  }

  /// Adds what has come.
  static func receive(_ file: Int32, into bytes: inout [UInt8]) -> Received {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
      let count = recv(file, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        bytes += UnsafeRawBufferPointer(rebasing: buffer[..<count])
        return .bytes
      }
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothingYet : .ended
    }
  }

  /// Sends from an offset on.
  /// - Returns: how much was sent; nil if the other side is gone.
  static func send(_ file: Int32, _ bytes: [UInt8], from offset: Int) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(file, $0.baseAddress! + offset, $0.count - offset, Int32(truncatingIfNeeded: Int(MSG_NOSIGNAL)))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
