internal import Logging
internal import Outbound
internal import ServiceLifecycle

/// Sends mail until the server is told to end.
struct MailLife: Service {
  /// By which mails leave.
  struct Transport: Sendable {
    let transport: any MailTransport
    /// The address that mails come from.
    let sender: String

    init(_ settings: MailSettings, dataDirectory: String) {
      sender = settings.sender
      if let server = settings.server {
        var limits = OutboundLimits()
        limits.certificateAuthority = settings.certificateAuthority
        transport = SMTPClient(server: server, limits: limits)
      } else {
        transport = MailFolder(path: dataDirectory + "/mail")
      }
    }
  }

  let sender: MailSender

  init(_ transport: Transport, queue: MailQueue, notices: Notices, logger: Logger) {
    sender = MailSender(
      queue: queue, notices: notices, transport: transport.transport, sender: transport.sender,
      // A database has one server.
      isAlone: true
    ) { event in
      switch event {
      case .refused(let isGivenUp, let reply, let problem):
        logger.warning(
          isGivenUp ? "a mail was refused for good" : "a mail was not taken; it will be tried again",
          metadata: ["reply": "\(reply)", "problem": "\(problem)"])
      case .uncertain(let count, let problem):
        logger.warning(
          "mails may or may not have been delivered; they will not be sent again",
          metadata: ["count": "\(count)", "problem": "\(problem)"])
      case .queueFailed(let error):
        logger.debug("the queue of mails can't be used", metadata: ["error": "\(error)"])
      }
    }
  }

  func run() async throws {
    await withGracefulShutdownHandler {
      await sender.run()
    } onGracefulShutdown: {
      sender.stop()
    }
  }
}
