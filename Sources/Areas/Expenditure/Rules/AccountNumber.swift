/// One of the 21 accounts of the health service, or Italy: the publisher's three digits as a number.
package struct AccountNumber: Sendable, Hashable, Comparable {
  /// 0 Italy, otherwise one of `AccountList.all`.
  package let value: Int

  package static let italy = AccountNumber(unchecked: 0)

  /// - Returns: nil for a number that is no account's.
  package init?(_ value: Int) {
    guard value == 0 || AccountList.names[value] != nil else { return nil }
    self.value = value
  }

  init(unchecked value: Int) { self.value = value }

  /// - Parameter text: "IT" or three digits such as "041"; nil for anything else.
  package init?(_ text: some StringProtocol) {
    if text == "IT" {
      self = .italy
      return
    }
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), value != 0
    else { return nil }
    self.init(value)
  }

  /// "IT" or three digits.
  package var text: String { value == 0 ? "IT" : ThreeDigits.text(value) }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

enum ThreeDigits {
  /// Of a number from 0 to 999.
  static func text(_ value: Int) -> String { String("\(1_000 + value)".dropFirst()) }
}
