internal import Domain
internal import GroupsRules
internal import Log
internal import Payments
internal import ServiceAPI
internal import ServiceKit
internal import Sharing
internal import Synchronization
internal import WireCodec

/// Anonymous groups: each RPC has its own file.
package final class GroupService: Sendable {
  /// The most kinds that a person names at once.
  static let metricsMax = 100

  let sharing: AnonymousSharingStore
  let reader: GroupReader
  let answers: GroupAnswers
  let disclosures: GroupDisclosures
  let areas: GroupAreas
  let purchases: AnswerPurchases
  let underway = AnswersUnderway()
  /// The last epoch that was begun.
  let begun = Mutex<GroupEpoch?>(nil)
  /// For what reads much.
  let turns: FairTurns
  /// Knows time zones.
  let zones: SubscriptionRegistry
  let metrics: MetricRegistry
  let budgets: GroupBudgets
  let epochs: GroupEpochs
  /// Of an answer; nil: nothing.
  let price: Money?
  /// Asks the payment provider.
  let desk: PaymentDesk
  let seal: Seal
  let clock: @Sendable () -> Microseconds

  /// - Parameter clock: the time of day.
  init(
    _ storage: StorageSystem, _ settings: GroupSettings, desk: PaymentDesk,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    sharing = storage.anonymousSharing
    reader = storage.groupReader
    answers = storage.groupAnswers
    disclosures = storage.groupDisclosures
    areas = storage.groupAreas
    purchases = storage.answerPurchases
    turns = storage.questions
    zones = storage.subscriptions
    metrics = storage.metrics
    seal = storage.seal
    budgets = settings.budgets
    epochs = settings.epochs
    price = settings.price
    self.desk = desk
    self.clock = clock
  }

  /// The epoch that is now.
  var epoch: GroupEpoch { epochs.epoch(at: clock()) }

  func wire(_ sharing: AnonymousSharing) -> Trackme_Groups_V1_AnonymousSharing {
    let catalog = metrics.catalog
    let named = sharing.countsFrom.compactMap { number, time in catalog[number].map { ($0.name, time) } }
    return .init(
      metrics: named.sorted { $0.0 < $1.0 }.map { .init(metric: $0.0, countsFrom: Google_Protobuf_Timestamp($0.1)) },
      etag: "\(sharing.version)")
  }
}
