internal import ArgumentParser
internal import Console
internal import HTTPServer
internal import Outbound
internal import PaymentGateway

/// Who takes payments, if there is somebody.
package struct PaymentSettings: Sendable {
  /// Where the provider posts its news; nil: nowhere.
  package struct Webhook: Sendable {
    let address: ListenAddress
    let signature: WebhookSignature
  }

  let provider: HTTPPaymentProvider?
  let webhook: Webhook?

  /// For `trackme serve --help`.
  static let help = """
    Fees go through a payment provider (TRACKME_PAYMENT_URL, with its key in the file TRACKME_PAYMENT_KEY_FILE), \
    which posts its news to http://TRACKME_WEBHOOK_LISTEN/v1/payment-events, signed with the secret in the file \
    TRACKME_PAYMENT_WEBHOOK_SECRET_FILE. For development there is `trackme payment-provider`.
    """

  /// - Parameter isInsecure: news may come unencrypted from elsewhere, because a proxy encrypts.
  init(_ environment: Environment, isInsecure: Bool) throws {
    guard let text = environment["TRACKME_PAYMENT_URL"] else {
      guard environment["TRACKME_WEBHOOK_LISTEN"] == nil else {
        throw ValidationError("TRACKME_WEBHOOK_LISTEN needs TRACKME_PAYMENT_URL")
      }
      provider = nil
      webhook = nil
      return
    }
    guard let url = OutboundURL(text, schemes: ["https", "http"]), url.scheme == "https" || url.isLoopback,
      !text.contains("?"), !text.contains("#")
    else {
      throw ValidationError(
        "TRACKME_PAYMENT_URL: \(text) must be an https URL, or an http one of this machine, without a query")
    }
    guard let key = try environment.secret("TRACKME_PAYMENT_KEY_FILE"),
      let secret = try environment.secret("TRACKME_PAYMENT_WEBHOOK_SECRET_FILE"),
      let listen = environment["TRACKME_WEBHOOK_LISTEN"]
    else {
      throw ValidationError(
        "TRACKME_PAYMENT_URL needs TRACKME_PAYMENT_KEY_FILE, TRACKME_PAYMENT_WEBHOOK_SECRET_FILE and "
          + "TRACKME_WEBHOOK_LISTEN")
    }
    guard secret.utf8.count >= 16 else {
      throw ValidationError("TRACKME_PAYMENT_WEBHOOK_SECRET_FILE: at least 16 characters")
    }
    var limits = OutboundLimits()
    limits.certificateAuthority = environment["TRACKME_OUTBOUND_CA"]
    limits.connect = .seconds(5)
    limits.whole = .seconds(10)
    limits.bodyBytes = 64 << 10
    provider = HTTPPaymentProvider(
      base: url, key: key, client: HTTPClient(threads: OutboundThreads(threadsMax: 16, waitingMax: 256), limits: limits)
    )
    guard let address = ListenAddress(listen) else {
      throw ValidationError("TRACKME_WEBHOOK_LISTEN: \(listen) must be host:port")
    }
    // Signed, so that nobody can change them; but who pays for which race is nobody else's business.
    guard address.isLoopback || isInsecure else {
      throw ValidationError(
        "TRACKME_WEBHOOK_LISTEN: \(listen) can be reached from other machines, and takes news of payments unencrypted. "
          + "Listen on 127.0.0.1 behind a proxy that encrypts, or add --insecure if one encrypts on the way there.")
    }
    webhook = Webhook(address: address, signature: WebhookSignature(secret: secret))
  }
}
