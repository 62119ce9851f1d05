import Logging
import Outbound
import ServiceKit
import ServiceLifecycle
import Services
import Storage

/// Sends mail until the server is told to end.
struct MailLife: Service {
  let sender: MailSender

  init(_ settings: Settings, queue: MailQueue, logger: Logger) {
    let transport: any MailTransport
    if let server = settings.mail.server {
      var limits = OutboundLimits()
      limits.certificateAuthority = settings.mail.certificateAuthority
      transport = SMTPClient(server: server, limits: limits)
    } else {
      transport = MailFolder(path: settings.dataDirectory + "/mail")
    }
    sender = MailSender(
      queue: queue, transport: transport, sender: settings.mail.sender,
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
