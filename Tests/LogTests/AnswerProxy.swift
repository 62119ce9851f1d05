import Foundation
import Postgres
import Synchronization

/// A socket between a client of PostgreSQL and the server, which reads the protocol so far that it can lose the answer to a
/// commit, or the commit: "Message Flow" and "Message Formats" in PostgreSQL's manual.
final class AnswerProxy: Sendable {
  /// What becomes of the next commit.
  enum Loss: Sendable {
    /// The server does it, and the client's connection is cut before the answer.
    case answer
    /// The server is told everything but the end of it.
    case commit
  }

  struct Failure: Error {}

  /// Leads through this.
  let configuration: ConnectionConfiguration
  private let directory: String
  private let server: String
  private let listener: Int32
  private let state = Mutex<(wanted: Loss?, losses: Int, commits: Int, isClosed: Bool)>((nil, 0, 0, false))

  init(to database: ConnectionConfiguration) throws {
    guard let host = database.host, let name = database.database, let user = database.user else { throw Failure() }
    server = "\(host)/.s.PGSQL.\(database.port ?? "5432")"
    directory = "/tmp/trackme-proxy-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    configuration = ConnectionConfiguration(socketDirectory: directory, user: user, database: name)
    listener = try Self.withAddress("\(directory)/.s.PGSQL.5432") { socket, address, length in
      bind(socket, address, length) == 0 && listen(socket, 16) == 0
    }
    Thread.detachNewThread { [self] in accept() }
  }

  /// Loses the next commit or its answer, once.
  func lose(_ loss: Loss) { state.withLock { $0.wanted = loss } }

  /// How many were lost.
  var losses: Int { state.withLock(\.losses) }

  /// How many commits of readings were passed on, or lost.
  var commits: Int { state.withLock(\.commits) }

  /// Takes no more connections.
  func close() {
    state.withLock { $0.isClosed = true }
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      if client < 0 || state.withLock(\.isClosed) { break }
      guard let server = try? Self.withAddress(server, { connect($0, $1, $2) == 0 }) else {
        Glibc.close(client)
        continue
      }
      let link = Link(client: client, server: server)
      Thread.detachNewThread { [self] in carryRequests(link) }
      Thread.detachNewThread { [self] in carryAnswers(link) }
    }
    Glibc.close(listener)
  }

  /// One client's two sockets. They are closed when both threads have left them.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32
    /// Set when the next commit's answer is to be lost: from then on the client hears nothing.
    let isDeaf = Atomic(false)
    private let users = Atomic(2)

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }

    func leave() {
      cut()
      guard users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
      Glibc.close(client)
      Glibc.close(server)
    }
  }

  private func carryRequests(_ link: Link) {
    defer { link.leave() }
    // The first message has no type: its length, version and settings.
    guard let start = Self.message(from: link.client, hasType: false), Self.send(start, to: link.server) else { return }
    var isWriting = false
    while let message = Self.message(from: link.client, hasType: true) {
      // An INSERT by the statement that the writer prepared, up to the Sync that commits it.
      if message.first == UInt8(ascii: "B"), Self.holds(message, "insert\0") { isWriting = true }
      if isWriting, message.first == UInt8(ascii: "S") {
        isWriting = false
        let loss = state.withLock { state -> Loss? in
          defer { state.wanted = nil }
          state.commits += 1
          if state.wanted != nil { state.losses += 1 }
          return state.wanted
        }
        if loss == .commit { return }
        if loss == .answer { link.isDeaf.store(true, ordering: .releasing) }
      }
      guard Self.send(message, to: link.server) else { return }
    }
  }

  private func carryAnswers(_ link: Link) {
    defer { link.leave() }
    while let message = Self.message(from: link.server, hasType: true) {
      if link.isDeaf.load(ordering: .acquiring) {
        // ReadyForQuery, idle: the commit is over.
        if message == [UInt8(ascii: "Z"), 0, 0, 0, 5, UInt8(ascii: "I")] { return }
        continue
      }
      guard Self.send(message, to: link.client) else { return }
    }
  }

  // MARK: Bytes

  private static func message(from socket: Int32, hasType: Bool) -> [UInt8]? {
    let head = hasType ? 5 : 4
    guard var message = read(head, from: socket) else { return nil }
    let length = message.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length >= 4, let body = read(length - 4, from: socket) else { return nil }
    message += body
    return message
  }

  private static func read(_ count: Int, from socket: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(socket, $0.baseAddress! + filled, count - filled) }
      if got <= 0 { return nil }
      filled += got
    }
    return bytes
  }

  private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let now = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if now <= 0 { return false }
      sent += now
    }
    return true
  }

  private static func holds(_ message: [UInt8], _ text: String) -> Bool {
    // Bind: the portal's name, the statement's name, …
    message.dropFirst(6).starts(with: Array(text.utf8))
  }

  private static func withAddress(
    _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) throws -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let isDone = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard isDone else {
      Glibc.close(socket)
      throw Failure()
    }
    return socket
  }
}
