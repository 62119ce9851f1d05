/// An amount of money.
public struct Money: Sendable, Hashable {
  /// ISO 4217, three capital letters.
  public let currency: String
  /// In the currency's smallest unit: of `minorUnitsRange`.
  public let minorUnits: Int64
  /// What can be paid: 1 to 100,000,000 of the currency's smallest unit.
  public static let minorUnitsRange: ClosedRange<Int64> = 1...100_000_000

  public init(currency: String, minorUnits: Int64) {
    self.currency = currency
    self.minorUnits = minorUnits
  }
}

/// Where a payment is. The numbers stand in the database, and are those of `trackme.payments.v1.PaymentState`
/// and `trackme.races.v1.PaymentState`.
public enum PaymentState: Int16, Sendable, Hashable, CaseIterable {
  case pending = 1
  /// The amount is reserved and not taken.
  case authorized = 2
  /// Paid.
  case captured = 3
  /// Nothing was taken, and nothing will be.
  case cancelled = 4
  /// Paid back.
  case refunded = 5
  /// The provider refused it.
  case failed = 6
}

/// In what news of the provider can't be true of the payment as it is known. The numbers are those of the SQL function
/// `disagreement_of_news`.
public enum PaymentDisagreement: Int32, Sendable, Hashable, CaseIterable {
  /// The provider knows the payment by another name, or another payment by this one.
  case id = 2
  case amount = 3
  case currency = 4
  /// A state that can't follow the one that is known: something was taken that nobody asked for, or paid back that was
  /// never taken, or was not taken after it was.
  case state = 5
}

/// Something that the payment provider is still to be asked for.
public struct PaymentWish: Sendable, Hashable {
  public enum Kind: Int16, Sendable, Hashable {
    case create = 1
    /// Take the amount: what was paid for is certain.
    case capture = 2
    /// Take nothing, now and later.
    case cancel = 3
    /// Pay it back.
    case refund = 4
  }

  /// In the database: nothing is wished.
  static let none = "0"

  /// A UUID: the key by which the provider does it once.
  public let payment: String
  public let kind: Kind
  public let money: Money
  /// The provider's name for it; nil where it has not told one.
  public let providerPayment: String?
  /// What the payer reads where they pay.
  public let description: String
}
