import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

extension Rig {
  var subscriptions: SubscriptionRegistry { SubscriptionRegistry(pool: pool) }
}

/// Accounts and a grant, as digests and subscriptions need them.
struct GrantFixture {
  let rig: Rig
  let person: PersonID
  let thirdParty: AccountID
  let grant: AccessRequestID

  init(
    _ rig: Rig, granularity: Granularity = .second, metrics: Set<MetricID> = [1, 2, 11],
    time: Range<Microseconds> = .min..<(.max), now: Microseconds = Self.now
  ) async throws {
    self.rig = rig
    let connection = try rig.connection()
    person = try connection.query("INSERT INTO account (kind) VALUES ('person') RETURNING id", []).int64(0, 0)
    thirdParty = try connection.query("INSERT INTO account (kind) VALUES ('third_party') RETURNING id", []).int64(0, 0)
    let id = try await rig.storage.access.request(
      AccessProposal(
        thirdParty: thirdParty, person: person, requestID: nil,
        scope: AccessScope(metrics: metrics, time: time, granularity: granularity), purpose: "care"), at: now)
    grant = try #require(id)
    let record = try #require(try await rig.storage.access.find(grant))
    #expect(try await rig.storage.access.change(record, to: .accepted, at: now) != nil)
  }

  /// 2023-11-14 22:13:20 UTC.
  static let now: Microseconds = 1_700_000_000_000_000

  func order(
    _ cadence: Cadence = .hourly, zone: String = "UTC", requestID: String? = nil, metrics: Set<MetricID> = [1]
  ) -> SubscriptionOrder {
    SubscriptionOrder(
      thirdParty: thirdParty, grant: grant, requestID: requestID, metrics: metrics, cadence: cadence, timeZone: zone)
  }

  func subscribe(
    _ cadence: Cadence = .hourly, zone: String = "UTC", metrics: Set<MetricID> = [1], at now: Microseconds = Self.now
  ) async throws -> SubscriptionRecord {
    let creation = try await rig.subscriptions.create(order(cadence, zone: zone, metrics: metrics), at: now)
    guard case .made(let record) = creation else { throw Refused() }
    return record
  }

  /// Ends the grant.
  @discardableResult
  func revoke(at now: Microseconds = Self.now) async throws -> LogPosition? {
    let record = try #require(try await rig.storage.access.find(grant))
    return try await rig.storage.access.change(record, to: .revoked, at: now)
  }

  struct Refused: Error {}
}

@Suite struct SubscriptionRegistryTests {
  private let hour: Microseconds = 3_600_000_000

  @Test("A-R12: a subscription is there after it is made, and the same request id makes it once")
  func createOnce() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let registry = rig.subscriptions
      let first = try await registry.create(fixture.order(requestID: "a"), at: GrantFixture.now)
      guard case .made(let record) = first else { throw GrantFixture.Refused() }
      #expect(try await registry.create(fixture.order(.daily, requestID: "a"), at: GrantFixture.now + 1) == first)
      #expect(try await registry.find(record.id) == record)
      #expect(record.nextDigest == 1_700_002_800_000_000)
      #expect(record.cadence == .hourly && record.version == 1 && record.ended == nil && !record.isLive)
      let live = try await fixture.subscribe(.asProduced)
      #expect(live.isLive && live.nextDigest == nil)
      #expect(
        try await registry.list(of: fixture.thirdParty, activeOnly: true, before: .max, limit: 10).map(\.id)
          == [live.id, record.id])
    }
  }

  @Test("A-R11: only grants that stand can be subscribed to, and the end of one is the end of its subscriptions")
  func endsWithGrant() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let registry = rig.subscriptions
      let record = try await fixture.subscribe()
      let stranger = SubscriptionOrder(
        thirdParty: fixture.person, grant: fixture.grant, requestID: nil, metrics: [1], cadence: .daily,
        timeZone: "UTC")
      #expect(try await registry.create(stranger, at: GrantFixture.now) == .refused(.noGrant))
      try await fixture.revoke(at: GrantFixture.now + 7)
      let ended = try #require(try await registry.find(record.id))
      #expect(ended.ended == GrantFixture.now + 7)
      #expect(ended.nextDigest == nil)
      #expect(try await registry.list(of: fixture.thirdParty, activeOnly: true, before: .max, limit: 10).isEmpty)
      #expect(try await registry.create(fixture.order(), at: GrantFixture.now) == .refused(.noGrant))
    }
  }

  @Test("A-R12: cancelling again changes nothing, and a change of another version is refused")
  func cancelAndUpdate() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let registry = rig.subscriptions
      let record = try await fixture.subscribe()
      let now = GrantFixture.now + 10
      let daily = try await registry.update(
        record.id, version: 1, metrics: [1, 2], cadence: .daily, timeZone: "Europe/Rome", at: now)
      #expect(daily?.version == 2)
      // Midnight in Rome.
      #expect(daily?.nextDigest == 1_700_002_800_000_000)
      #expect(
        try await registry.update(record.id, version: 1, metrics: [1], cadence: .daily, timeZone: "UTC", at: now)
          == nil)
      let cancelled = try await registry.cancel(record.id, at: now)
      #expect(cancelled?.ended == now)
      #expect(try await registry.cancel(record.id, at: now + 1) == cancelled)
      #expect(
        try await registry.update(record.id, version: 2, metrics: [1], cadence: .daily, timeZone: "UTC", at: now)
          == nil)
    }
  }

  @Test("At most 20 active subscriptions stand on a grant, also when many are asked for at once")
  func limit() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let registry = rig.subscriptions
      let made = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<30 {
          group.addTask {
            if case .made = try await registry.create(fixture.order(), at: GrantFixture.now) { return true }
            return false
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(made == 20)
      #expect(
        try await registry.create(fixture.order(), at: GrantFixture.now)
          == .refused(.tooMany(limit: 20, onGrant: true)))
    }
  }

  @Test(
    "Periods end at the zone's hours, days, weeks and months, also on days of 23 and 25 hours",
    arguments: [
      // From, cadence, granularity, zone, the ends of the periods that follow.
      ("2024-03-30 12:00+01", 3, 1, "Europe/Rome", ["2024-03-31 00:00+01", "2024-04-01 00:00+02"]),
      ("2024-10-26 12:00+02", 3, 1, "Europe/Rome", ["2024-10-27 00:00+02", "2024-10-28 00:00+01"]),
      ("2024-03-31 00:30+00", 2, 1, "Europe/Rome", ["2024-03-31 01:00+00", "2024-03-31 02:00+00"]),
      ("2024-10-27 00:30+00", 2, 1, "Europe/Rome", ["2024-10-27 01:00+00", "2024-10-27 02:00+00"]),
      ("2024-02-26 00:00+05:30", 4, 1, "Asia/Kolkata", ["2024-03-04 00:00+05:30"]),
      ("2024-02-10 10:10+00", 5, 1, "UTC", ["2024-03-01 00:00+00", "2024-04-01 00:00+00"]),
      // Midnight was left out: the day begins at one.
      ("2018-11-03 12:00-03", 3, 1, "America/Sao_Paulo", ["2018-11-04 01:00-02", "2018-11-05 00:00-02"]),
      ("2024-01-01 00:00:59+00", 1, 2, "UTC", ["2024-01-01 00:01+00", "2024-01-01 00:02+00"]),
      ("2024-01-01 00:00:00+00", 1, 3, "Asia/Kolkata", ["2024-01-01 01:00+00"]),
      ("2024-01-01 00:10+00", 2, 1, "Asia/Kolkata", ["2024-01-01 00:30+00", "2024-01-01 01:30+00"]),
    ])
  func periods(from: String, cadence: Int16, granularity: Int16, zone: String, ends: [String]) async throws {
    try await withStorage("periods\(cadence)\(granularity)\(from.prefix(10))") { rig in
      let connection = try rig.connection()
      var at = from
      for end in ends {
        let found = try connection.query(
          """
          SELECT next = $5::text::timestamptz, next::text
          FROM subscription_period_end($1::text::timestamptz, $2, $3, $4) AS next
          """, [.text(at), .int2(cadence), .int2(granularity), .text(zone), .text(end)])
        let text = try found.string(0, 1)
        #expect(try found.bool(0, 0), "\(text) for \(end)")
        at = end
      }
    }
  }
}
