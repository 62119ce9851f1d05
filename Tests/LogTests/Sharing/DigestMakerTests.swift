import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

private let second: Microseconds = 1_000_000
private let hour: Microseconds = 3_600_000_000
/// How long after a period's end its digest is made.
private let wait: Microseconds = 45 * second

@Suite struct DigestMakerTests {
  @Test("A-R12: each period has one digest, an empty one too, however clocks jump and however many servers make them")
  func clocks() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let subscription = try await fixture.subscribe(.hourly)
      let clock = TestClock()
      let makers = (0..<3).map { _ in fixture.maker(clock) }
      var generator = Seeded(1)
      var latest = clock.now
      for _ in 0..<40 {
        clock.now += Microseconds.random(in: -5 * hour...7 * hour, using: &generator)
        latest = max(latest, clock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for maker in makers { group.addTask { try await fixture.makeAll(maker) } }
          try await group.waitForAll()
        }
        // Whatever the clock says, up to the latest time it ever showed, and not a period more.
        let first = hour - subscription.created % hour + subscription.created
        let ended = latest - wait - first
        #expect(try await fixture.digests(of: subscription).count == (ended < 0 ? 0 : Int(ended / hour) + 1))
      }
      fixture.expectContiguous(try await fixture.digests(of: subscription), from: subscription.created)
    }
  }

  @Test("A digest is made when its period has been over for 45 s, not before")
  func notEarly() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let subscription = try await fixture.subscribe(.hourly)
      let end = try #require(subscription.nextDigest)
      let clock = TestClock(end + wait - 1)
      let maker = fixture.maker(clock)
      #expect(try await maker.round() == 0)
      clock.now += 1
      #expect(try await maker.round() == 1)
      #expect(try await maker.round() == 0)
      #expect(try await rig.subscriptions.find(subscription.id)?.nextDigest == end + hour)
    }
  }

  @Test("A maker that is stopped anywhere leaves no period out and makes none twice")
  func abandoned() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      var subscriptions: [SubscriptionRecord] = []
      for _ in 0..<6 { subscriptions.append(try await fixture.subscribe(.hourly)) }
      let clock = TestClock(GrantFixture.now + 30 * hour)
      var generator = Seeded(2)
      for _ in 0..<40 {
        let maker = fixture.maker(clock)
        let pause = Duration.microseconds(Int.random(in: 0...4_000, using: &generator))
        await withTaskGroup(of: Void.self) { group in
          group.addTask { _ = try? await maker.round() }
          try? await Task.sleep(for: pause)
          group.cancelAll()
        }
      }
      try await fixture.makeAll(fixture.maker(clock))
      for subscription in subscriptions {
        let digests = try await fixture.digests(of: subscription)
        #expect(digests.count == 30)
        fixture.expectContiguous(digests, from: subscription.created)
      }
    }
  }

  @Test("Days of a zone have 23 and 25 hours where its clocks are set")
  func daylightSaving() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      // Noon of 2024-03-29 and of 2024-10-25, UTC.
      for (noon, length) in [(1_711_713_600 * second, 23 * hour), (1_729_857_600 * second, 25 * hour)] {
        let subscription = try await fixture.subscribe(.daily, zone: "Europe/Rome", at: noon)
        let clock = TestClock(noon)
        let maker = fixture.maker(clock)
        for _ in 0..<30 {
          clock.now += 3 * hour
          try await fixture.makeAll(maker)
        }
        let digests = try await fixture.digests(of: subscription)
        fixture.expectContiguous(digests, from: noon)
        #expect(
          digests.map { $0.period.upperBound - $0.period.lowerBound }.dropFirst().prefix(2) == [24 * hour, length])
      }
    }
  }

  @Test("B-R.D4: no digest stands in the log after the end of its grant, and none of a cancelled subscription")
  func revoked() async throws {
    try await withStorage { rig in
      for round in 0..<5 {
        let fixture = try await GrantFixture(rig)
        let subscription = try await fixture.subscribe(.hourly)
        let cancelled = try await fixture.subscribe(.hourly)
        _ = try await rig.subscriptions.cancel(cancelled.id, at: GrantFixture.now)
        let clock = TestClock(GrantFixture.now + 500 * hour)
        let maker = fixture.maker(clock)
        async let made = fixture.makeAll(maker)
        try await Task.sleep(for: .milliseconds(20 * round))
        let end = try #require(try await fixture.revoke())
        _ = try await made
        #expect(try await maker.round() == 0)
        let digests = try await fixture.digests(of: subscription)
        #expect(digests.allSatisfy { $0.position < end })
        fixture.expectContiguous(digests, from: subscription.created)
        #expect(try await fixture.digests(of: cancelled).isEmpty)
      }
    }
  }

  @Test("A digest waits until the readings of its period are in chunks")
  func waitsForChunks() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      // The commit's time is the database's.
      let now = try rig.connection().query("SELECT now()", []).timestamptz(0, 0)
      let subscription = try await fixture.subscribe(.hourly, at: now - 2 * hour)
      let end = try #require(subscription.nextDigest)
      _ = try rig.connection().query(
        "UPDATE subscription SET period_end = $1",
        [
          .timestamptz(microsecondsSinceUnixEpoch: Granularity.minute.start(of: now))
        ])
      #expect(end < now + hour)
      try await fixture.commit([(now - hour, 60)])
      let maker = fixture.maker(TestClock(now + wait))
      #expect(try await maker.round() == 0)
      try await rig.compact()
      #expect(try await maker.round() == 1)
      let digests = try await fixture.digests(of: subscription)
      #expect(try await fixture.readings(of: digests[0]).map(\.value) == [60])
    }
  }

  @Test("As produced at minutes: a minute without a reading has no digest, and the next one with readings has")
  func emptyMinutes() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig, granularity: .minute)
      let subscription = try await fixture.subscribe(.asProduced)
      let clock = TestClock()
      let maker = fixture.maker(clock)
      clock.now += 20 * 60 * second
      #expect(try await fixture.makeAll(maker) == 19)
      #expect(try await fixture.digests(of: subscription).isEmpty)
      let minute = clock.now - clock.now % (60 * second)
      try await fixture.commit([(minute, 60), (minute + 30 * second, 70)])
      try await fixture.commit([(minute + 5 * second, 100)], metric: 2)
      try await rig.compact()
      clock.now += 20 * 60 * second
      try await fixture.makeAll(maker)
      let digests = try await fixture.digests(of: subscription)
      #expect(digests.map(\.period) == [minute..<minute + 60 * second])
      let readings = try await fixture.readings(of: digests[0])
      #expect(readings.map(\.value) == [65] && readings.map(\.key.time) == [minute])
    }
  }

  @Test("Another cadence or zone takes over at its next boundary: the period that runs then is longer or shorter")
  func changes() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig)
      let subscription = try await fixture.subscribe(.monthly)
      let clock = TestClock(GrantFixture.now + 50 * hour)
      let maker = fixture.maker(clock)
      #expect(try await maker.round() == 0)
      _ = try await rig.subscriptions.update(
        subscription.id, version: 1, metrics: [1], cadence: .hourly, timeZone: "UTC", at: clock.now)
      clock.now += 3 * hour
      try await fixture.makeAll(maker)
      var digests = try await fixture.digests(of: subscription)
      #expect(digests.count == 3)
      // A change of metrics counts at once, for the period that runs.
      _ = try await rig.subscriptions.update(
        subscription.id, version: 2, metrics: [2], cadence: .hourly, timeZone: "UTC", at: clock.now)
      // A clock that went back does not bring a period to an end before its start.
      _ = try await rig.subscriptions.update(
        subscription.id, version: 3, metrics: [2], cadence: .daily, timeZone: "Europe/Rome", at: clock.now - 40 * hour)
      clock.now += 60 * hour
      try await fixture.makeAll(maker)
      digests = try await fixture.digests(of: subscription)
      #expect(digests.count == 5 && digests[3].metrics == [2])
      fixture.expectContiguous(digests, from: subscription.created)
    }
  }
}
