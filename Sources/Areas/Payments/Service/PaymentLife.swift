internal import Log
internal import Logging
internal import ServiceLifecycle

/// Carries out what is wished of the payment provider, until the server is told to end.
struct PaymentLife: Service {
  let desk: PaymentDesk

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await desk.run()
      // A desk without a provider has nothing to do: the end of the task is the end.
      while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
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
    case .refused(let payment, let told, let disagreement):
      logger.error(
        "news of a payment disagree with it and were refused: somebody has to look",
        metadata: ["payment": "\(payment)", "told": "\(told)", "disagrees_in": "\(disagreement)"])
    case .contradiction(let payment):
      logger.error(
        "the payment provider contradicts itself: somebody has to look", metadata: ["payment": "\(payment)"])
    case .storageFailed(let error):
      logger.debug("payments can't be read or written", metadata: ["error": "\(error)"])
    }
  }
}
