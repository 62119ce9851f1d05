internal import Glibc

/// Where finished messages go. The id names a message, and is the same at each attempt.
public protocol MailTransport: Sendable {
  /// Where messages wait for a thread that hands them over; none by default.
  var queues: [OutboundThreads] { get }
  /// Hands a message over; returns when it is accepted.
  func send(_ message: [UInt8], id: String, from sender: String, to recipient: String) async throws(SMTPError)

  /// Removes the messages whose ids begin with these characters from what is kept on this machine; nothing by default.
  func remove(prefix: String) async throws(SMTPError)
}

extension MailTransport {
  public var queues: [OutboundThreads] { [] }
  public func remove(prefix: String) async throws(SMTPError) {}
}

extension SMTPClient: MailTransport {
  public func send(
    _ message: [UInt8], id: String, from sender: String, to recipient: String
  ) async throws(SMTPError) {
    try await send(message, from: sender, to: recipient)
  }
}

/// Keeps messages as files, where no mail server is configured. A file is there as a whole or not at all.
public struct MailFolder: MailTransport {
  private let path: String
  private let threads: OutboundThreads

  /// - Parameter path: of the folder; it is made when the first message comes, for its owner alone.
  public init(path: String, threads: OutboundThreads = OutboundThreads()) {
    self.path = path
    self.threads = threads
  }

  public var queues: [OutboundThreads] { [threads] }

  /// Writes "<id>.eml".
  public func send(
    _ message: [UInt8], id: String, from sender: String, to recipient: String
  ) async throws(SMTPError) {
    guard !id.isEmpty, id.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) || $0 >= 0x61 })
    else { throw .refused(isPermanent: true, reply: 0, problem: "the id is no file name") }
    let error = await threads.run { [path] _ in Self.write(message, id: id, into: path) }
    guard let error else { throw .refused(isPermanent: false, reply: 0, problem: "too many calls wait") }
    if let error { throw error }
  }

  /// Removes "<prefix>….eml", and drafts of such that a crash left.
  public func remove(prefix: String) async throws(SMTPError) {
    let error = await threads.run { [path] _ in Self.remove(prefix: prefix, from: path) }
    guard let error else { throw .refused(isPermanent: false, reply: 0, problem: "too many calls wait") }
    if let error { throw error }
  }

  private static func remove(prefix: String, from path: String) -> SMTPError? {
    guard let folder = opendir(path) else { return errno == ENOENT ? nil : refused() }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(prefix) || name.hasPrefix("." + prefix) else { continue }
      guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else { return refused() }
    }
    return nil
  }

  private static func refused() -> SMTPError {
    .refused(isPermanent: false, reply: 0, problem: String(cString: strerror(errno)))
  }

  private static func write(_ message: [UInt8], id: String, into path: String) -> SMTPError? {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return refused() }
    let temporary = "\(path)/.\(id).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return refused() }
    defer { close(file) }
    var written = 0
    while written < message.count {
      let count = message.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return refused() }
      written += count
    }
    guard fsync(file) == 0, rename(temporary, "\(path)/\(id).eml") == 0 else { return refused() }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    guard folder >= 0, fsync(folder) == 0 else { return .outcomeUnknown(problem: String(cString: strerror(errno))) }
    return nil
  }
}
