public import Payments

extension PaymentSubject {
  /// Places in races. Before the start whoever can't pay has no place; from the start on the place stays, and the
  /// organisers are told. What comes after the gun gets no place, and nothing is taken.
  public static let fees = PaymentSubject(
    kind: 1, settle: "settle_fee", giveUp: "give_up_fee",
    isVoid: "EXISTS (SELECT FROM race c WHERE c.id = payment.subject AND c.cancelled_at IS NOT NULL)",
    rulesSQL: PlaceRow.sql(from:), parameters: PlaceRow.parameters)
}
