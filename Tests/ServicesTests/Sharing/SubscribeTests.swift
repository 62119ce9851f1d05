import Domain
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

/// A-G4: readings reach those entitled as soon as they are produced; in order, with no gap and no duplicate.
@Suite(.timeLimit(.minutes(5))) struct SubscribeTests {
  // MARK: Starting

  @Test func theFirstFrameIsAHeartbeatThatSaysWhereNowIs() async throws {
    try await withServer { rig in
      try await rig.record(1, [(1, 60)])
      let client = SubscriptionClient(rig)
      let cursor = try await client.begin(.init(personIDs: [1]))
      #expect(rig.seal.position(.log, of: cursor) == 1)
      // It can be acknowledged, and what was committed before is not delivered.
      try await client.acknowledge(cursor)
      try await rig.record(1, [(2, 61)])
      #expect(try await client.delivery().items.map(\.time) == [2])
    }
  }

  @Test func readingsArriveAsTheyAreCommitted() async throws {
    try await withServer { rig in
      let client = SubscriptionClient(rig)
      try await client.begin(.init(personIDs: [1, 3]))
      try await rig.record(1, [(1, 60)], source: "cuff")
      let first = try await client.delivery()
      #expect(first.items == [.init(person: 1, metric: 1, source: "cuff", time: 1, value: 60)])
      #expect(!first.isCatchingUp && rig.seal.position(.log, of: first.cursor) == 1)
      try await rig.record(2, [(2, 61)])
      try await rig.record(3, [(3, 62)])
      let second = try await client.delivery()
      #expect(second.items.map(\.person) == [3] && rig.seal.position(.log, of: second.cursor) == 3)
    }
  }

  @Test func aStartThatMakesNoSenseNamesItsField() async throws {
    try await withServer { rig in
      try await rig.record(1, [(1, 60)])
      let cases: [(String, SubscriptionClient.Start)] = [
        ("start.person_ids[1]", .init(personIDs: [1, 0])),
        ("start.person_ids", .init(personIDs: Array(1...10_001))),
        ("start.metrics[1]", .init(metrics: ["heart_rate", "unheard_of"])),
        ("start.cursor", .init(cursor: "nonsense")),
        ("start.cursor", .init(cursor: rig.seal.cursor(.log, at: 99))),
        ("start.start_at", .init(startAt: .unrecognized(9))),
        ("start.max_outstanding", .init(maxOutstanding: 1_000_001)),
      ]
      for (field, start) in cases {
        let client = SubscriptionClient(rig)
        #expect(await fields { try await client.begin(start) } == [field])
      }
      let silent = SubscriptionClient(rig)
      try await silent.stream.send(.init())
      #expect(await fields { _ = try await silent.frame() } == ["start"])
      let early = SubscriptionClient(rig)
      try await early.acknowledge("1.0")
      #expect(await fields { _ = try await early.frame() } == ["start"])
      let twice = SubscriptionClient(rig)
      try await twice.begin(.init())
      try await twice.stream.send(.init(frame: .start(.init())))
      #expect(await fields { _ = try await twice.frame() } == ["acknowledgement"])
    }
  }

  // MARK: Where it goes on

  @Test func aCursorResumesAfterItsFrame() async throws {
    try await withServer { rig in
      for time in 1...6 as ClosedRange<Int64> { try await rig.record(1, [(time, 60)]) }
      for isCompacted in [false, true] {
        if isCompacted { try await rig.storage.compactor.compactEverything() }
        for position in 0...6 as ClosedRange<LogPosition> {
          let client = SubscriptionClient(rig)
          try await client.begin(.init(personIDs: [1], cursor: rig.seal.cursor(.log, at: position)))
          let wanted = Int(6 - position)
          if wanted > 0 {
            #expect(try await client.items(wanted).items.map(\.time) == Array(position + 1...6))
          }
          client.stream.cancel()
        }
      }
    }
  }

  @Test func fromTheBeginningStorageComesFirstAndThenWhatIsNew() async throws {
    try await withServer { rig in
      for time in 1...3 as ClosedRange<Int64> { try await rig.record(1, [(time, 60)]) }
      try await rig.storage.compactor.compactEverything()
      for time in 4...5 as ClosedRange<Int64> { try await rig.record(1, [(time, 60)]) }
      let client = SubscriptionClient(rig)
      try await client.begin(.init(personIDs: [1], startAt: .beginning))
      let first = try await client.delivery()
      #expect(first.isCatchingUp)
      let rest = first.items.count < 5 ? try await client.items(5 - first.items.count).items : []
      #expect((first.items + rest).map(\.time) == [1, 2, 3, 4, 5])
      try await rig.record(1, [(6, 60)])
      let live = try await client.delivery()
      #expect(live.items.map(\.time) == [6] && !live.isCatchingUp)
    }
  }

  @Test func aFilterOfMetricsPassesNothingElse() async throws {
    try await withServer { rig in
      let client = SubscriptionClient(rig)
      try await client.begin(.init(metrics: ["blood_oxygen"]))
      let push = PushStreamClient(rig)
      try await push.begin("bridge")
      try await push.push(
        1, .init(scalars: .init(personID: [1, 2, 3], metric: [1, 6, 6], timeUs: [1, 2, 3], value: [60, 97, 98])))
      _ = try await push.acknowledgements(1)
      #expect(try await client.delivery().items.map(\.person) == [2, 3])
    }
  }

  /// Guarantee 3, with everything at random: several filters, compaction, and clients that go and come back.
  @Test(arguments: [1, 2, 3] as [UInt64]) func everyStreamIsOrderedCompleteAndUnique(seed: UInt64) async throws {
    try await withServer { rig in
      let rounds = 150
      let isOver = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          let push = PushStreamClient(rig)
          try await push.begin("bridge")
          for round in 1...rounds {
            let persons = (1...4).map { Int64($0) }
            try await push.push(
              UInt64(round),
              .init(
                scalars: .init(
                  personID: persons, metric: [1], timeUs: Array(repeating: Int64(round), count: 4),
                  value: [60, 61, 62, 63])))
            if Int.random(in: 0..<3) == 0 { _ = try await push.frame() }
          }
          try await push.stream.finishSending()
          while try await push.frame() != nil {}
        }
        group.addTask {
          while isOver.value < 6 {
            try await rig.storage.compactor.compactEverything()
            try await Task.sleep(for: .milliseconds(5))
          }
        }
        for index in 0..<6 {
          group.addTask {
            defer { isOver.add(1) }
            var generator = SystemRandomNumberGenerator()
            let persons: [Int64] = [[1], [2], [1, 3], [], [4], [2, 4]][index]
            let each = persons.isEmpty ? 4 : persons.count
            var got: [SubscriptionClient.Item] = []
            var cursor = rig.seal.cursor(.log, at: 0)
            while got.count < rounds * each {
              let client = SubscriptionClient(rig)
              try await client.begin(.init(personIDs: persons, cursor: cursor, maxOutstanding: index == 2 ? 2 : 0))
              // Some stay for a few frames only.
              for _ in 0..<Int.random(in: 1...40, using: &generator) where got.count < rounds * each {
                let delivery = try await client.delivery()
                got += delivery.items
                cursor = delivery.cursor
                if index == 2 { try await client.acknowledge(cursor) }
              }
              client.stream.cancel()
            }
            #expect(got.count == rounds * each)
            // Batches that were committed at one position have no order among each other but a person's own.
            for own in Dictionary(grouping: got, by: \.person).values {
              #expect(own.map(\.time) == Array(1...Int64(rounds)))
            }
            #expect(Set(got).count == got.count)
            #expect(Set(got.map(\.person)) == Set(persons.isEmpty ? [1, 2, 3, 4] : persons))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Guarantee 4: who is slow falls back to storage, and comes back, and misses nothing.
  @Test func aSlowStreamCatchesUpFromStorageAndDoesNotSlowTheOthers() async throws {
    try await withServer { rig in
      let slow = SubscriptionClient(rig)
      try await slow.begin(.init(personIDs: [1]))
      let quick = SubscriptionClient(rig)
      try await quick.begin(.init(personIDs: [1, 2]))
      let push = PushStreamClient(rig)
      try await push.begin("bridge")
      // More than HTTP/2 takes ahead of a reader, and than a feed keeps.
      let batches = 100
      let size = 5_000
      for batch in 0..<batches {
        let first = Int64(batch * size)
        try await push.push(UInt64(batch + 1), .heartRate((0..<Int64(size)).map { (first + $0, 60) }))
        #expect(try await push.acknowledgements(1).count == 1)
        // The quick one has it although the slow one takes nothing.
        #expect(try await quick.items(size).items.map(\.time) == (first..<first + Int64(size)).map { $0 })
      }
      var times: [Int64] = []
      var hasCaughtUp = false
      while times.count < batches * size {
        let delivery = try await slow.delivery()
        times += delivery.items.map(\.time)
        hasCaughtUp = hasCaughtUp || delivery.isCatchingUp
      }
      #expect(times == Array(0..<Int64(batches * size)))
      #expect(hasCaughtUp)
      try await rig.record(1, [(Int64(batches * size), 61)])
      let live = try await slow.delivery()
      #expect(live.items.map(\.value) == [61] && !live.isCatchingUp)
    }
  }

  // MARK: Acknowledgements

  @Test func noMoreThanMaxOutstandingAreSentUnacknowledged() async throws {
    try await withServer { rig in
      let client = SubscriptionClient(rig)
      try await client.begin(.init(personIDs: [1], maxOutstanding: 1))
      try await rig.record(1, [(1, 60)])
      let first = try await client.delivery()
      #expect(first.items.map(\.time) == [1])
      try await rig.record(1, [(2, 60)])
      try await rig.record(1, [(3, 60)])
      // The stream owes nothing now but heartbeats.
      let beat = try await beaten(rig, client)
      #expect(beat.cursor == first.cursor)
      try await client.acknowledge(first.cursor)
      // Both in one frame, since neither was sent before.
      #expect(try await client.delivery().items.map(\.time) == [2, 3])
    }
  }

  @Test func maxOutstandingHoldsOutOfStorageToo() async throws {
    try await withServer { rig in
      let push = PushStreamClient(rig)
      try await push.begin("bridge")
      for batch in 0..<8 {
        try await push.push(UInt64(batch + 1), .heartRate((0..<9_000).map { (Int64(batch * 9_000 + $0), 60) }))
      }
      _ = try await push.acknowledgements(8)
      for isCompacted in [false, true] {
        if isCompacted { try await rig.storage.compactor.compactEverything() }
        let client = SubscriptionClient(rig)
        try await client.begin(.init(personIDs: [1], startAt: .beginning, maxOutstanding: 1))
        var times: [Int64] = []
        var frames = 0
        while times.count < 72_000 {
          let delivery = try await client.delivery()
          times += delivery.items.map(\.time)
          frames += 1
          let beat = try await beaten(rig, client)
          #expect(beat.cursor == delivery.cursor)
          try await client.acknowledge(delivery.cursor)
        }
        #expect(times == Array(0..<72_000))
        #expect(frames > 3)
        client.stream.cancel()
      }
    }
  }

  @Test func aCursorThatWasNotSentCannotBeAcknowledged() async throws {
    try await withServer { rig in
      for text in ["nonsense", rig.seal.cursor(.log, at: 7), ""] {
        let client = SubscriptionClient(rig)
        try await client.begin(.init(personIDs: [1]))
        try await client.acknowledge(text)
        #expect(await fields { _ = try await client.frame() } == ["acknowledgement.cursor"])
      }
    }
  }

  @Test func aClientMayStopAcknowledgingAndGoOnListening() async throws {
    try await withServer { rig in
      let client = SubscriptionClient(rig)
      try await client.begin(.init(personIDs: [1]))
      try await client.stream.finishSending()
      try await rig.record(1, [(1, 60)])
      #expect(try await client.delivery().items.map(\.time) == [1])
    }
  }

  // MARK: Silence and the end

  @Test func anIdleStreamGetsHeartbeatsThatSayWhereNowIs() async throws {
    try await withServer { rig in
      let client = SubscriptionClient(rig)
      try await client.begin(.init(personIDs: [1]))
      // Nothing of this subscriber, and its cursor goes on all the same.
      try await rig.record(2, [(1, 60)])
      let beat = try await beaten(rig, client)
      #expect(rig.seal.position(.log, of: beat.cursor) == 1)
      try await client.acknowledge(beat.cursor)
      try await rig.record(1, [(2, 60)])
      #expect(try await client.delivery().items.map(\.time) == [2])
    }
  }

  @Test func streamsEndWithTheServer() async throws {
    try await withServer { rig in
      let idle = SubscriptionClient(rig)
      try await idle.begin(.init(personIDs: [1]))
      let waiting = SubscriptionClient(rig)
      try await waiting.begin(.init(personIDs: [1], maxOutstanding: 1))
      let watch = try await rig.readings.watchReadings(.init(personID: 1), metadata: ServiceRig.asOperator)
      _ = try await watch.next()
      try await rig.record(1, [(1, 60)])
      rig.house.drain()
      for end in [await idle.end(), await waiting.end(), await status { while try await watch.next() != nil {} }] {
        #expect(end?.code == .unavailable && end?.errorInfo?.reason == "SHUTTING_DOWN")
      }
      let late = SubscriptionClient(rig)
      try await late.begin(.init(personIDs: [1]))
      #expect(await late.end()?.code == .unavailable)
    }
  }

  @Test func feedsAreForgottenWithTheirLastStream() async throws {
    try await withServer { rig in
      let clients = (0..<3).map { _ in SubscriptionClient(rig) }
      try await clients[0].begin(.init(personIDs: [1]))
      try await clients[1].begin(.init(personIDs: [1]))
      try await clients[2].begin(.init())
      #expect(rig.hub.feedCount == 2)
      clients[0].stream.cancel()
      clients[2].stream.cancel()
      try await eventually { rig.hub.feedCount == 1 }
      try await rig.record(1, [(1, 60)])
      #expect(try await clients[1].delivery().items.map(\.time) == [1])
      clients[1].stream.cancel()
      try await eventually { rig.hub.feedCount == 0 }
    }
  }

  /// Beats until the stream's next frame, which must be a heartbeat.
  private func beaten(_ rig: ServiceRig, _ client: SubscriptionClient) async throws -> SubscriptionClient.Response {
    let isOver = Counter()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while isOver.value == 0 {
          rig.house.beat(ifWaitingSince: .now)
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      defer { isOver.add(1) }
      // Heartbeats of before may be on their way: the newest one counts.
      var beat = try await client.frame()
      for _ in 0..<3 {
        #expect(beat.frame == .heartbeat(.init()))
        beat = try await client.frame()
      }
      #expect(beat.frame == .heartbeat(.init()))
      return beat
    }
  }
}
