import Domain
import RPCRuntime
import ServiceAPI
import Synchronization
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

/// What a third party gets under a grant, and where that ends (A-G4, A-R7, A-R11).
@Suite(.timeLimit(.minutes(10))) struct GrantedStreamTests {
  private let second: Microseconds = 1_000_000

  /// A subscription to everything as it is produced.
  private func subscription(_ rig: ServiceRig, on grant: Int64, for doctor: Party) async throws -> Int64 {
    let response = try await rig.subscriptions.createSubscription(
      .init(accessRequestID: grant, cadence: .asProduced), metadata: doctor.metadata)
    return try #require(response.subscription).subscriptionID
  }

  @Test func theStreamShowsWhatWasGrantedAndNothingElse() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let base: Microseconds = 1_600_000_000 * second
      let grant = try await rig.grant(of: person, to: doctor, from: base, to: base + 10 * second)
      let subscription = try await subscription(rig, on: grant.accessRequestID, for: doctor)
      try await rig.record(person.account, [(base - 1, 1), (base, 2), (base + 500_000, 4)])
      try await rig.record(person.account, [(base + 10 * second, 5), (base + 10 * second - 1, 6)])
      try await rig.record(person.account + 1, [(base + second, 7)])
      for isStored in [false, true] {
        if isStored { try await rig.storage.compactor.compactEverything() }
        let client = SubscriptionClient(rig, as: doctor.metadata)
        try await client.begin(.init(startAt: .beginning, subscriptionID: subscription))
        var values: [Int64: Double] = [:]
        var states: [Trackme_Sharing_V1_AccessState] = []
        while values.count < 2 {
          switch try await client.frame().frame {
          case .delivery(let delivery):
            for item in SubscriptionClient.items(delivery) {
              #expect(item.person == person.account)
              values[item.time] = item.value
            }
          case .accessChange(let change): states.append(change.state)
          default: break
          }
        }
        // Seconds are whole, and two readings that came together are their mean.
        #expect(values == [base: 3, base + 9 * second: 6])
        #expect(states == [.pending, .accepted])
        client.stream.cancel()
      }
    }
  }

  @Test func aStreamEndsWithTheRevocationAndNothingPassesIt() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      for run in 0..<40 {
        let grant = try await rig.grant(of: person, to: doctor)
        let subscription = try await subscription(rig, on: grant.accessRequestID, for: doctor)
        let client = SubscriptionClient(rig, as: doctor.metadata)
        // In some runs the stream is behind, and in some it may not send on.
        let isBehind = run % 4 == 1
        let cursor = try await client.begin(
          .init(
            startAt: isBehind ? .beginning : .now, maxOutstanding: run % 4 == 2 ? 1 : 0, subscriptionID: subscription))
        let start = try #require(rig.seal.position(.log, of: cursor))
        let isOver = Atomic(false)
        let base = ServiceRig.now - Int64(run) * 1_000 * second
        async let pushed: [Int64: LogPosition] = {
          var positions: [Int64: LogPosition] = [:]
          var number: Int64 = 0
          while !isOver.load(ordering: .acquiring) {
            number += 1
            let time = base + number * second
            positions[time] = try await rig.record(person.account, [(time, Double(number))]).position
          }
          return positions
        }()
        async let received: (times: [Int64], end: Trackme_Sharing_V1_AccessChange?, status: RPCStatus?) = {
          var times: [Int64] = []
          var end: Trackme_Sharing_V1_AccessChange?
          let status = await ServicesTests.status {
            while let frame = try await client.stream.next() {
              #expect(end?.state != .revoked, "nothing follows the end")
              switch frame.frame {
              case .delivery(let delivery): times += SubscriptionClient.items(delivery).map(\.time)
              case .accessChange(let change): end = change
              default: break
              }
            }
          }
          return (times, end, status)
        }()
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...30)))
        let revoked = try await rig.access.revokeAccess(
          .init(accessRequestID: grant.accessRequestID), metadata: person.metadata)
        let position = try #require(revoked.accessRequest).position
        let (times, end, ended) = await received
        isOver.store(true, ordering: .releasing)
        let positions = try await pushed
        #expect(end?.state == .revoked && end?.position == position)
        #expect(ended?.code == .permissionDenied && ended?.errorInfo?.reason == "ACCESS_ENDED")
        for time in times { if let pushed = positions[time] { #expect(pushed < position) } }
        if run % 4 == 0 || run % 4 == 3 {
          // A stream that keeps up has everything up to there.
          let before = positions.filter { $0.value > start && $0.value < position }.map(\.key)
          #expect(Set(before) == Set(times))
        }
        let again = SubscriptionClient(rig, as: doctor.metadata)
        try await again.stream.send(.init(frame: .start(.init(subscriptionID: subscription))))
        #expect(await again.end()?.errorInfo?.reason == "ACCESS_ENDED")
      }
    }
  }

  @Test func aGrantThatEndsWhileAStreamBeginsIsNotMissed() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      for _ in 0..<30 {
        let grant = try await rig.grant(of: person, to: doctor)
        let subscription = try await subscription(rig, on: grant.accessRequestID, for: doctor)
        let client = SubscriptionClient(rig, as: doctor.metadata)
        async let revoked = rig.access.revokeAccess(
          .init(accessRequestID: grant.accessRequestID), metadata: person.metadata)
        try await client.stream.send(.init(frame: .start(.init(subscriptionID: subscription))))
        let end = await client.end()
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "ACCESS_ENDED")
        _ = try await revoked
      }
    }
  }

  @Test func whoDoesNotReadIsCutOffWithinASecond() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let grant = try await rig.grant(of: person, to: doctor)
      let subscription = try await subscription(rig, on: grant.accessRequestID, for: doctor)
      let client = SubscriptionClient(rig, as: doctor.metadata)
      try await client.begin(.init(subscriptionID: subscription))
      // More than flow control lets through while nobody reads.
      for batch in 0..<300 {
        try await rig.record(
          person.account, (0..<1_000).map { (ServiceRig.now - Int64(batch * 1_000 + $0) * second, 70) })
      }
      let live = rig.server.statistics.liveCalls
      _ = try await rig.access.revokeAccess(
        .init(accessRequestID: grant.accessRequestID), metadata: person.metadata)
      let ended = ContinuousClock.now
      try await eventually { rig.server.statistics.liveCalls < live }
      #expect(.now - ended < .seconds(10))
      client.stream.cancel()
    }
  }

  @Test func anExportHoldsWhatTheGrantCoversAtItsGranularity() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let minute = 60 * second
      let base = ServiceRig.now / (60 * minute) * (60 * minute) - 120 * minute
      try await rig.record(person.account, (0..<600).map { (base + Int64($0) * second, Double($0 % 60 + 1)) })
      // The minute that runs is not shown.
      try await rig.record(person.account, [(ServiceRig.now - 1, 200)])
      let grant = try await rig.grant(
        of: person, to: doctor, granularity: .minute, from: base + minute, to: nil)
      func export(_ request: Trackme_Readings_V1_ExportReadingsRequest) async throws -> [Int64: Double] {
        var request = request
        request.accessRequestID = grant.accessRequestID
        let stream = try await rig.readings.exportReadings(request, metadata: doctor.metadata)
        var values: [Int64: Double] = [:]
        while let part = try await stream.next() {
          for reading in part.readings {
            guard case .scalar(let value) = reading.value else { continue }
            #expect(values.updateValue(value, forKey: reading.timeUs) == nil)
          }
        }
        return values
      }
      for isStored in [false, true] {
        if isStored { try await rig.storage.compactor.compactEverything() }
        let all = Dictionary(uniqueKeysWithValues: (1..<10).map { (base + $0 * minute, 30.5) })
        #expect(try await export(.init()) == all)
        // Whoever asks for one second of a minute gets the minute.
        #expect(
          try await export(.init(fromUs: base + 2 * minute + 5 * second, toUs: base + 2 * minute + 6 * second))
            == [base + 2 * minute: 30.5])
        #expect(try await export(.init(metrics: ["steps"])) == [:])
      }
      let other = try await rig.thirdParty()
      let stream = try await rig.readings.exportReadings(
        .init(accessRequestID: grant.accessRequestID), metadata: other.metadata)
      #expect(await status { _ = try await stream.next() }?.code == .notFound)
    }
  }

  @Test func anExportThatNobodyReadsIsCutOffWhenItsGrantEnds() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      for batch in 0..<300 {
        try await rig.record(
          person.account, (0..<1_000).map { (ServiceRig.now - Int64(batch * 1_000 + $0) * second, 70) })
      }
      let grant = try await rig.grant(of: person, to: doctor)
      let stream = try await rig.readings.exportReadings(
        .init(accessRequestID: grant.accessRequestID), metadata: doctor.metadata)
      _ = try await stream.next()
      let live = rig.server.statistics.liveCalls
      _ = try await rig.access.revokeAccess(
        .init(accessRequestID: grant.accessRequestID), metadata: person.metadata)
      try await eventually { rig.server.statistics.liveCalls < live }
      let ledger = try await rig.access.listDisclosures(.init(), metadata: person.metadata).disclosures
      #expect(ledger.count == 1 && ledger[0].kind == .export && ledger[0].ended != nil)
      stream.cancel()
    }
  }

  @Test func anExportStopsWhenItsGrantEnds() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      for batch in 0..<100 {
        try await rig.record(
          person.account, (0..<1_000).map { (ServiceRig.now - Int64(batch * 1_000 + $0) * second, 70) })
      }
      let grant = try await rig.grant(of: person, to: doctor)
      let stream = try await rig.readings.exportReadings(
        .init(accessRequestID: grant.accessRequestID), metadata: doctor.metadata)
      _ = try await stream.next()
      _ = try await rig.access.revokeAccess(
        .init(accessRequestID: grant.accessRequestID), metadata: person.metadata)
      let end = await status { while try await stream.next() != nil {} }
      #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "ACCESS_ENDED")
      let again = try await rig.readings.exportReadings(
        .init(accessRequestID: grant.accessRequestID), metadata: doctor.metadata)
      #expect(await status { _ = try await again.next() }?.errorInfo?.reason == "ACCESS_ENDED")
    }
  }
}
