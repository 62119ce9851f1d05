public import Domain
public import Inbound
public import PaymentGateway
internal import Postgres

/// Where the payment provider posts its news: `POST /v1/payment-events`.
///
/// | status | means |
/// |---|---|
/// | 200 | put down, and committed; or nothing to us: another kind of event, or somebody else's payment |
/// | 400 | signed by the provider, and still no JSON object |
/// | 401 | not signed by the provider, or not in the last five minutes |
/// | 503 | the database is away: the same again later |
public struct PaymentWebhook: Sendable {
  /// The path of the one resource.
  public static let path = "/v1/payment-events"

  private let desk: PaymentDesk
  private let signature: WebhookSignature
  private let clock: @Sendable () -> Microseconds

  /// - Parameters:
  ///   - signature: with the secret that the provider signs with.
  ///   - clock: the time of day.
  public init(desk: PaymentDesk, signature: WebhookSignature, clock: @escaping @Sendable () -> Microseconds) {
    self.desk = desk
    self.signature = signature
    self.clock = clock
  }

  /// Answers a request for that path.
  public func answer(_ request: InboundRequest) async -> InboundResponse {
    guard request.method == "POST" else { return InboundResponse(status: 405) }
    do throws(WebhookSignature.Fault) {
      try signature.verify(
        request.header(WebhookSignature.header), body: request.body, now: clock() / 1_000_000)
    } catch {
      return InboundResponse(status: 401)
    }
    guard request.body.first == UInt8(ascii: "{") else { return InboundResponse(status: 400) }
    guard let event = PaymentEvent(json: request.body), PaymentRecord.isID(event.payment.reference) else {
      return InboundResponse(status: 200, text: "not for us")
    }
    do {
      return InboundResponse(status: 200, text: try await desk.take(event) ? "taken" : "not for us")
    } catch {
      return InboundResponse(status: 503)
    }
  }
}
