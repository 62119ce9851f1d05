package import Domain

/// How the budget of all third parties together is shared out over a year (UTC).
///
/// Half of it is dealt out in equal shares: one for each third party, and one that is kept for whoever comes later. A share is
/// there from the first day, and what others ask takes nothing of it. The rest is for everybody, and grows by the same amount
/// every day: so it is not gone in January, however many ask for it. All of it together is never more than the budget.
///
/// A third party that comes later makes the shares of the others smaller, which is why it needs a code of an administrator.
package struct BudgetShares: Sendable, Hashable {
  /// The share of each third party.
  package let share: PrivacyLoss
  /// What everybody may take now beyond their share.
  package let free: PrivacyLoss
  /// What everybody may take beyond their share until the end of the year, if nobody else takes it.
  package let freeInYear: PrivacyLoss

  /// - Parameters:
  ///   - taken: by each third party, also by those that have taken nothing.
  ///   - spent: by all together. It is more than `taken` adds up to where third parties are forgotten, and is never too little.
  ///   - day: what has been free since 1 January includes that of this day.
  package init(_ budgets: GroupBudgets, taken: [PrivacyLoss], spent: PrivacyLoss, on day: DayOfYear) {
    let (all, shares) = (budgets.ofAll.billionths, Int64(taken.count + 1))
    let most = min(all / 2 / shares, budgets.ofThirdParty.billionths)
    let left = max(all - spent.billionths, 0)
    let share = Self.level(taken.map(\.billionths), filling: left, upTo: most)
    // Whatever was taken beyond a share was free.
    let beyond =
      taken.reduce(0) { $0 + max($1.billionths - share, 0) }
      + max(spent.billionths - taken.reduce(0) { $0 + $1.billionths }, 0)
    let reserved = share + taken.reduce(0) { $0 + max(share - $1.billionths, 0) }
    let ofYear = all - shares * most
    self.share = PrivacyLoss(billionths: share)
    free = PrivacyLoss(billionths: max(min(day.part(of: ofYear) - beyond, left - reserved), 0))
    freeInYear = PrivacyLoss(billionths: max(min(ofYear - beyond, left - reserved), 0))
  }

  /// What is left of a share for whom it is.
  package func reserved(havingTaken taken: PrivacyLoss) -> PrivacyLoss {
    PrivacyLoss(billionths: max(share.billionths - taken.billionths, 0))
  }

  /// The highest level up to which every third party, and one more, can take from what is left. It is below the share that is
  /// due only where third parties came when most was taken already: what is asked within shares, or of what is free, leaves it
  /// where it is.
  private static func level(_ taken: [Int64], filling left: Int64, upTo most: Int64) -> Int64 {
    let lowest = ([0] + taken).sorted()
    var sum: Int64 = 0
    for (index, level) in lowest.enumerated() {
      sum += level
      let filled = (left + sum) / Int64(index + 1)
      if index + 1 == lowest.count || filled <= lowest[index + 1] { return min(filled, most) }
    }
    return 0
  }
}

/// What third parties have spent in a year.
package struct BudgetStanding: Sendable, Hashable {
  /// By the third party that asks.
  package let spent: PrivacyLoss
  /// What the third party that asks has taken of the budget of all: answers that others were given before it cost nothing of
  /// that.
  package let taken: PrivacyLoss
  /// The same of each other third party, also of those that have taken nothing.
  package let takenByOthers: [PrivacyLoss]
  /// By all together.
  package let spentByAll: PrivacyLoss

  package init(spent: PrivacyLoss, taken: PrivacyLoss, takenByOthers: [PrivacyLoss], spentByAll: PrivacyLoss) {
    self.spent = spent
    self.taken = taken
    self.takenByOthers = takenByOthers
    self.spentByAll = spentByAll
  }

  /// What it may spend on new answers.
  package func allowance(of budgets: GroupBudgets, on day: DayOfYear) -> BudgetAllowance {
    let shares = BudgetShares(budgets, taken: takenByOthers + [taken], spent: spentByAll, on: day)
    let own = PrivacyLoss(billionths: max(budgets.ofThirdParty.billionths - spent.billionths, 0))
    let reserved = shares.reserved(havingTaken: taken)
    return BudgetAllowance(
      now: min(own, reserved + shares.free), inYear: min(own, reserved + shares.freeInYear),
      reserved: min(own, reserved))
  }
}

/// What a third party may spend on new answers.
package struct BudgetAllowance: Sendable, Hashable {
  package let now: PrivacyLoss
  /// Until the end of the year, if nobody else takes what is free.
  package let inYear: PrivacyLoss
  /// The part of it that nobody else can take.
  package let reserved: PrivacyLoss
}

/// A day of a year (UTC).
package struct DayOfYear: Sendable, Hashable {
  /// 1 on 1 January.
  package let number: Int
  /// 365 or 366.
  package let daysOfYear: Int

  /// - Parameter time: outside of the year, its first or last day is meant: what was asked at the end of a year may be
  ///   answered in the next one.
  package init(at time: Microseconds, in year: Int) {
    let first = CalendarDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
    daysOfYear = CalendarDate(year: year, month: 12, day: 31).map { $0.daysSinceEpoch - first + 1 } ?? 365
    let today = CalendarDate(utc: time)?.daysSinceEpoch ?? first
    number = min(max(today - first + 1, 1), daysOfYear)
  }

  /// As large a part of something as the year is over at the end of the day.
  package func part(of whole: Int64) -> Int64 {
    let (days, rest) = whole.quotientAndRemainder(dividingBy: Int64(daysOfYear))
    return days * Int64(number) + rest * Int64(number) / Int64(daysOfYear)
  }
}
