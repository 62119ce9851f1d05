public import Domain
public import Log
public import Payments
internal import Identity
internal import RPCRuntime
internal import ServiceAPI
public import ServiceKit
internal import WireCodec

/// How third parties ask for readings and persons decide: each RPC has its own file.
public final class AccessService: Sendable {
  static let maxPurposeCharacters = 500
  static let maxMetrics = 100

  let access: AccessRegistry
  let disclosures: DisclosureLedger
  let metrics: MetricRegistry
  let hub: DeliveryHub
  let watch: EntryWatch
  let seal: Seal
  let lookups = LookupLimit()
  let clock: @Sendable () -> Microseconds
  /// Asks the payment provider.
  let desk: PaymentDesk
  /// Of a request that is accepted; nil: nothing.
  let price: Money?

  /// - Parameter clock: the time of day.
  public init(
    hub: DeliveryHub, watch: EntryWatch, storage: StorageSystem, desk: PaymentDesk, price: Money?,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.desk = desk
    self.price = price
    self.hub = hub
    self.watch = watch
    self.clock = clock
    seal = storage.seal
    access = storage.access
    disclosures = storage.disclosures
    metrics = storage.metrics
  }

  /// A request that the caller made or was asked.
  /// - Throws: NOT_FOUND for a request of others, as for one that does not exist, and for one that is not paid yet.
  func record(_ id: Int64, of account: AccountID) async throws -> AccessRecord {
    guard let record = try await access.find(id),
      record.person == account && record.isAsked || record.thirdParty == account
    else {
      throw RPCStatus.failure(.notFound, reason: "NO_ACCESS_REQUEST", message: "there is no such request of yours")
    }
    return record
  }

  /// Changes a request and returns it as it then is. One that has the wanted state already is returned as it is.
  ///
  /// - Throws: FAILED_PRECONDITION, naming the state, if that state allows no such change.
  func change(_ record: AccessRecord, to state: AccessState, for account: AccountID) async throws -> AccessRecord {
    if state.mayFollow(record.state) { _ = try await access.change(record, to: state, at: clock()) }
    let changed = try await self.record(record.id, of: account)
    // What is paid for may be taken, or given back.
    if changed.payment != nil { desk.wake() }
    guard changed.state == state else {
      throw RPCStatus.failure(
        .failedPrecondition, reason: "ACCESS_STATE",
        message: "a request that is \(changed.state) cannot become \(state)", metadata: ["state": "\(changed.state)"])
    }
    return changed
  }

  /// A request as the caller may see it.
  func wire(_ record: AccessRecord, for account: AccountID) -> Trackme_Sharing_V1_AccessRequest {
    let catalog = metrics.catalog
    let isShown = account == record.person || record.state == .accepted
    return .init(
      accessRequestID: record.id, thirdPartyID: record.thirdParty, thirdPartyName: record.asker.holder.name,
      personID: isShown ? record.person : 0,
      scope: .init(
        metrics: record.scope.metrics.sorted().compactMap { catalog[$0]?.name },
        from: record.scope.time.lowerBound == .min ? nil : .init(record.scope.time.lowerBound),
        to: record.scope.time.upperBound == .max ? nil : .init(record.scope.time.upperBound),
        granularity: .init(rawValue: Int32(record.scope.granularity.rawValue))),
      purpose: record.purpose, state: .init(rawValue: Int32(record.state.rawValue)), position: record.position,
      requested: .init(record.requested), changed: .init(record.changed),
      expires: record.expires.map { .init($0) },
      payment: account == record.thirdParty ? record.payment.map { .init($0) } : nil, thirdParty: .init(record.asker))
  }
}

extension Trackme_Sharing_V1_AccessChange {
  init(_ change: AccessChange, at position: LogPosition) {
    self.init(
      accessRequestID: change.request, state: .init(rawValue: Int32(change.state.rawValue)), position: position,
      changed: .init(change.time))
  }
}
