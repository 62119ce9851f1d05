internal import BenchKit
internal import Glibc

/// A bare connection to PostgreSQL on its unix socket that can do one thing: COPY rows that were encoded before.
///
/// libpq would do, but for the fields that it would encode while the clock runs; what is measured here is PostgreSQL.
/// Protocol 3.0: https://www.postgresql.org/docs/15/protocol-message-formats.html
final class CopySocket {
  private let descriptor: Int32
  private var unread: [UInt8] = []
  private var used = 0

  /// Connects and logs in; the server must trust us.
  init(socketDirectory: String, user: String, database: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try check(descriptor >= 0, "no socket: \(describeError())")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((socketDirectory + "/.s.PGSQL.5432").utf8)
    try check(path.count < MemoryLayout.size(ofValue: address.sun_path), "the socket's path is too long")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check(status == 0, "cannot connect to PostgreSQL: \(describeError())")
    var start = CopyBytes()
    start.append(Int32(196_608))
    for text in ["user", user, "database", database, ""] { start.append(text: text) }
    try send(start.framed(as: nil))
    try waitUntilReady()
  }

  deinit { close(descriptor) }

  /// Runs one COPY statement, which is one transaction.
  ///
  /// - Parameters:
  ///   - statement: `COPY … FROM STDIN (FORMAT binary)` as `CopyBytes.statement` frames it.
  ///   - rows: as `CopyBytes.rows` frames them.
  func copy(statement: [UInt8], rows: [UInt8]) throws {
    try send(statement)
    // CopyInResponse; as libpq does, rows are sent only when the server has agreed to take them.
    try check(message() == UInt8(ascii: "G"), "PostgreSQL does not take the COPY")
    try send(rows)
    try waitUntilReady()
  }

  /// Reads to ReadyForQuery.
  private func waitUntilReady() throws {
    while true {
      let kind = try message()
      if kind == UInt8(ascii: "Z") { return }
    }
  }

  /// Takes the next message and returns its kind.
  private func message() throws -> UInt8 {
    while unread.count - used < 5 { try receive() }
    let length = unread[(used + 1)..<(used + 5)].reduce(0) { $0 << 8 | Int($1) }
    while unread.count - used < 1 + length { try receive() }
    let kind = unread[used]
    if kind == UInt8(ascii: "E") {
      throw BenchError("PostgreSQL: " + String(decoding: unread[(used + 5)..<(used + 1 + length)], as: UTF8.self))
    }
    used += 1 + length
    if used == unread.count {
      unread.removeAll(keepingCapacity: true)
      used = 0
    }
    return kind
  }

  private func receive() throws {
    var buffer: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    try withUnsafeMutableBytes(of: &buffer) { bytes in
      let count = read(descriptor, bytes.baseAddress!, bytes.count)
      if count < 0, errno == EINTR { return }
      try check(count > 0, "PostgreSQL closed the connection")
      unread += bytes[..<count]
    }
  }

  private func send(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        try check(count > 0, "PostgreSQL closed the connection")
        sent += count
      }
    }
  }
}
