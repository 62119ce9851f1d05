public import Postgres

/// A payment as its payer sees it.
public struct PaymentRecord: Sendable, Hashable {
  /// A UUID.
  public let id: String
  public let state: PaymentState
  public let money: Money
  /// Where it is paid; empty until the provider has said so, and when there is nothing to pay any more.
  public let url: String

  /// What `init(_:_:from:)` reads, of a row `p` of payment.
  public static let columns = """
    p.id::text, p.state::integer, p.currency, p.minor_units,
    CASE p.state WHEN \(PaymentState.pending.rawValue) THEN coalesce(p.payment_url, '') ELSE '' END
    """

  /// - Parameter column: the first of `columns`.
  /// - Returns: nil where there is no payment.
  /// - Throws: `PostgresError`.
  public init?(_ rows: Result, _ row: Int, from column: Int) throws {
    guard !rows.isNull(row, column),
      let state = PaymentState(rawValue: Int16(truncatingIfNeeded: try rows.int32(row, column + 1)))
    else { return nil }
    id = try rows.string(row, column)
    self.state = state
    money = Money(currency: try rows.string(row, column + 2), minorUnits: try rows.int64(row, column + 3))
    url = try rows.string(row, column + 4)
  }

  /// Whether a text has the form of an id: 8-4-4-4-12 hexadecimal digits.
  public static func isID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.utf8.allSatisfy(isHexadecimal) }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
