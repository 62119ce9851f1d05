internal import FoundationEssentials

/// News of a payment, as the provider posts it to our webhook:
///
/// `{"id": "evt_1", "type": "payment.authorized", "created": 1770000000, "payment": {…}}`
///
/// `payment` is as in `HTTPPaymentProvider`, with the status of the event. The provider posts it again until it is answered
/// with 200, so events may come twice and in another order.
public struct PaymentEvent: Sendable, Hashable {
  /// The provider's name for the event, the same at each repeat.
  public let id: String
  /// As the event told it, whatever came of it since.
  public let status: PaymentStatus
  public let payment: ProviderPayment

  private struct Wire: Codable {
    let id: String
    let type: String
    let created: Int64
    let payment: ProviderPayment
  }

  /// - Returns: nil for what is no event about a payment, or one of a kind that nobody here knows.
  public init?(json: [UInt8]) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(json)), wire.type.hasPrefix("payment."),
      let status = PaymentStatus(rawValue: String(wire.type.dropFirst("payment.".count))), status != .pending,
      HTTPPaymentProvider.isID(wire.payment.id), !wire.id.isEmpty, wire.id.utf8.count <= 200
    else { return nil }
    id = wire.id
    self.status = status
    payment = wire.payment
  }

  /// The event as it is posted.
  /// - Parameter created: when it happened, in seconds since 1970.
  public static func json(id: String, status: PaymentStatus, created: Int64, payment: ProviderPayment) -> [UInt8] {
    let wire = Wire(id: id, type: "payment.\(status.rawValue)", created: created, payment: payment)
    return (try? JSONEncoder().encode(wire)).map { Array($0) } ?? []
  }
}
