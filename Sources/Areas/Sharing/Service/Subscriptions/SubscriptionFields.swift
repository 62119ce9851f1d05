internal import Domain
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

// The fields that requests about subscriptions have in common.

extension SubscriptionService {
  /// The metrics of a grant that are named; nil if none is.
  func numbers(
    _ names: [String], of grant: AccessRecord, _ faults: inout Violations
  ) -> Set<MetricID>? {
    if names.isEmpty { return nil }
    guard names.count <= AccessService.maxMetrics else {
      faults.add("metrics", "must be at most \(AccessService.maxMetrics) names")
      return nil
    }
    let catalog = metrics.catalog
    var numbers: Set<MetricID> = []
    for (index, name) in names.enumerated() {
      if let metric = catalog[name], grant.scope.metrics.contains(metric.id) {
        numbers.insert(metric.id)
      } else {
        faults.add("metrics[\(index)]", "is not a metric of the grant")
      }
    }
    return numbers
  }

  /// A cadence; nil if none is given, which is a fault only where it must be.
  func cadence(
    _ wire: Trackme_Sharing_V1_Cadence, isRequired: Bool, _ faults: inout Violations
  ) -> Cadence? {
    if wire == .unspecified, !isRequired { return nil }
    guard let cadence = Cadence.allCases.first(where: { Int32($0.rawValue) == wire.rawValue }) else {
      faults.add("cadence", "must be AS_PRODUCED, HOURLY, DAILY, WEEKLY or MONTHLY")
      return nil
    }
    return cadence
  }

  /// Checks that a name is that of a time zone.
  func check(timeZone name: String, _ faults: inout Violations) async throws {
    guard !name.isEmpty else { return }
    // The longest name of the IANA database has 32 characters.
    guard name.utf8.count <= 64, try await subscriptions.hasTimeZone(name) else {
      faults.add("time_zone", "is not the IANA name of a time zone")
      return
    }
  }

  /// A subscription of the caller.
  /// - Throws: NOT_FOUND for one of others, as for one that does not exist.
  func subscription(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> SubscriptionRecord {
    guard let record = try await subscriptions.find(id), record.thirdParty == thirdParty else {
      throw RPCStatus.noSubscription
    }
    return record
  }

  func wire(_ record: SubscriptionRecord) -> Trackme_Sharing_V1_Subscription {
    let catalog = metrics.catalog
    return .init(
      subscriptionID: record.id, accessRequestID: record.grant,
      metrics: record.metrics.sorted().compactMap { catalog[$0]?.name },
      cadence: .init(rawValue: Int32(record.cadence.rawValue)), timeZone: record.timeZone,
      created: .init(record.created), ended: record.ended.map { .init($0) },
      nextDigest: record.nextDigest.map { .init($0) }, etag: "\(record.version)")
  }
}
