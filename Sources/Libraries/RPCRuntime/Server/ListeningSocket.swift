import CGRPCSupport
internal import Glibc

/// A socket that listens.
struct ListeningSocket {
  private(set) var file: Int32
  private var address: sockaddr_storage
  private let length: socklen_t
  private let timeoutMilliseconds: Int32

  /// Listens at everything that an address stands for: `HOST:PORT`, `unix:PATH` or `unix-abstract:NAME`.
  ///
  /// Both wildcards, `0.0.0.0` and `[::]`, stand for every address of both versions of IP.
  /// - Parameter timeout: within which what is sent has to be acknowledged.
  /// - Returns: none when it can listen nowhere.
  static func open(_ text: String, timeout: Duration) -> [ListeningSocket] {
    let timeout = Int32(clamping: timeout.milliseconds)
    if text.hasPrefix("unix:") {
      return [unix(text.dropFirst(5), isAbstract: false, timeout: timeout)].compactMap(\.self)
    }
    if text.hasPrefix("unix-abstract:") {
      return [unix(text.dropFirst(14), isAbstract: true, timeout: timeout)].compactMap(\.self)
    }
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { return [] }
    let host = text[..<colon]
    let port = String(text[text.index(after: colon)...])
    switch host {
    case "0.0.0.0", "[::]":
      let both = resolved("::", port, timeout: timeout)
      return both.isEmpty ? resolved("0.0.0.0", port, timeout: timeout) : both
    case _ where host.hasPrefix("[") && host.hasSuffix("]"):
      return resolved(String(host.dropFirst().dropLast()), port, timeout: timeout)
    default: return resolved(String(host), port, timeout: timeout)
    }
  }

  /// Listens at every address of a name, all at the same port.
  private static func resolved(_ host: String, _ port: String, timeout: Int32) -> [ListeningSocket] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    // C would read no further than to a 0.
    guard !host.utf8.contains(0), UInt16(port) != nil, getaddrinfo(host, port, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var sockets: [ListeningSocket] = []
    for entry in sequence(first: found, next: { $0?.pointee.ai_next }) {
      guard let entry = entry?.pointee else { break }
      var address = sockaddr_storage()
      withUnsafeMutableBytes(of: &address) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
        // The port stands at the same place in addresses of both versions.
        if let port = sockets.first?.port {
          $0[2] = UInt8(port >> 8)
          $0[3] = UInt8(port & 0xff)
        }
      }
      if let socket = ListeningSocket(address, entry.ai_addrlen, timeout) { sockets.append(socket) }
    }
    return sockets
  }

  private static func unix(_ path: Substring, isAbstract: Bool, timeout: Int32) -> ListeningSocket? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = (isAbstract ? [0] : []) + Array(path.utf8)
    // A path ends with a 0.
    guard !path.isEmpty, !path.utf8.contains(0), name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return nil
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { storage in
      withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
    }
    return ListeningSocket(storage, socklen_t(start + name.count + (isAbstract ? 0 : 1)), timeout)
  }

  private init?(_ address: sockaddr_storage, _ length: socklen_t, _ timeout: Int32) {
    self.address = address
    self.length = length
    timeoutMilliseconds = timeout
    file = -1
    guard open() else { return nil }
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // With the port that was free.
    _ = withUnsafeMutablePointer(to: &self.address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &size) }
    }
  }

  /// 1 for a Unix socket.
  var port: Int {
    withUnsafeBytes(of: address) { address.ss_family == AF_UNIX ? 1 : Int($0[2]) << 8 | Int($0[3]) }
  }

  private mutating func open() -> Bool {
    unlinkPath()
    file = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { tmrpc_listen($0, length, timeoutMilliseconds) }
    }
    return file >= 0
  }

  /// Begins anew at the same address; false when that can't be done now.
  mutating func reopen() -> Bool {
    if file >= 0 { close(file) }
    return open()
  }

  /// Nobody can connect any more. A second call does nothing: by then another may listen at the path.
  mutating func end() {
    if file < 0 { return }
    close(file)
    file = -1
    unlinkPath()
  }

  /// What listened at this path before has left its file behind.
  private func unlinkPath() {
    guard address.ss_family == AF_UNIX else { return }
    let path = withUnsafeBytes(of: address) { bytes in
      String(
        decoding: bytes.dropFirst(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!).prefix { $0 != 0 }, as: UTF8.self)
    }
    var status = stat()
    if !path.isEmpty, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
  }
}
