public import WireCodec

extension Trackme_Payments_V1_Price {
  public init(_ money: Money) { self.init(currencyCode: money.currency, minorUnits: money.minorUnits) }
}

extension Trackme_Payments_V1_Payment {
  /// For who pays, and nobody else.
  public init(_ payment: PaymentRecord) {
    self.init(
      paymentID: payment.id, state: .init(rawValue: Int32(payment.state.rawValue)), price: .init(payment.money),
      paymentURL: payment.url)
  }
}
