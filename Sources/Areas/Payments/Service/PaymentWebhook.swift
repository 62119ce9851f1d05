public import Domain
public import HTTPServer
public import PaymentGateway
internal import Postgres

/// Where the payment provider posts its news: `POST /v1/payment-events`.
///
/// | status | means |
/// |---|---|
/// | 200 | put down, and committed; or nothing to us: another kind of event, or somebody else's payment |
/// | 400 | signed by the provider, and still no JSON object |
/// | 401 | not signed by the provider, or not in the last five minutes |
/// | 409 | it can't be true of the payment as it is known (another amount, currency or name there, a state that can't follow): nothing is put down, and the operator's log says so; what came too early is taken when it is told again |
/// | 408, 413 | the request does not come as a whole in time, or is too long |
/// | 503 | the database is away: the same again later |
public struct PaymentWebhook: Sendable {
  /// The path of the one resource.
  public static let path = "/v1/payment-events"
  /// Of what the provider posts.
  private static let bodyBytesMax = 64 << 10

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
  public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST" else { return .plain(405) }
    let body: [UInt8]
    do throws(HTTPBodyError) { body = try await request.body(atMost: Self.bodyBytesMax) } catch {
      return .plain(error.status)
    }
    do throws(WebhookSignature.Fault) {
      try signature.verify(
        request.header(WebhookSignature.header), body: body, now: clock() / 1_000_000)
    } catch {
      return .plain(401)
    }
    guard body.first == UInt8(ascii: "{") else { return .plain(400) }
    guard let event = PaymentEvent(json: body), PaymentRecord.isID(event.payment.reference) else {
      return .plain(200, "not for us")
    }
    do {
      switch try await desk.take(event) {
      case .done: return .plain(200, "taken")
      case .unknown: return .plain(200, "not for us")
      case .refused(let disagreement): return .plain(409, "another \(disagreement)")
      }
    } catch {
      return .plain(503)
    }
  }
}
