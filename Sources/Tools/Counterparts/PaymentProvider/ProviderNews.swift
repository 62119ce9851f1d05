internal import Log
internal import Outbound
internal import PaymentGateway
internal import Synchronization
internal import Threads

/// Tells the shop what has become of payments: posts each event to its webhook until it is answered with 200.
final class ProviderNews: Sendable {
  private let webhook: OutboundURL
  private let signature: WebhookSignature
  private let behaviour: ProviderBehaviour
  private let client = HTTPClient(threads: OutboundThreads(threadsMax: 8, waitingMax: 100_000))
  private let events = Atomic<Int>(0)

  /// - Parameter webhook: where events are posted.
  init(webhook: OutboundURL, signature: WebhookSignature, behaviour: ProviderBehaviour) {
    self.webhook = webhook
    self.signature = signature
    self.behaviour = behaviour
  }

  /// Tells of a payment as it is now.
  func tell(_ entry: ProviderBooks.Entry) {
    let id = "evt_\(events.add(1, ordering: .relaxed).newValue)"
    let body = PaymentEvent.json(
      id: id, status: entry.status, created: wallClock() / 1_000_000, payment: entry.payment)
    for _ in 0..<(behaviour.duplicatesWebhooks ? 2 : 1) {
      Task { [self] in
        if behaviour.shufflesWebhooks { try? await Task.sleep(for: .milliseconds(Int.random(in: 0...500))) }
        var backOff = BackOff(initial: .milliseconds(100), max: .seconds(2), jitter: 0)
        while true {
          let post = HTTPPost(
            url: webhook, contentType: "application/json", content: body,
            headers: [(WebhookSignature.header, signature.sign(body, at: wallClock() / 1_000_000))])
          if let response = try? await client.post(post), response.status == 200 { return }
          try? await Task.sleep(for: backOff.next())
        }
      }
    }
  }
}
