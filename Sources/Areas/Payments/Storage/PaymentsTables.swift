public import Log
internal import Postgres

extension AreaTables {
  /// Payments.
  public static let payments = AreaTables(
    migrations: [
      Migration(number: 46, name: "payment", sql: PaymentSQL.schema),
      Migration(number: 70, name: "payment_news", sql: PaymentNewsSQL.schema),
    ],
    personal: [
      "payment.currency": .impersonal,
      "payment.description": .kept("what was paid for, by a number that stands for nobody any more"),
      "payment.payment_url": .erased,
      "payment.provider_payment": .erased,
    ],
    // Amounts stay; how the provider calls a payment stays until nothing is to be asked of it.
    erasure: [forgotten("payer = $1"), "UPDATE payment SET payment_url = NULL WHERE payer = $1"],
    stragglers: [forgotten("payer IN (SELECT account FROM erasure WHERE erased_at >= $1)")])

  /// Forgets how the provider calls payments of which nothing is to be asked any more.
  private static func forgotten(_ condition: String) -> String {
    """
    UPDATE payment SET provider_payment = NULL
    WHERE provider_payment IS NOT NULL AND wish = \(PaymentWish.none) AND \(condition)
    """
  }
}
