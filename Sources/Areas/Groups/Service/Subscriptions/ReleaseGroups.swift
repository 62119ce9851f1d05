internal import Crypto
internal import Domain
internal import GroupsRules
internal import Log
internal import Logging
internal import ServiceKit
internal import Sharing
internal import WireCodec

extension GroupService {
  /// How many releases are made before it is looked for more that are due.
  private static let releasesAtOnce = 64

  /// Makes the releases of periods that are over, each one once. To be called after each look for new data.
  /// - Throws: `PostgresError`; `CancellationError`.
  func release(_ subscriptions: GroupSubscriptions, logger: Logger) async throws {
    var hasMore = true
    while hasMore {
      hasMore = false
      for record in try await subscriptions.due(at: clock(), limit: Self.releasesAtOnce) {
        do {
          if try await release(record, subscriptions) { hasMore = true }
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // The others don't wait for it.
          logger.warning(
            "a group release can't be made and is tried again",
            metadata: ["subscription": "\(record.id)", "error": "\(error)"])
        }
      }
    }
  }

  /// Answers the question of a period as QueryGroup would, and puts the answer into the log.
  /// - Returns: whether the next period is another one now.
  private func release(_ record: GroupSubscriptionRecord, _ subscriptions: GroupSubscriptions) async throws -> Bool {
    var release = Trackme_Sharing_V1_GroupRelease(
      periodStart: .init(record.period.lowerBound), periodEnd: .init(record.period.upperBound))
    let catalog = metrics.catalog
    var wire = record.asked(try .decode(record.question))
    if record.pause == Trackme_Sharing_V1_GroupPause.tooSmall.rawValue { wire.askForMore() }
    var faults = Violations()
    guard let question = GroupQuestion(wire, "question", in: try await areaCells(of: wire), catalog, &faults),
      let year = CalendarDate(utc: clock())?.year
    else {
      try faults.check()
      return false
    }
    let told = question.wire(wire)
    release.question = told
    guard price == nil else {
      // Answers are paid for one by one.
      release.pause = .price
      release.cost = .init(PrivacyLoss.none)
      return try await subscriptions.add(release.encoded(), pause: release.pause.rawValue, to: record)
    }
    do {
      let stored = try await answer(
        AskedQuestion(question, told: told.encoded(), catalog), catalog, for: record.thirdParty, in: year)
      release.cost = .init(stored.cost)
      release.gathered = .init(stored.gathered)
      if stored.isRefused { release.pause = .tooSmall } else { release.answer = try .decode(stored.answer) }
    } catch is BudgetSpent {
      release.pause = .budgetSpent
      release.cost = .init(PrivacyLoss.none)
    }
    return try await subscriptions.add(release.encoded(), pause: release.pause.rawValue, to: record)
  }
}

extension Trackme_Groups_V1_GroupQuestion {
  /// After a pause: a group about as large as has to be asked for would else be told of at one time and not at another,
  /// as the noise has it.
  fileprivate mutating func askForMore() {
    let precision: Precision = precision == .high ? .high : precision == .low ? .low : .medium
    let most = Int64(GroupQuestion.personsMinMax)
    minimumPersons = Int32(min(Int64(minimumPersons) + GroupThreshold.margin(precision), most))
  }
}
