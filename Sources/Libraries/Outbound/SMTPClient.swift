internal import CCurl

/// Where mail is handed over.
public struct SMTPServer: Sendable {
  public enum Security: Sendable {
    /// smtps:// from the first byte, or smtp:// with STARTTLS: no mail without.
    case required
    /// smtp:// in the clear, for a server on the same machine.
    case none
  }

  /// smtp:// or smtps://.
  public let url: OutboundURL
  public let security: Security
  public let credentials: (user: String, password: String)?

  public init(url: OutboundURL, security: Security = .required, credentials: (user: String, password: String)? = nil) {
    self.url = url
    self.security = security
    self.credentials = credentials
  }
}

/// Why a message is not known to be delivered. No case holds what the server said: replies name addresses.
public enum SMTPError: Error, Sendable, Equatable {
  /// The server does not have the message: trying again can't deliver it twice.
  ///
  /// - isPermanent: trying again won't help: the server refuses this recipient or this message.
  /// - reply: the code of the server's last reply; 0 if there was none.
  case refused(isPermanent: Bool, reply: Int, problem: String)
  /// The whole message went out and no verdict came back: the server may have it.
  case outcomeUnknown(problem: String)
}

/// Hands messages to a mail server, each over a connection of its own.
public struct SMTPClient: Sendable {
  private let server: SMTPServer
  private let threads: OutboundThreads
  private let limits: OutboundLimits

  public init(
    server: SMTPServer, threads: OutboundThreads = OutboundThreads(), limits: OutboundLimits = OutboundLimits()
  ) {
    self.server = server
    self.threads = threads
    self.limits = limits
  }

  public var queues: [OutboundThreads] { [threads] }

  /// Whether a text can stand as an address in a command: one @, no spaces, brackets or control characters.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"<>()\\\",;:".utf8.contains($0) }
  }

  /// Sends a message and returns when the server has accepted it.
  ///
  /// Cancellation gives up before the server can have the whole message; after that it waits for the verdict, five
  /// seconds at most.
  ///
  /// - Parameters:
  ///   - message: header and body, lines ended by CR LF.
  ///   - sender: the address that hears of bounces.
  ///   - recipient: one address.
  public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws(SMTPError) {
    guard Self.isAddress(sender), Self.isAddress(recipient), !message.isEmpty else {
      throw .refused(isPermanent: true, reply: 0, problem: "an address or the message is not well-formed")
    }
    let error = await threads.run { [server, limits] cancellation in
      Self.send(message, from: sender, to: recipient, server, limits, cancellation)
    }
    guard let error else { throw .refused(isPermanent: false, reply: 0, problem: "too many calls wait") }
    if let error { throw error }
  }

  private static func send(
    _ message: [UInt8], from sender: String, to recipient: String, _ server: SMTPServer, _ limits: OutboundLimits,
    _ cancellation: Cancellation
  ) -> SMTPError? {
    let transfer: Transfer
    do throws(OutboundError) {
      transfer = try Transfer(url: server.url, limits: limits, upload: message) { transfer in
        // What follows a verdict is a farewell, for which nobody waits.
        if let verdict = transfer.verdict { return .now - verdict.at > .seconds(1) }
        guard let age = cancellation.age else { return false }
        return !transfer.isUploaded || age > .seconds(5)
      }
    } catch {
      return .refused(isPermanent: false, reply: 0, problem: "libcurl has no memory")
    }
    transfer.set(CURLOPT_PROXY, "")
    transfer.set(CURLOPT_MAIL_FROM, "<\(sender)>")
    transfer.set(CURLOPT_MAIL_RCPT, ["<\(recipient)>"])
    let security = server.security == .required ? CURLUSESSL_ALL : CURLUSESSL_NONE
    transfer.set(CURLOPT_USE_SSL, Int(security.rawValue))
    if let credentials = server.credentials {
      transfer.set(CURLOPT_USERNAME, credentials.user)
      transfer.set(CURLOPT_PASSWORD, credentials.password)
    }
    let outcome = transfer.perform()
    return verdict(of: transfer, outcome)
  }

  /// What a call's end says about the message. The verdict is the first whole reply after the message's last byte.
  private static func verdict(of transfer: Transfer, _ outcome: Transfer.Outcome) -> SMTPError? {
    guard transfer.isUploaded else {
      let reply = transfer.responseCode
      // Wrong credentials and missing TLS are put right in the configuration; then the message goes out.
      let isPermanent =
        outcome.code == CURLE_SEND_ERROR && (500...599).contains(reply) && ![530, 534, 535, 538].contains(reply)
      return .refused(isPermanent: isPermanent, reply: reply, problem: outcome.problem)
    }
    guard let reply = transfer.verdict?.reply else { return .outcomeUnknown(problem: outcome.problem) }
    switch reply {
    case 200...299: return nil
    case 400...599: return .refused(isPermanent: reply >= 500, reply: reply, problem: outcome.problem)
    default: return .outcomeUnknown(problem: outcome.problem)
    }
  }
}
