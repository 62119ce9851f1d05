internal import ArgumentParser

/// How a payment provider for development behaves.
struct ProviderBehaviour: Sendable {
  /// What becomes of each payment without anybody's doing.
  enum Automatic: String, ExpressibleByArgument, CaseIterable, Sendable {
    case authorize, decline, never
  }

  /// What can be asked of it.
  enum Request: String, ExpressibleByArgument, CaseIterable, Sendable {
    case create, capture, cancel, refund
  }

  var automatic: Automatic
  /// Before each automatic decision.
  var delay: Duration
  /// Whether each webhook is posted twice.
  var duplicatesWebhooks: Bool
  /// Whether webhooks come in another order than the events.
  var shufflesWebhooks: Bool
  /// Of the first requests every other one is done, and all are answered with 503.
  var failures: Int
  /// What is refused for good, with status 402.
  var refused: Set<Request>
}
