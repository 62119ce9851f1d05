internal import FoundationEssentials
public import Outbound

/// A payment provider with an HTTP API, in the manner of Stripe's payment intents with manual capture.
///
/// Requests are POSTs with `Authorization: Bearer <key>`, `Idempotency-Key: <reference>-<action>` and JSON bodies:
///
/// | path | body | does |
/// |---|---|---|
/// | `/v1/payments` | `{"reference", "amount", "currency", "description", "capture": "manual"}` | makes a payment, once a reference |
/// | `/v1/payments/<id>/capture` | `{}` | takes an authorized amount |
/// | `/v1/payments/<id>/cancel` | `{}` | gives up what was not captured |
/// | `/v1/payments/<id>/refund` | `{}` | pays a captured amount back |
///
/// `amount` is in the currency's smallest unit, `reference` is ours (a UUID). The answer, with status 200 or 201, is the
/// payment: `{"id", "reference", "status", "amount", "currency", "url"}`. `status` is `pending`, `authorized`, `captured`,
/// `cancelled`, `refunded` or `failed`; `url` is where the person pays. What was done already is answered with 200 again; an
/// action that the status does not allow with 409 and the payment as it is. 400, 402, 410, 422 and other
/// statuses of `PaymentProviderError.isFinal`: it will not be done. Anything else: try again. News come by webhook: see
/// `PaymentEvent`.
public struct HTTPPaymentProvider: PaymentProvider {
  private let base: String
  private let key: String
  private let client: HTTPClient

  /// - Parameters:
  ///   - base: the URL before `/v1`, without a slash at the end.
  ///   - key: the bearer key.
  ///   - client: of this provider alone, so that one that hangs delays nothing else.
  public init(base: OutboundURL, key: String, client: HTTPClient) {
    self.base = base.description.hasSuffix("/") ? String(base.description.dropLast()) : base.description
    self.key = key
    self.client = client
  }

  public var queues: [OutboundThreads] { [client.threads] }

  private struct Order: Encodable {
    let reference: String
    let amount: Int64
    let currency: String
    let description: String
    let capture = "manual"
  }

  public func create(_ order: PaymentOrder) async throws(PaymentProviderError) -> ProviderPayment {
    let body = Order(
      reference: order.reference, amount: order.amount, currency: order.currency, description: order.description)
    guard let json = try? JSONEncoder().encode(body) else { throw .unreadable }
    let payment = try await ask("payments", Array(json), key: "\(order.reference)-create", order.reference)
    guard payment.amount == order.amount, payment.currency == order.currency else { throw .unreadable }
    return payment
  }

  public func capture(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
    try await act("capture", id, reference)
  }

  public func cancel(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
    try await act("cancel", id, reference)
  }

  public func refund(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
    try await act("refund", id, reference)
  }

  private func act(
    _ action: String, _ id: String, _ reference: String
  ) async throws(PaymentProviderError) -> ProviderPayment {
    let payment = try await ask("payments/\(id)/\(action)", Array("{}".utf8), key: "\(reference)-\(action)", reference)
    guard payment.id == id else { throw .unreadable }
    return payment
  }

  private func ask(
    _ path: String, _ json: [UInt8], key idempotencyKey: String, _ reference: String
  ) async throws(PaymentProviderError) -> ProviderPayment {
    guard let url = OutboundURL("\(base)/v1/\(path)", schemes: ["https", "http"]) else { throw .unreadable }
    let post = HTTPPost(
      url: url, contentType: "application/json", content: json, credentials: .bearer(key),
      idempotencyKey: idempotencyKey)
    let response: HTTPResponse
    do throws(OutboundError) { response = try await client.post(post) } catch { throw .unavailable("\(error)") }
    switch response.status {
    case 200, 201, 409: break
    case 429, 500...: throw .unavailable("status \(response.status)")
    default: throw .refused(status: response.status)
    }
    guard let payment = try? JSONDecoder().decode(ProviderPayment.self, from: Data(response.body)),
      payment.reference == reference, Self.isID(payment.id), payment.url.map({ $0.utf8.count <= 2_000 }) ?? true
    else { throw response.status == 409 ? .refused(status: 409) : .unreadable }
    return payment
  }

  /// Whether a provider's name for a payment can be a part of a path: letters, digits, "-" and "_".
  static func isID(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
