internal import Domain
internal import GroupsRules
internal import Identity
internal import Log
internal import RPCRuntime
internal import ServiceKit
internal import Sharing
internal import WireCodec

/// Subscriptions on groups, as SubscriptionService offers them.
struct GroupOrderBook: GroupOrders {
  let service: GroupService
  let store: GroupSubscriptions

  func create(
    _ request: Trackme_Sharing_V1_CreateSubscriptionRequest, for thirdParty: AccountID
  ) async throws -> Trackme_Sharing_V1_Subscription {
    guard service.price == nil else { throw RPCStatus.questionsHavePrice }
    var faults = Violations()
    faults.addRequestID(request.requestID)
    if request.accessRequestID != 0 { faults.add("access_request_id", "must not be given beside a group") }
    if !request.metrics.isEmpty { faults.add("metrics", "must not be given beside a group, which names them") }
    let cadence = cadence(request.cadence, &faults)
    if cadence == .hourly, !["", "UTC"].contains(request.timeZone) {
      faults.add("time_zone", "must be UTC where the cadence is HOURLY")
    } else {
      faults.add("time_zone", try await service.problem(ofTimeZone: request.timeZone))
    }
    let question = try await ordered(request.group ?? .init(), cadence, &faults)
    try faults.check()
    guard let cadence, let question else { throw RPCStatus.invalidArgument(field: "group", problem: "must be given") }
    let made = try await store.create(
      GroupSubscriptionOrder(
        thirdParty: thirdParty, requestID: request.requestID.isEmpty ? nil : request.requestID,
        question: question.encoded(), cadence: cadence,
        timeZone: request.timeZone.isEmpty ? "UTC" : request.timeZone), at: service.clock())
    guard let made else { throw RPCStatus.tooManySubscriptions(GroupSubscriptions.maxActive, "on groups") }
    return try wire(made)
  }

  func list(
    of thirdParty: AccountID, activeOnly: Bool, before: SubscriptionID, limit: Int
  ) async throws -> [Trackme_Sharing_V1_Subscription] {
    try await store.list(of: thirdParty, activeOnly: activeOnly, before: before, limit: limit).map(wire)
  }

  func find(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> GroupOrder? {
    try await store.find(id, of: thirdParty).map {
      GroupOrder(id: $0.id, createdPosition: $0.createdPosition, hasEnded: $0.ended != nil)
    }
  }

  func update(
    _ request: Trackme_Sharing_V1_UpdateSubscriptionRequest, of thirdParty: AccountID
  ) async throws -> Trackme_Sharing_V1_Subscription? {
    guard let record = try await store.find(request.subscriptionID, of: thirdParty) else { return nil }
    var faults = Violations()
    faults.add("etag", request.etag.isEmpty ? "must be the etag of the subscription" : nil)
    if !request.metrics.isEmpty { faults.add("metrics", "must not be given: a group names them") }
    let cadence = request.cadence == .unspecified ? record.cadence : cadence(request.cadence, &faults)
    let question =
      request.group == nil
      ? try Trackme_Groups_V1_GroupQuestion.decode(record.question)
      : try await ordered(request.group ?? .init(), cadence, &faults)
    try faults.check()
    guard let cadence, let question else { return nil }
    guard record.ended == nil else { throw RPCStatus.subscriptionEnded }
    guard request.etag == "\(record.version)" else { throw RPCStatus.staleEtag }
    guard (cadence == .hourly) == (record.cadence == .hourly), ["", record.timeZone].contains(request.timeZone) else {
      throw RPCStatus.periodsFixed
    }
    guard
      let changed = try await store.update(record, question: question.encoded(), cadence: cadence, at: service.clock())
    else {
      // Somebody was faster.
      let now = try await store.find(record.id, of: thirdParty)
      throw now?.ended == nil ? RPCStatus.staleEtag : RPCStatus.subscriptionEnded
    }
    return try wire(changed)
  }

  func cancel(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> Trackme_Sharing_V1_Subscription? {
    try await store.cancel(id, of: thirdParty, at: service.clock()).map(wire)
  }

  func active(of ids: [SubscriptionID]) async throws -> Set<SubscriptionID> { try await store.active(of: ids) }

  func releases(
    of id: SubscriptionID, after position: LogPosition
  ) async throws -> [(position: LogPosition, release: Trackme_Sharing_V1_GroupRelease)] {
    try await store.releases(of: id, after: position).map { position, bytes in
      var release = try Trackme_Sharing_V1_GroupRelease.decode(bytes)
      release.releaseID = position
      return (position, release)
    }
  }

  private func cadence(_ wire: Trackme_Sharing_V1_Cadence, _ faults: inout Violations) -> Cadence? {
    guard let cadence = Cadence.allCases.first(where: { Int32($0.rawValue) == wire.rawValue }), cadence != .asProduced
    else {
      faults.add("cadence", "must be HOURLY, DAILY, WEEKLY or MONTHLY where there is a group")
      return nil
    }
    return cadence
  }

  /// The question on the grid, without dates.
  private func ordered(
    _ asked: Trackme_Groups_V1_GroupQuestion, _ cadence: Cadence?, _ faults: inout Violations
  ) async throws -> Trackme_Groups_V1_GroupQuestion? {
    for (field, isThere) in [
      ("from_date", !asked.fromDate.isEmpty), ("to_date", !asked.toDate.isEmpty),
      ("time_zone", !asked.timeZone.isEmpty), ("buckets", asked.buckets != .unspecified),
      ("from_hour", cadence == .hourly && asked.fromHour != 0), ("to_hour", cadence == .hourly && asked.toHour != 0),
    ] where isThere {
      faults.add("group.\(field)", "must not be given: it is that of each period")
    }
    var dated = asked
    (dated.fromDate, dated.toDate, dated.timeZone, dated.buckets) = (Self.anyDay, Self.anyDay, "", .unspecified)
    let area = try await service.areaCells(of: asked)
    guard let question = GroupQuestion(dated, "group", in: area, service.metrics.catalog, &faults) else { return nil }
    return question.wire(dated).undated
  }

  /// What a question costs is the same for every period.
  private static let anyDay = "2000-01-01"

  private func wire(_ record: GroupSubscriptionRecord) throws -> Trackme_Sharing_V1_Subscription {
    let asked = try Trackme_Groups_V1_GroupQuestion.decode(record.question)
    // What it costs is the same for every place.
    var anywhere = record.asked(asked)
    anywhere.area = ""
    var faults = Violations()
    let question = GroupQuestion(anywhere, "group", in: nil, service.metrics.catalog, &faults)
    return .init(
      subscriptionID: record.id, metrics: asked.metrics, cadence: .init(rawValue: Int32(record.cadence.rawValue)),
      timeZone: record.timeZone, created: .init(record.created), ended: record.ended.map { .init($0) },
      nextDigest: record.ended == nil ? .init(record.period.upperBound) : nil, etag: "\(record.version)", group: asked,
      pause: .init(rawValue: record.pause), releaseCost: question.map { .init($0.loss) })
  }
}

extension GroupSubscriptionRecord {
  /// The question of the next period.
  /// - Parameter question: as the record has it.
  func asked(_ question: Trackme_Groups_V1_GroupQuestion) -> Trackme_Groups_V1_GroupQuestion {
    var asked = question
    (asked.fromDate, asked.toDate, asked.timeZone) = (days.lowerBound.text, days.upperBound.text, timeZone)
    if cadence == .hourly { (asked.fromHour, asked.toHour) = (Int32(hour), Int32(hour + 1)) }
    return asked
  }
}

extension Trackme_Groups_V1_GroupQuestion {
  /// Without what is each period's own.
  fileprivate var undated: Self {
    var question = self
    (question.fromDate, question.toDate, question.timeZone) = ("", "", "")
    return question
  }
}

extension RPCStatus {
  fileprivate static let questionsHavePrice = failure(
    .failedPrecondition, reason: "QUESTIONS_HAVE_PRICE",
    message: "questions about groups have a price, which a subscription can't pay: ask with QueryGroup")

  fileprivate static let periodsFixed = failure(
    .failedPrecondition, reason: "DELIVERY_FIXED",
    message: "hours can't become longer periods, nor the other way round, and the time zone stays: make a subscription")
}
