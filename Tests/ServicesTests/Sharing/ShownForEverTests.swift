import Domain
import Logging
import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// A minute that was shown is shown the same way for ever, whichever way it is looked at (A-R5).
@Suite(.timeLimit(.minutes(5))) struct ShownForEverTests {
  private static let second: Microseconds = 1_000_000
  private static let minute = 60 * second
  /// The start of an hour that has been over for long.
  private static let base = ServiceRig.now / (60 * minute) * (60 * minute) - 120 * minute

  /// A person, and a third party with a grant.
  private struct Look {
    let rig: ServiceRig
    let person: Party
    let doctor: Party
    let grant: Int64

    init(_ rig: ServiceRig, _ granularity: Trackme_Sharing_V1_Granularity, number: Int = 0, of person: Party? = nil)
      async throws
    {
      self.rig = rig
      if let person { self.person = person } else { self.person = try await rig.person(number) }
      doctor = try await rig.thirdParty()
      grant = try await rig.grant(of: self.person, to: doctor, number: number, granularity: granularity)
        .accessRequestID
    }

    func record(_ values: [(Microseconds, Double)]) async throws { try await rig.record(person.account, values) }

    func export() async throws -> [Microseconds: Double] {
      let stream = try await rig.readings.exportReadings(.init(accessRequestID: grant), metadata: doctor.metadata)
      var values: [Microseconds: Double] = [:]
      while let part = try await stream.next() {
        for reading in part.readings {
          guard case .scalar(let value) = reading.value else { continue }
          #expect(values.updateValue(value, forKey: reading.timeUs) == nil)
        }
      }
      return values
    }

    func subscribe() async throws -> Int64 {
      let made = try await rig.subscriptions.createSubscription(
        .init(accessRequestID: grant, cadence: .asProduced), metadata: doctor.metadata)
      return try #require(made.subscription).subscriptionID
    }

    func makeDigests(at time: Microseconds) async throws {
      let maker = DigestMaker(
        pool: rig.storage.pool, writer: rig.storage.writer, clock: { time },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      // The watermark is made first; what it covers has to be in chunks.
      _ = try await maker.round()
      try await rig.storage.compactor.compactEverything()
      while try await maker.round() > 0 {}
    }

    /// The values of the first digests of a subscription, as many as there have to be.
    func digests(of subscription: Int64, count: Int) async throws -> [Microseconds: Double] {
      let client = SubscriptionClient(rig, as: doctor.metadata)
      try await client.begin(.init(startAt: .beginning, subscriptionID: subscription))
      var values: [Microseconds: Double] = [:]
      var seen = 0
      while seen < count {
        guard case .digest(let digest) = try await client.frame().frame else { continue }
        if digest.isLast { seen += 1 }
        for item in SubscriptionClient.items(.init(readings: digest.readings)) {
          #expect(values.updateValue(item.value, forKey: item.time) == nil)
        }
      }
      client.stream.cancel()
      return values
    }
  }

  @Test(arguments: [Trackme_Sharing_V1_Granularity.minute, .hour])
  func anExportIsTheSameAfterALateReadingAndAReplacedOne(granularity: Trackme_Sharing_V1_Granularity) async throws {
    try await withServer { rig in
      let look = try await Look(rig, granularity)
      try await look.record([(Self.base, 60), (Self.base + Self.second, 80)])
      let shown = [Self.base: 70.0]
      #expect(try await look.export() == shown)
      try await look.record([(Self.base + 2 * Self.second, 190)])
      #expect(try await look.export() == shown)
      // The same reading again, with another value.
      try await look.record([(Self.base, 100)])
      #expect(try await look.export() == shown)
      // In chunks, which are merged into one: what was replaced is in no chunk any more.
      try await rig.storage.compactor.compactEverything()
      #expect(try await look.export() == shown)
      try await look.record([(Self.base, 110), (Self.base + Self.second, 120)])
      try await rig.storage.compactor.compactEverything()
      #expect(try await look.export() == shown)
      // Another third party sees the same; the person sees what is.
      let other = try await Look(rig, granularity, of: look.person)
      #expect(try await other.export() == shown)
      let own = try await rig.readings.listReadings(.init(), metadata: look.person.metadata)
      #expect(own.readings.map(\.value) == [.scalar(190), .scalar(120), .scalar(110)])
      #expect(
        try rig.connection().query("SELECT sum(reading_count) FROM replaced_reading", []).int64(0, 0) == 2)
    }
  }

  @Test func minutesAndHoursTogetherTellNothingOfALateReading() async throws {
    try await withServer { rig in
      let minutes = try await Look(rig, .minute)
      try await minutes.record([(Self.base, 60), (Self.base + Self.minute, 80)])
      #expect(try await minutes.export() == [Self.base: 60, Self.base + Self.minute: 80])
      // The hour was not shown yet.
      try await minutes.record([(Self.base + Self.second, 190)])
      let hours = try await Look(rig, .hour, of: minutes.person)
      #expect(try await hours.export() == [Self.base: 70])
    }
  }

  @Test func whatADigestShowedAnExportShowsAndTheOtherWayRound() async throws {
    try await withServer { rig in
      let look = try await Look(rig, .minute)
      let subscription = try await look.subscribe()
      let start = ServiceRig.now / Self.minute * Self.minute + 2 * Self.minute
      // The clock of exports stands; a history that comes late is shown by whoever looks first.
      try await look.record([(Self.base, 60), (Self.base + Self.second, 80)])
      #expect(try await look.export() == [Self.base: 70])
      try await look.record([(Self.base + 2 * Self.second, 190), (start, 50), (start + Self.second, 70)])
      try await look.makeDigests(at: start + 10 * Self.minute)
      let digests = try await look.digests(of: subscription, count: 2)
      #expect(digests == [Self.base: 70, start: 60])
      try await look.record([(start + 2 * Self.second, 190), (start, 100)])
      try await look.makeDigests(at: start + 20 * Self.minute)
      #expect(try await look.export() == [Self.base: 70, start: 60])
      #expect(try await look.digests(of: subscription, count: 2) == digests)
    }
  }

  @Test func aMinuteIsShownWhenItHasBeenOverForTheTimeThatReadingsTake() async throws {
    let clock = Mutex(Self.base)
    try await withServer(clock: { clock.withLock { $0 } }) { rig in
      let look = try await Look(rig, .minute)
      try await look.record([(Self.base - 1, 50), (Self.base, 60)])
      for (wait, shown) in [
        (Microseconds(0), [:]), (45 * Self.second - 1, [:]),
        (45 * Self.second, [Self.base - Self.minute: 50.0]),
        (Self.minute + 45 * Self.second - 1, [Self.base - Self.minute: 50]),
        (Self.minute + 45 * Self.second, [Self.base - Self.minute: 50, Self.base: 60]),
      ] {
        clock.withLock { $0 = Self.base + wait }
        #expect(try await look.export() == shown, "after \(wait) µs")
      }
    }
  }

  @Test func nobodyReadsMinutesThroughARPCThatIsNotForThirdParties() async throws {
    try await withServer { rig in
      let look = try await Look(rig, .minute)
      let (person, metadata) = (look.person.account, look.doctor.metadata)
      try await look.record([(Self.base, 60)])
      let refused = [
        await status { _ = try await rig.readings.listReadings(.init(personID: person), metadata: metadata) },
        await status {
          _ = try await rig.readings.summarizeReadings(
            .init(personID: person, metric: "heart_rate"), metadata: metadata)
        },
        await status { _ = try await rig.readings.getCurrentStatus(.init(personID: person), metadata: metadata) },
        await status {
          let stream = try await rig.readings.watchReadings(.init(personID: person), metadata: metadata)
          _ = try await stream.next()
        },
      ]
      #expect(refused.map(\.?.code) == Array(repeating: .permissionDenied, count: 4))
    }
  }
}
