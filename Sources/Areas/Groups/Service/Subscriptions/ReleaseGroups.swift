internal import Crypto
internal import Domain
internal import GroupsRules
internal import Log
internal import Logging
internal import ServiceKit
internal import Sharing
internal import Synchronization
internal import WireCodec

extension GroupService {
  /// How many releases are made before it is looked for more that are due.
  private static let releasesAtOnce = 16

  /// Forgets the answers of the epoch before, and makes the releases of periods that were over by this one. Once more does
  /// nothing. To be called when its data has been gathered.
  /// - Throws: `PostgresError`; `CancellationError`.
  func begin(_ epoch: GroupEpoch, _ subscriptions: GroupSubscriptions, logger: Logger) async throws {
    guard begun.withLock({ $0 != epoch }) else { return }
    try await answers.sweep(before: epoch)
    try await release(subscriptions, in: epoch, logger: logger)
    begun.withLock { $0 = epoch }
  }

  /// Makes the releases of periods that are over, each one once.
  private func release(_ subscriptions: GroupSubscriptions, in epoch: GroupEpoch, logger: Logger) async throws {
    var hasMore = true
    while hasMore {
      let due = try await subscriptions.due(in: epoch, limit: Self.releasesAtOnce)
      let began = ContinuousClock.now
      hasMore = try await withThrowingTaskGroup(of: Bool.self) { group in
        for record in due {
          group.addTask { [self] in
            do {
              return try await release(record, subscriptions, since: began)
            } catch is CancellationError {
              throw CancellationError()
            } catch {
              // The others don't wait for it.
              logger.warning(
                "a group release can't be made and is tried again",
                metadata: ["subscription": "\(record.id)", "error": "\(error)"])
              return false
            }
          }
        }
        return try await group.reduce(false) { $0 || $1 }
      }
    }
  }

  /// Answers the question of a period as QueryGroup would, and puts the answer into the log when one would leave.
  /// - Returns: whether the next period is another one now.
  private func release(
    _ record: GroupSubscriptionRecord, _ subscriptions: GroupSubscriptions, since began: ContinuousClock.Instant
  ) async throws -> Bool {
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
    let departures = Departures(question, parts: try await reader.parts(), since: began)
    do {
      let (stored, isNew) = try await answer(
        AskedQuestion(question, told: told.encoded(), catalog), catalog, for: record.thirdParty, in: year, departures)
      if !isNew { try await departures.next() }
      release.cost = .init(stored.cost)
      release.gathered = .init(stored.gathered)
      if stored.isRefused { release.pause = .tooSmall } else { release.answer = try .decode(stored.answer) }
    } catch is BudgetSpent {
      try await departures.next()
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
