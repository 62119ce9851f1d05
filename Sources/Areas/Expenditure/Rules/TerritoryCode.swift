/// Italy, an account, or a body of the health service below an account.
package struct TerritoryCode: Sendable, Hashable, Comparable {
  package let account: AccountNumber
  /// The body's three digits, 0 to 999; nil: the account as a whole. 999 is the account's consolidation, 0 the region itself.
  package let body: Int?

  package static let italy = TerritoryCode(.italy)

  /// - Parameter body: 0 to 999; nil: the account as a whole.
  package init(_ account: AccountNumber, body: Int? = nil) {
    self.account = account
    self.body = body
  }

  /// - Parameter text: "IT", three digits of an account, or six of an account and a body; nil for anything else.
  package init?(_ text: String) {
    if let account = AccountNumber(text) {
      self.init(account)
      return
    }
    guard text.utf8.count == 6, let account = AccountNumber(text.prefix(3)), account != .italy,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let body = Int(text.suffix(3))
    else { return nil }
    self.init(account, body: body)
  }

  /// "IT", "010" or "010203".
  package var text: String { account.text + (body.map { ThreeDigits.text($0) } ?? "") }

  package static func < (left: Self, right: Self) -> Bool {
    (left.account, left.body ?? -1) < (right.account, right.body ?? -1)
  }
}
