internal import Log
internal import Inbound
internal import Logging
internal import ServiceLifecycle

/// Carries out what is wished of the payment provider, and takes its news, until the server is told to end.
struct PaymentLife: Service {
  let desk: PaymentDesk
  let listener: HTTPListener?

  /// Listens from now on, so that an address that is taken is an error at the start.
  init(_ webhook: PaymentSettings.Webhook?, desk: PaymentDesk, logger: Logger) throws {
    self.desk = desk
    guard let webhook else {
      listener = nil
      return
    }
    let resource = PaymentWebhook(desk: desk, signature: webhook.signature, clock: wallClock)
    listener = try HTTPListener(host: webhook.host, port: webhook.port) { await resource.answer($0) }
    logger.notice(
      "taking news of payments", metadata: ["listen": "\(webhook.host):\(listener?.port ?? 0)\(PaymentWebhook.path)"])
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await desk.run() }
        if let listener { group.addTask { await listener.run() } }
        // A desk without a provider has nothing to do: the end of the task is the end.
        group.addTask { while (try? await Task.sleep(for: .seconds(3_600))) != nil {} }
      }
    }
  }

  /// What goes to the log when payments don't go as they should.
  static func log(_ event: PaymentDeskEvent, to logger: Logger) {
    switch event {
    case .providerFailed(let wish, let payment, let problem):
      logger.warning(
        "the payment provider has not done what it was asked for; it is asked again",
        metadata: ["wish": "\(wish)", "payment": "\(payment)", "problem": "\(problem)"])
    case .givenUp(let wish, let payment):
      logger.error(
        "the payment provider will not do what it was asked for; it is not asked any more",
        metadata: ["wish": "\(wish)", "payment": "\(payment)"])
    case .contradiction(let payment):
      logger.error(
        "the payment provider contradicts itself: somebody has to look", metadata: ["payment": "\(payment)"])
    case .storageFailed(let error):
      logger.debug("payments can't be read or written", metadata: ["error": "\(error)"])
    }
  }
}
