internal import Domain
internal import Payments
internal import RPCRuntime
internal import ServiceKit

/// What comes of a question that may have a price.
enum PaidAnswer {
  /// - Parameter price: of the payment that it was paid with; nil: it was not.
  case answered(StoredAnswer, price: Money?)
  /// The price has to be reserved first, or is reserved and the payment was not named.
  case due(PaymentRecord)
}

extension GroupService {
  /// Has a question answered where its price is reserved or there is none, and says what is to be paid where it is not.
  ///
  /// Asked again with the payment, or while the data is the same, whoever was given an answer is given it for nothing.
  /// - Parameters:
  ///   - id: of the payment that the caller names; may be empty.
  ///   - answer: answers the question, and uses up the purchase with this payment in the same transaction.
  /// - Throws: INVALID_ARGUMENT for an id that is none; FAILED_PRECONDITION with reason PAYMENT_NOT_USABLE for one that does
  ///   not pay for this question; RESOURCE_EXHAUSTED with reason TOO_MANY_PAYMENTS; `PostgresError`; what `answer` throws.
  func paid(
    _ asked: AskedQuestion, by thirdParty: AccountID, paymentID id: String,
    _ answer: (_ payment: String?) async throws -> StoredAnswer
  ) async throws -> PaidAnswer {
    guard !id.isEmpty else {
      guard let price else { return .answered(try await answer(nil), price: nil) }
      if let given = try await answers.given(asked, to: thirdParty, in: epoch) { return .answered(given, price: nil) }
      guard let opened = try await purchases.open(asked, for: thirdParty, price: price, at: clock()) else {
        throw RPCStatus.tooManyPayments
      }
      return try await due(opened.payment, of: asked, for: thirdParty)
    }
    guard PaymentRecord.isID(id) else {
      throw RPCStatus.invalidArgument(field: "payment_id", problem: "must be the id of a payment")
    }
    guard let purchase = try await purchases.find(id, of: asked, for: thirdParty) else {
      throw RPCStatus.paymentNotUsable
    }
    if let stored = purchase.answer { return .answered(stored, price: purchase.payment.money) }
    guard purchase.isOpen else { throw RPCStatus.paymentNotUsable }
    guard purchase.payment.state != .pending else { return try await due(purchase.payment, of: asked, for: thirdParty) }
    if let given = try await answers.given(asked, to: thirdParty, in: epoch) {
      // What is reserved beside is not needed.
      try await end(id, of: asked, for: thirdParty)
      return .answered(given, price: nil)
    }
    defer { desk.wake() }
    do {
      return .answered(try await answer(id), price: purchase.payment.money)
    } catch is PurchaseNotUsable {
      // The same question at the same time has used it up.
      guard let stored = try await purchases.find(id, of: asked, for: thirdParty)?.answer else {
        throw RPCStatus.paymentNotUsable
      }
      return .answered(stored, price: purchase.payment.money)
    } catch let refusal where refusal is BudgetSpent || refusal is RPCStatus {
      try await end(id, of: asked, for: thirdParty)
      throw refusal
    }
  }

  /// With the page to pay on, if the provider gives it in time.
  private func due(
    _ payment: PaymentRecord, of asked: AskedQuestion, for thirdParty: AccountID
  ) async throws -> PaidAnswer {
    guard payment.state == .pending, payment.url.isEmpty else { return .due(payment) }
    await desk.begin(payment.id)
    // Whatever has become of it meanwhile.
    return .due(try await purchases.find(payment.id, of: asked, for: thirdParty)?.payment ?? payment)
  }

  private func end(_ payment: String, of asked: AskedQuestion, for thirdParty: AccountID) async throws {
    try await purchases.end(payment, of: asked, for: thirdParty, at: clock())
    desk.wake()
  }
}

extension RPCStatus {
  /// It tells nothing of payments of others.
  fileprivate static let paymentNotUsable = failure(
    .failedPrecondition, reason: "PAYMENT_NOT_USABLE", message: "you have no payment of this id for this question")

  fileprivate static let tooManyPayments = failure(
    .resourceExhausted, reason: "TOO_MANY_PAYMENTS",
    message: "at most \(AnswerPurchases.openMax) answers may wait for their payment or be paid and not asked for")
}
