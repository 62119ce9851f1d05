/// What answers about groups may cost in a calendar year (UTC).
package struct GroupBudgets: Sendable, Hashable {
  /// Of one third party.
  package let ofThirdParty: PrivacyLoss
  /// Of all third parties together: the most that the answers of a year cost any person, whoever compares them.
  package let ofAll: PrivacyLoss

  /// Whoever guesses which of two things is true of a person is right in 53.6 of 100 cases at best with the answers of one
  /// third party, and in 55 with those of all: ½ + √(ρ/8), as Pinsker's inequality has it; a coin is right in 50.
  package static let standard = GroupBudgets(
    ofThirdParty: PrivacyLoss(billionths: 10_000_000), ofAll: PrivacyLoss(billionths: 20_000_000))

  package init(ofThirdParty: PrivacyLoss, ofAll: PrivacyLoss) {
    self.ofThirdParty = ofThirdParty
    self.ofAll = ofAll
  }
}
