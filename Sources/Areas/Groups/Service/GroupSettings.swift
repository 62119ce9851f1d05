internal import AreaKit
internal import Console
package import GroupsRules
package import Payments

/// How much answers about groups may cost the persons in them and whoever asks, and how often they are of new data.
package struct GroupSettings: Sendable {
  package let budgets: GroupBudgets
  package let epochs: GroupEpochs
  /// Of an answer; nil: nothing.
  package let price: Money?

  /// For `trackme serve --help`.
  static let help = """
    Answers about anonymous groups may cost their persons so much of ρ a year, in millionths: TRACKME_GROUP_BUDGET \
    (10000) for each third party, TRACKME_GROUP_BUDGET_OF_ALL (20000) for all together. They are of data that is \
    gathered every TRACKME_GROUP_EPOCH_SECONDS (3600). An answer costs who asks TRACKME_GROUP_QUESTION_PRICE, such as \
    "1500 EUR" in the currency's smallest unit; without the variable, nothing.
    """

  init(_ start: AreaStart) throws {
    let environment = start.environment
    func budget(_ name: String, _ standard: PrivacyLoss) throws -> PrivacyLoss {
      try environment.number(name, 0...10_000_000_000).map { PrivacyLoss(billionths: Int64($0) * 1_000) } ?? standard
    }
    budgets = GroupBudgets(
      ofThirdParty: try budget("TRACKME_GROUP_BUDGET", GroupBudgets.standard.ofThirdParty),
      ofAll: try budget("TRACKME_GROUP_BUDGET_OF_ALL", GroupBudgets.standard.ofAll))
    epochs =
      try environment.number("TRACKME_GROUP_EPOCH_SECONDS", 1...86_400).map { GroupEpochs(length: .seconds($0)) }
      ?? .standard
    price = try start.price("TRACKME_GROUP_QUESTION_PRICE")
  }

  package init(budgets: GroupBudgets = .standard, epochs: GroupEpochs = .standard, price: Money? = nil) {
    self.budgets = budgets
    self.epochs = epochs
    self.price = price
  }
}
