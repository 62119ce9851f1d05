import Glibc
import Synchronization

/// A server on a port of its own that takes one connection after the other and treats each as `script` says.
final class ScriptedServer: Sendable {
  let port: Int
  private let listener: Int32
  private let connections = Mutex(0)
  private let isStopped = Mutex(false)

  /// How many connections have been taken.
  var connectionCount: Int { connections.withLock { $0 } }

  init(_ script: @escaping @Sendable (ScriptedConnection) -> Void) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(listener, pointer, length)
        _ = listen(listener, 8)
        _ = getsockname(listener, pointer, &length)
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    let body: @Sendable () -> Void = { [weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        self?.connections.withLock { $0 += 1 }
        script(ScriptedConnection(socket: client))
        close(client)
      }
      // Here and nowhere else: a number that was given away must not be asked for connections.
      close(listener)
    }
    Thread.start(body)
  }

  deinit { stop() }

  /// Refuses connections from now on.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }
}

/// One connection, as the script uses it.
struct ScriptedConnection {
  let socket: Int32

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// A line without its end; nil when the client has closed.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") {
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
      }
      bytes.append(byte)
    }
    return nil
  }

  /// So many bytes as text, or what came before the client closed.
  func bytes(_ count: Int) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < count, recv(socket, &byte, 1, 0) == 1 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Answers the commands of a mail client until DATA, and returns the message's lines; nil if the client left.
  /// - Parameter replies: instead of the usual ones, by the command's first word.
  func takeMail(replies: [String: String] = [:]) -> [String]? {
    send("220 test\r\n")
    while let command = line() {
      let word = String(command.prefix { $0 != " " && $0 != ":" }).uppercased()
      if let reply = replies[word] {
        send(reply + "\r\n")
      } else if word == "DATA" {
        send("354 go on\r\n")
        var lines: [String] = []
        while let line = line() {
          if line == "." { return lines }
          lines.append(line)
        }
        return nil
      } else {
        send(word == "QUIT" ? "221 bye\r\n" : "250 ok\r\n")
      }
    }
    return nil
  }

  /// Answers QUIT.
  func sayGoodbye() {
    while let command = line(), command != "QUIT" {}
    send("221 bye\r\n")
  }

  /// Reads until the client closes.
  func linger() { while line() != nil {} }
}

enum Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(run)).toOpaque())
    pthread_detach(thread)
  }
}
