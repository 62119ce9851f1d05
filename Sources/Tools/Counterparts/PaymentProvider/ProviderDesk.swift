internal import FoundationEssentials
internal import HTTPServer
internal import PaymentGateway
internal import Synchronization

/// Answers as a payment provider, in the protocol of `HTTPPaymentProvider`.
final class ProviderDesk: Sendable {
  let books = ProviderBooks()
  private let key: String
  private let behaviour: ProviderBehaviour
  private let urlBase: String
  private let news: ProviderNews
  private let requests = Atomic<Int>(0)

  /// - Parameters:
  ///   - key: the bearer key that requests have to bring.
  ///   - news: tells of what has become of a payment.
  ///   - urlBase: of the pages to pay on.
  init(key: String, news: ProviderNews, behaviour: ProviderBehaviour, urlBase: String) {
    self.key = key
    self.news = news
    self.behaviour = behaviour
    self.urlBase = urlBase
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let body: [UInt8]
    do throws(HTTPBodyError) { body = try await request.body(atMost: Self.bodyBytesMax) } catch {
      return .plain(error.status)
    }
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first, parts.count) {
    case ("GET", "payments", 1): return Self.json(books.json())
    case ("GET", "pay", 2): return page(parts[1])
    case ("POST", "pay", 2): return pay(parts[1], body)
    case (_, "v1", _): return interface(request, body, Array(parts.dropFirst()))
    default: return .plain(404)
    }
  }

  /// Of what the shop and those who pay post.
  private static let bodyBytesMax = 64 << 10

  private static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
    answer(status, "application/json", body)
  }

  private static func answer(_ status: Int, _ contentType: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [("Content-Type", contentType), ("Cache-Control", "no-store")], body: body)
  }

  // MARK: For the shop

  private func interface(_ request: HTTPRequest, _ body: [UInt8], _ parts: [String]) -> HTTPResponse {
    guard request.header("authorization") == "Bearer \(key)" else { return .plain(401) }
    let number = requests.add(1, ordering: .relaxed).newValue
    let isFailing = number <= behaviour.failures
    if isFailing, number % 2 == 1 { return .plain(503) }
    let response = serve(request, body, parts)
    // It is done, and nobody hears of it.
    return isFailing ? .plain(503) : response
  }

  private struct Order: Decodable {
    let reference: String
    let amount: Int64
    let currency: String
    let description: String
  }

  private func serve(_ request: HTTPRequest, _ body: [UInt8], _ parts: [String]) -> HTTPResponse {
    guard parts.first == "payments" else { return .plain(404) }
    let asked = parts.count == 1 ? .create : ProviderBehaviour.Request(rawValue: parts[parts.count - 1])
    if request.method == "POST", let asked, behaviour.refused.contains(asked) { return .plain(402) }
    switch (request.method, parts.count) {
    case ("POST", 1):
      guard request.header("idempotency-key") != nil,
        let order = try? JSONDecoder().decode(Order.self, from: Data(body)), order.amount > 0,
        order.currency.utf8.count == 3, !order.reference.isEmpty
      else { return .plain(400) }
      let (entry, isNew) = books.create(
        reference: order.reference, amount: order.amount, currency: order.currency, description: order.description,
        urlBase: urlBase)
      if isNew { decide(entry.id) }
      return payment(entry, status: isNew ? 201 : 200)
    case ("GET", 2): return books.find(parts[1]).map { payment($0) } ?? .plain(404)
    case ("POST", 3):
      guard let action = ProviderBooks.Action(rawValue: parts[2]), action != .authorize, action != .decline else {
        return .plain(404)
      }
      return answer(action, parts[1])
    default: return .plain(405)
    }
  }

  private func answer(_ action: ProviderBooks.Action, _ id: String) -> HTTPResponse {
    switch books.act(action, on: id) {
    case .noPayment: return .plain(404)
    case .refused(let entry): return payment(entry, status: 409)
    case .unchanged(let entry): return payment(entry)
    case .changed(let entry):
      news.tell(entry)
      return payment(entry)
    }
  }

  private func payment(_ entry: ProviderBooks.Entry, status: Int = 200) -> HTTPResponse {
    let body = (try? JSONEncoder().encode(entry.payment)).map { Array($0) } ?? []
    return Self.json(body, status: status)
  }

  // MARK: For who pays

  private func page(_ id: String) -> HTTPResponse {
    guard let entry = books.find(id) else { return .plain(404) }
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
    let page = """
      <!DOCTYPE html><title>Pay</title><p>\(escaped(entry.description)): \(entry.amount) \(escaped(entry.currency)) \
      (smallest units), \(entry.status.rawValue)</p><form method=post><button name=action value=authorize>Pay</button> \
      <button name=action value=decline>Decline</button></form>
      """
    return Self.answer(200, "text/html; charset=utf-8", Array(page.utf8))
  }

  private func pay(_ id: String, _ body: [UInt8]) -> HTTPResponse {
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
}
