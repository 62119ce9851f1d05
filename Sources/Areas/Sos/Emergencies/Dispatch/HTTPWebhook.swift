public import Outbound

/// Takes CAP messages by HTTPS.
public struct HTTPWebhook: AlertWebhook {
  private let url: OutboundURL
  private let token: String?
  private let client: HTTPClient

  /// - Parameters:
  ///   - token: is sent as a bearer token.
  ///   - client: of this webhook alone, so that one that hangs delays no other.
  public init(url: OutboundURL, token: String?, client: HTTPClient) {
    self.url = url
    self.token = token
    self.client = client
  }

  public var queues: [OutboundThreads] { [client.threads] }

  public func send(_ alert: [UInt8], key: String, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let post = HTTPPost(
      url: url, contentType: CAPMessage.contentType, content: alert, credentials: token.map { .bearer($0) },
      idempotencyKey: key)
    client.post(post) { completion(DeliveryOutcome($0)) }
  }
}
