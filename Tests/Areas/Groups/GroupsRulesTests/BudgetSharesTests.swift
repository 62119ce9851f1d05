import Domain
import TestSupport
import Testing

@testable import GroupsRules

@Suite("B-R.D6: the budget of all third parties is shared out over the year")
struct BudgetSharesTests {
  private static let all: Int64 = 20_000_000
  private static let budgets = GroupBudgets.standard

  private func day(_ number: Int, of year: Int = 2026) -> DayOfYear {
    let first = CalendarDate(year: year, month: 1, day: 1)!.daysSinceEpoch
    return DayOfYear(at: Microseconds(first + number - 1) * 86_400_000_000, in: year)
  }

  private func shares(
    _ taken: [Int64], spent: Int64? = nil, on number: Int = 1, _ budgets: GroupBudgets = budgets
  ) -> BudgetShares {
    BudgetShares(
      budgets, taken: taken.map { PrivacyLoss(billionths: $0) },
      spent: PrivacyLoss(billionths: spent ?? taken.reduce(0, +)), on: day(number))
  }

  /// What one of them may take now.
  private func left(_ taken: [Int64], of index: Int, on number: Int = 1) -> Int64 {
    let shares = shares(taken, on: number)
    return shares.reserved(havingTaken: PrivacyLoss(billionths: taken[index])).billionths + shares.free.billionths
  }

  @Test func halfIsDealtOutInSharesOfWhichOneIsKept() {
    #expect(shares([0]).share.billionths == Self.all / 2 / 2)
    #expect(shares([0, 0, 0]).share.billionths == Self.all / 2 / 4)
    // Nobody's share is more than one third party may spend: the rest is free.
    let generous = GroupBudgets(
      ofThirdParty: PrivacyLoss(billionths: 10), ofAll: PrivacyLoss(billionths: 73_000_000))
    #expect(shares([0, 0], generous).share.billionths == 10)
    #expect(shares([0, 0], on: 365, generous).free.billionths == 73_000_000 - 30)
  }

  @Test func twoThatTakeAllTheyCanLeaveTheThirdItsShare() {
    for number in [1, 180, 365] {
      var taken: [Int64] = [0, 0, 0]
      let share = shares(taken).share.billionths
      for index in [0, 1, 0, 1] { taken[index] += left(taken, of: index, on: number) }
      let after = shares(taken, on: number)
      #expect(after.free == .none)
      #expect(after.share.billionths == share)
      #expect(left(taken, of: 2, on: number) == share)
      #expect(taken.reduce(0, +) > 2 * share)
      // And there is something for whoever comes then.
      #expect(left(taken + [0], of: 3, on: number) >= share * 2 / 3)
    }
  }

  @Test func whatIsFreeIsSpentOverTheYear() {
    let half = Self.all / 2
    #expect(shares([0]).free.billionths == half / 365)
    #expect(shares([0], on: 73).free.billionths == half / 5)
    #expect(shares([0], on: 365).free.billionths == half)
    #expect(shares([0]).freeInYear.billionths == half)
    // What was taken of it is there again on later days, and not before.
    let share = shares([0]).share.billionths
    #expect(shares([share + half / 5], on: 73).free == .none)
    #expect(shares([share + half / 5], on: 146).free.billionths == half / 5)
    #expect(shares([share + half / 5], on: 73).freeInYear.billionths == half - half / 5)
  }

  @Test func daysAreThoseOfTheYear() {
    #expect(day(1).part(of: 365) == 1)
    #expect(day(366, of: 2028).daysOfYear == 366)
    #expect(day(366, of: 2028).part(of: 1_000) == 1_000)
    // What was asked before midnight and is answered after it belongs to the day before.
    #expect(DayOfYear(at: 1_830_297_600_000_000 + 5, in: 2027) == day(365, of: 2027))
    // Of the largest budget that can be set, too.
    #expect(day(364).part(of: 10_000_000_000_000) == 9_972_602_739_726)
  }

  @Test func nobodyMaySpendMoreThanAThirdPartyMay() {
    let standing = BudgetStanding(
      spent: PrivacyLoss(billionths: 9_000_000), taken: PrivacyLoss(billionths: 1_000_000),
      takenByOthers: [.none], spentByAll: PrivacyLoss(billionths: 1_000_000))
    let allowance = standing.allowance(of: Self.budgets, on: day(365))
    #expect(allowance.now.billionths == 1_000_000)
    #expect(allowance.inYear.billionths == 1_000_000 && allowance.reserved.billionths == 1_000_000)
    let fresh = BudgetStanding(spent: .none, taken: .none, takenByOthers: [.none], spentByAll: .none)
    let share = Self.all / 2 / 3
    #expect(fresh.allowance(of: Self.budgets, on: day(73)).reserved.billionths == share)
    #expect(fresh.allowance(of: Self.budgets, on: day(73)).now.billionths == share + (Self.all - 3 * share) / 5)
    #expect(fresh.allowance(of: Self.budgets, on: day(73)).inYear == Self.budgets.ofThirdParty)
  }

  @Test func whatForgottenThirdPartiesHaveTakenIsTaken() {
    let after = shares([0], spent: 4_000_000, on: 365)
    #expect(after.free.billionths == Self.all / 2 - 4_000_000)
    #expect(after.share.billionths == Self.all / 4)
  }

  @Test func whoComesWhenAllIsTakenGetsPartOfWhatIsKept() {
    let budgets = GroupBudgets(
      ofThirdParty: PrivacyLoss(billionths: 12_000_000), ofAll: PrivacyLoss(billionths: 24_000_000))
    // Two have taken their shares of four millions, and all that was free.
    #expect(shares([10_000_000, 10_000_000], on: 365, budgets).free == .none)
    // As much is kept once more.
    #expect(shares([10_000_000, 10_000_000, 0], on: 365, budgets).share.billionths == 2_000_000)
    #expect(shares([10_000_000, 10_000_000, 0, 0], on: 365, budgets).share.billionths == 4_000_000 / 3)
  }

  @Test("All is never more than the budget, and nobody takes of another one's share", arguments: 0..<50)
  func years(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var taken: [Int64] = [0]
    var spent: Int64 = 0
    for number in 1...365 {
      if Int.random(in: 0..<40, using: &generator) == 0 { taken.append(0) }
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        let index = Int.random(in: taken.indices, using: &generator)
        let before = shares(taken, spent: spent, on: number)
        let most = left(taken, of: index, on: number)
        let cost = Bool.random(using: &generator) ? most : Int64.random(in: 0...most, using: &generator)
        taken[index] += cost
        spent += cost
        let after = shares(taken, spent: spent, on: number)
        #expect(after.share == before.share)
        #expect(after.free <= before.free && after.free <= after.freeInYear)
      }
      #expect(spent <= Self.all)
      let reserved = taken.indices.reduce(Int64(0)) { sum, index in
        let shares = shares(taken, spent: spent, on: number)
        return sum + shares.reserved(havingTaken: PrivacyLoss(billionths: taken[index])).billionths
      }
      #expect(spent + reserved <= Self.all, "shares that are promised are there")
    }
  }

  @Test func ofABudgetThatWasMadeSmallerNothingIsLeft() {
    let small = GroupBudgets(ofThirdParty: PrivacyLoss(billionths: 10), ofAll: PrivacyLoss(billionths: 20))
    let after = shares([15, 15, 0], on: 365, small)
    #expect(after.share == .none && after.free == .none && after.freeInYear == .none)
  }
}
