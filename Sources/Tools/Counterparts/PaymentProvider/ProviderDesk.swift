internal import Log
internal import FoundationEssentials
internal import Inbound
internal import Outbound
internal import PaymentGateway
internal import Synchronization
internal import Threads

/// Answers as a payment provider, in the protocol of `HTTPPaymentProvider`, and posts webhooks.
final class ProviderDesk: Sendable {
  let books = ProviderBooks()
  private let key: String
  private let webhook: OutboundURL
  private let signature: WebhookSignature
  private let behaviour: ProviderBehaviour
  private let urlBase: String
  private let client = HTTPClient(threads: OutboundThreads(threadsMax: 8, waitingMax: 100_000))
  private let requests = Atomic<Int>(0)
  private let events = Atomic<Int>(0)

  /// - Parameters:
  ///   - key: the bearer key that requests have to bring.
  ///   - webhook: where events are posted.
  ///   - urlBase: of the pages to pay on.
  init(
    key: String, webhook: OutboundURL, signature: WebhookSignature, behaviour: ProviderBehaviour, urlBase: String
  ) {
    self.key = key
    self.webhook = webhook
    self.signature = signature
    self.behaviour = behaviour
    self.urlBase = urlBase
  }

  func answer(_ request: InboundRequest) async -> InboundResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first, parts.count) {
    case ("GET", "payments", 1): return InboundResponse(status: 200, contentType: Self.json, body: books.json())
    case ("GET", "pay", 2): return page(parts[1])
    case ("POST", "pay", 2): return pay(parts[1], request.body)
    case (_, "v1", _): return interface(request, Array(parts.dropFirst()))
    default: return InboundResponse(status: 404)
    }
  }

  private static let json = "application/json"

  // MARK: For the shop

  private func interface(_ request: InboundRequest, _ parts: [String]) -> InboundResponse {
    guard request.header("authorization") == "Bearer \(key)" else { return InboundResponse(status: 401) }
    let number = requests.add(1, ordering: .relaxed).newValue
    let isFailing = number <= behaviour.failures
    if isFailing, number % 2 == 1 { return InboundResponse(status: 503) }
    let response = serve(request, parts)
    // It is done, and nobody hears of it.
    return isFailing ? InboundResponse(status: 503) : response
  }

  private struct Order: Decodable {
    let reference: String
    let amount: Int64
    let currency: String
    let description: String
  }

  private func serve(_ request: InboundRequest, _ parts: [String]) -> InboundResponse {
    guard parts.first == "payments" else { return InboundResponse(status: 404) }
    let asked = parts.count == 1 ? .create : ProviderBehaviour.Request(rawValue: parts[parts.count - 1])
    if request.method == "POST", let asked, behaviour.refused.contains(asked) { return InboundResponse(status: 402) }
    switch (request.method, parts.count) {
    case ("POST", 1):
      guard request.header("idempotency-key") != nil,
        let order = try? JSONDecoder().decode(Order.self, from: Data(request.body)), order.amount > 0,
        order.currency.utf8.count == 3, !order.reference.isEmpty
      else { return InboundResponse(status: 400) }
      let (entry, isNew) = books.create(
        reference: order.reference, amount: order.amount, currency: order.currency, description: order.description,
        urlBase: urlBase)
      if isNew { decide(entry.id) }
      return payment(entry, status: isNew ? 201 : 200)
    case ("GET", 2): return books.find(parts[1]).map { payment($0) } ?? InboundResponse(status: 404)
    case ("POST", 3):
      guard let action = ProviderBooks.Action(rawValue: parts[2]), action != .authorize, action != .decline else {
        return InboundResponse(status: 404)
      }
      return answer(action, parts[1])
    default: return InboundResponse(status: 405)
    }
  }

  private func answer(_ action: ProviderBooks.Action, _ id: String) -> InboundResponse {
    switch books.act(action, on: id) {
    case .noPayment: return InboundResponse(status: 404)
    case .refused(let entry): return payment(entry, status: 409)
    case .unchanged(let entry): return payment(entry)
    case .changed(let entry):
      tell(entry)
      return payment(entry)
    }
  }

  private func payment(_ entry: ProviderBooks.Entry, status: Int = 200) -> InboundResponse {
    let body = (try? JSONEncoder().encode(entry.payment)).map { Array($0) } ?? []
    return InboundResponse(status: status, contentType: Self.json, body: body)
  }

  // MARK: For who pays

  private func page(_ id: String) -> InboundResponse {
    guard let entry = books.find(id) else { return InboundResponse(status: 404) }
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
    let page = """
      <!DOCTYPE html><title>Pay</title><p>\(escaped(entry.description)): \(entry.amount) \(escaped(entry.currency)) \
      (smallest units), \(entry.status.rawValue)</p><form method=post><button name=action value=authorize>Pay</button> \
      <button name=action value=decline>Decline</button></form>
      """
    return InboundResponse(status: 200, contentType: "text/html; charset=utf-8", body: Array(page.utf8))
  }

  private func pay(_ id: String, _ body: [UInt8]) -> InboundResponse {
    let isDeclined = String(decoding: body, as: UTF8.self).contains("decline")
    return answer(isDeclined ? .decline : .authorize, id)
  }

  private func decide(_ id: String) {
    guard behaviour.automatic != .never else { return }
    let action: ProviderBooks.Action = behaviour.automatic == .decline ? .decline : .authorize
    Task { [self] in
      try? await Task.sleep(for: behaviour.delay)
      _ = answer(action, id)
    }
  }

  // MARK: Webhooks

  /// Posts an event until it is answered with 200.
  private func tell(_ entry: ProviderBooks.Entry) {
    let id = "evt_\(events.add(1, ordering: .relaxed).newValue)"
    let body = PaymentEvent.json(
      id: id, status: entry.status, created: wallClock() / 1_000_000, payment: entry.payment)
    for _ in 0..<(behaviour.duplicatesWebhooks ? 2 : 1) {
      Task { [self] in
        if behaviour.shufflesWebhooks { try? await Task.sleep(for: .milliseconds(Int.random(in: 0...500))) }
        var backOff = BackOff(initial: .milliseconds(100), max: .seconds(2), jitter: 0)
        while true {
          let post = HTTPPost(
            url: webhook, contentType: Self.json, content: body,
            headers: [(WebhookSignature.header, signature.sign(body, at: wallClock() / 1_000_000))])
          if let response = try? await client.post(post), response.status == 200 { return }
          try? await Task.sleep(for: backOff.next())
        }
      }
    }
  }
}
