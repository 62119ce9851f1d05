public import Postgres

/// Something that people pay for. The area whose it is says here which of its functions decide what becomes of a payment;
/// `PaymentSQL` has what they call. They lock what is paid for before the payment, so that nobody waits in a circle.
public struct PaymentSubject: Sendable {
  /// In the rows of its payments. Given once over all areas, and never again.
  public let kind: Int16
  /// An SQL function (payment uuid, known_as text, told smallint, amount bigint, currency text, at timestamptz, rules…)
  /// that puts down what the provider has told, and what follows: it calls `take_payment_news`. Returns its
  /// outcome.
  public let settle: String
  /// An SQL function (payment uuid, refused smallint, at timestamptz, rules…) that ends a wish which the provider refuses
  /// for good, and what follows: it calls `end_payment_wish`. Returns whether it was still wished.
  public let giveUp: String
  /// An SQL condition on a row of `payment`: nothing is to be taken for it any more.
  public let isVoid: String
  /// Rules that the functions take as their last arguments: SQL in which parameters are numbered from the one given.
  public let rulesSQL: @Sendable (_ first: Int) -> String
  /// The parameters of the rules.
  public let parameters: [Parameter]

  public init(
    kind: Int16, settle: String, giveUp: String, isVoid: String,
    rulesSQL: @escaping @Sendable (_ first: Int) -> String, parameters: [Parameter]
  ) {
    self.kind = kind
    self.settle = settle
    self.giveUp = giveUp
    self.isVoid = isVoid
    self.rulesSQL = rulesSQL
    self.parameters = parameters
  }

  /// The rules as the last arguments of a call.
  func rules(from first: Int) -> String { parameters.isEmpty ? "" : ", " + rulesSQL(first) }
}
