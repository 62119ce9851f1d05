public import Outbound

/// What is to be paid.
public struct PaymentOrder: Sendable, Hashable {
  /// Our name for the payment, a UUID; the provider makes one payment of it, however often it is asked.
  public let reference: String
  /// In the currency's smallest unit.
  public let amount: Int64
  /// ISO 4217, three capital letters.
  public let currency: String
  /// For the person who pays.
  public let description: String

  public init(reference: String, amount: Int64, currency: String, description: String) {
    self.reference = reference
    self.amount = amount
    self.currency = currency
    self.description = description
  }
}

/// Where a payment is at the provider.
public enum PaymentStatus: String, Sendable, Hashable, CaseIterable, Codable {
  /// The person has not paid yet.
  case pending
  /// The amount is reserved and not taken.
  case authorized
  /// The amount was taken.
  case captured
  /// Nothing was taken, and nothing will be.
  case cancelled
  /// The amount was paid back.
  case refunded
  /// The person's bank refused it.
  case failed
}

/// A payment as the provider knows it. There is nothing in it about how or by whom it is paid.
public struct ProviderPayment: Sendable, Hashable, Codable {
  /// The provider's name for it: 1 to 200 characters.
  public let id: String
  /// Our name for it.
  public let reference: String
  public let status: PaymentStatus
  public let amount: Int64
  public let currency: String
  /// Where the person pays; nil where there is nothing to pay any more.
  public let url: String?

  public init(
    id: String, reference: String, status: PaymentStatus, amount: Int64, currency: String, url: String? = nil
  ) {
    self.id = id
    self.reference = reference
    self.status = status
    self.amount = amount
    self.currency = currency
    self.url = url
  }
}

/// Why a provider has not done what it was asked for.
public enum PaymentProviderError: Error, Sendable, Equatable {
  /// It did not answer, or could not; it may have done it. The same again is safe.
  case unavailable(String)
  /// It answered with this status.
  case refused(status: Int)
  /// What it answered is no payment, or another one.
  case unreadable

  /// Whether the same again will have no other answer: it has looked at what it was asked for, and will not do it. Answers
  /// that tell of a wrong key or address, of a conflict or of a wrong moment are none of this payment alone.
  public var isFinal: Bool {
    guard case .refused(let status) = self else { return false }
    return (400..<500).contains(status) && ![401, 403, 404, 405, 408, 409, 425, 429].contains(status)
  }
}

/// Somebody who takes payments for us. Every call can be made again and again: it is done once. Payments are authorized by
/// the person and captured by us, when it is certain what they are for; so nobody pays for nothing.
public protocol PaymentProvider: Sendable {
  /// Where questions wait for a thread; none by default.
  var queues: [OutboundThreads] { get }
  /// Makes a payment, or returns the one that was made of the same reference.
  func create(_ order: PaymentOrder) async throws(PaymentProviderError) -> ProviderPayment
  /// Takes the amount of an authorized payment.
  /// - Returns: the payment as it is now; if it can't be captured, its status says why.
  func capture(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment
  /// Gives up a payment that is not captured.
  /// - Returns: the payment as it is now; if it can't be given up, its status says why.
  func cancel(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment
  /// Pays a captured amount back, as a whole.
  /// - Returns: the payment as it is now; if it can't be paid back, its status says why.
  func refund(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment
}

extension PaymentProvider {
  public var queues: [OutboundThreads] { [] }
}
