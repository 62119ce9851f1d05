internal import Glibc

/// A socket that listens.
enum ListeningSocket {
  /// What may wait in the system to be sent of one connection, beside what is under way: a client that takes nothing costs
  /// no more.
  private static let unsentBytes: Int32 = 64 << 10
  /// Connections that wait in the system until the server takes them.
  private static let waitingConnections: Int32 = 1_024

  /// Listens at the first address of a name or number.
  /// - Parameter host: a number of IPv6 may be in brackets.
  static func open(host: String, port: UInt16) throws(HTTPServerError) -> (file: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let status = getaddrinfo(name, "\(port)", &hints, &found)
    guard status == 0, let address = found else {
      throw HTTPServerError(description: "\(host): \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(found) }
    let file = socket(
      address.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard file >= 0 else { throw HTTPServerError(description: "no socket: \(problem)") }
    // Connections inherit both.
    set(file, SOL_SOCKET, SO_REUSEADDR, 1)
    set(file, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytes)
    guard bind(file, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(file, waitingConnections) == 0,
      let port = Self.port(of: file)
    else {
      let reason = problem
      close(file)
      throw HTTPServerError(description: "\(host):\(port): \(reason)")
    }
    return (file, port)
  }

  private static var problem: String { String(cString: strerror(errno)) }

  private static func set(_ file: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(file, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

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
}
