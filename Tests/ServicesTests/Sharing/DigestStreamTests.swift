import Domain
import Logging
import RPCRuntime
import ServiceAPI
import Testing
import TestSupport
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

/// How digests are delivered (A-R12).
@Suite(.timeLimit(.minutes(5))) struct DigestStreamTests {
  private typealias Digest = Trackme_Sharing_V1_Digest
  private let second: Microseconds = 1_000_000
  private let hour: Microseconds = 3_600_000_000

  /// A person, a third party with a subscription to the person's heart rate, and what makes its digests.
  private struct Order {
    let rig: ServiceRig
    let person: Party
    let doctor: Party
    let grant: Int64
    let subscription: Int64

    init(
      _ rig: ServiceRig, number: Int = 0, cadence: Trackme_Sharing_V1_Cadence = .hourly,
      granularity: Trackme_Sharing_V1_Granularity = .second
    ) async throws {
      self.rig = rig
      person = try await rig.person(number)
      doctor = try await rig.thirdParty()
      grant = try await rig.grant(of: person, to: doctor, number: number, granularity: granularity).accessRequestID
      let made = try await rig.subscriptions.createSubscription(
        .init(accessRequestID: grant, cadence: cadence), metadata: doctor.metadata)
      subscription = try #require(made.subscription).subscriptionID
    }

    /// Makes the digests that are due at a time.
    func makeDigests(at time: Microseconds) async throws {
      try await rig.storage.compactor.compactEverything()
      let maker = DigestMaker(
        pool: rig.storage.pool, writer: rig.storage.writer, clock: { time },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      while try await maker.round() > 0 {}
    }

    func revoke() async throws {
      _ = try await rig.access.revokeAccess(.init(accessRequestID: grant), metadata: person.metadata)
    }

    func client() -> SubscriptionClient { SubscriptionClient(rig, as: doctor.metadata) }
  }

  /// The next frame that is no heartbeat.
  private func next(_ client: SubscriptionClient) async throws -> SubscriptionClient.Response {
    while true {
      let frame = try await client.frame()
      if frame.frame != .heartbeat(.init()) { return frame }
    }
  }

  private func digest(_ client: SubscriptionClient) async throws -> (digest: Digest, cursor: String) {
    let frame = try await next(client)
    guard case .digest(let digest) = frame.frame else {
      Issue.record("\(String(describing: frame.frame))")
      throw SubscriptionClient.Ended()
    }
    return (digest, frame.cursor)
  }

  private func items(_ digest: Digest) -> [SubscriptionClient.Item] {
    SubscriptionClient.items(.init(readings: digest.readings))
  }

  @Test func digestsComeInOrderWithTheirSummariesAndResumeAfterACursor() async throws {
    try await withServer { rig in
      let order = try await Order(rig)
      let open = order.client()
      try await open.begin(.init(subscriptionID: order.subscription))
      let start = ServiceRig.now
      try await rig.record(order.person.account, [(start + 1, 60), (start + second, 70), (start + 2 * second, 110)])
      try await order.makeDigests(at: start + 2 * hour)
      // One hour ends 46:40 after the start, another an hour later.
      let (first, cursor) = try await digest(open)
      #expect(first.part == 1 && first.isLast)
      #expect(first.periodStart == .init(start) && first.periodEnd == .init(start / hour * hour + hour))
      #expect(items(first).map(\.value) == [60, 70, 110])
      #expect(items(first).map(\.time) == [start, start + second, start + 2 * second])
      #expect(first.summaries == [.init(metric: "heart_rate", count: 3, min: 60, mean: 80, max: 110)])
      let (empty, end) = try await digest(open)
      #expect(empty.isLast && empty.readings == nil && empty.summaries.isEmpty)
      #expect(empty.periodStart == first.periodEnd && empty.digestID != first.digestID)
      // The subscription's first digest is its beginning; a cursor resumes after the frame that had it.
      let beginning = order.client()
      try await beginning.begin(.init(startAt: .beginning, subscriptionID: order.subscription))
      #expect(try await digest(beginning).cursor == cursor)
      #expect(try await digest(beginning).cursor == end)
      let resumed = order.client()
      try await resumed.begin(.init(cursor: cursor, subscriptionID: order.subscription))
      #expect(try await digest(resumed).cursor == end)
      // Now is after them; what is new reaches everyone.
      let now = order.client()
      try await now.begin(.init(startAt: .now, subscriptionID: order.subscription))
      try await order.makeDigests(at: start + 4 * hour)
      var newest: Set<Int64> = []
      for client in [open, beginning, resumed, now] { newest.insert(try await digest(client).digest.digestID) }
      #expect(newest.count == 1 && newest.isDisjoint(with: [first.digestID, empty.digestID]))
      for client in [open, beginning, resumed, now] { client.stream.cancel() }
    }
  }

  @Test func aLargeDigestComesInPartsAndAgainAsAWhole() async throws {
    try await withServer { rig in
      let order = try await Order(rig, cadence: .daily)
      let start = ServiceRig.now
      for batch in 0..<30 {
        let first = batch * 1_000
        try await rig.record(
          order.person.account,
          (first..<first + 1_000).map { (start - 86_400 * second + Int64($0) * second, Double($0 % 100 + 1)) })
      }
      try await order.makeDigests(at: start + 24 * hour)
      let client = order.client()
      let before = try await client.begin(
        .init(startAt: .beginning, maxOutstanding: 1, subscriptionID: order.subscription))
      var values: [Int64: Double] = [:]
      var parts: [Digest] = []
      repeat {
        let (part, cursor) = try await digest(client)
        parts.append(part)
        for item in items(part) { #expect(values.updateValue(item.value, forKey: item.time) == nil) }
        #expect(items(part).count <= 9_000)
        #expect((cursor == before) == !part.isLast)
        #expect(part.isLast || part.summaries.isEmpty)
        try await client.acknowledge(cursor)
      } while parts.last?.isLast == false
      #expect(values.count == 30_000)
      #expect(parts.map(\.part) == (1...UInt32(parts.count)).map { $0 } && parts.count > 3)
      #expect(Set(parts.map(\.digestID)).count == 1)
      let summary = try #require(parts.last?.summaries.first)
      #expect(summary.count == 30_000 && summary.min == 1 && summary.max == 100 && abs(summary.mean - 50.5) < 1e-6)
      client.stream.cancel()
      // A stream that broke off in the middle gets the same digest from its first part on.
      let again = order.client()
      try await again.begin(.init(cursor: before, subscriptionID: order.subscription))
      #expect(try await digest(again).digest == parts[0])
      again.stream.cancel()
    }
  }

  @Test func noMoreIsSentThanTheClientLets() async throws {
    try await withServer { rig in
      let order = try await Order(rig)
      try await order.makeDigests(at: ServiceRig.now + 5 * hour)
      let client = order.client()
      try await client.begin(.init(startAt: .beginning, maxOutstanding: 2, subscriptionID: order.subscription))
      _ = try await digest(client)
      let cursor = try await digest(client).cursor
      let digests = Counter()
      async let third = {
        let digest = try await digest(client)
        digests.add(1)
        return digest
      }()
      try await Task.sleep(for: .milliseconds(200))
      #expect(digests.value == 0)
      try await client.acknowledge(cursor)
      #expect(try await third.digest.isLast)
      client.stream.cancel()
    }
  }

  @Test func theEndOfTheGrantIsTheLastFrameAlsoInTheMiddleOfADigest() async throws {
    try await withServer { rig in
      for (number, isWaiting) in [true, false].enumerated() {
        let order = try await Order(rig, number: number)
        for batch in 0..<20 {
          let first = batch * 1_000
          try await rig.record(
            order.person.account,
            (first..<first + 1_000).map { (ServiceRig.now - 86_400 * second + Int64($0) * second, 70) })
        }
        try await order.makeDigests(at: ServiceRig.now + 3 * hour)
        let client = order.client()
        // The one that is not waiting may send one part, and no more until that is acknowledged.
        try await client.begin(
          .init(
            startAt: isWaiting ? .now : .beginning, maxOutstanding: isWaiting ? 0 : 1,
            subscriptionID: order.subscription))
        if !isWaiting { #expect(try await digest(client).digest.isLast == false) }
        let began = ContinuousClock.now
        try await order.revoke()
        let frame = try await next(client)
        guard case .accessChange(let change) = frame.frame else {
          Issue.record("\(String(describing: frame.frame))")
          continue
        }
        #expect(change.state == .revoked)
        let end = await client.end()
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "ACCESS_ENDED")
        #expect(.now - began < .seconds(10))
        // No digest is made any more, and no stream begins.
        try await order.makeDigests(at: ServiceRig.now + 9 * hour)
        let late = order.client()
        try await late.stream.send(.init(frame: .start(.init(subscriptionID: order.subscription))))
        #expect(await late.end()?.errorInfo?.reason == "ACCESS_ENDED")
      }
    }
  }

  @Test func minutesComeAsTheyAreOver() async throws {
    try await withServer { rig in
      let order = try await Order(rig, cadence: .asProduced, granularity: .minute)
      let client = order.client()
      try await client.begin(.init(subscriptionID: order.subscription))
      let minute = 60 * second
      let start = ServiceRig.now / minute * minute + 2 * minute
      try await rig.record(order.person.account, (0..<60).map { (start + $0 * second, Double($0 + 1)) })
      try await order.makeDigests(at: start + 10 * minute)
      let (first, _) = try await digest(client)
      #expect(items(first).map(\.time) == [start])
      #expect(abs((items(first).first?.value ?? 0) - 30.5) < 1e-9)
      #expect(first.periodStart == .init(start) && first.periodEnd == .init(start + minute))
      client.stream.cancel()
    }
  }
}
