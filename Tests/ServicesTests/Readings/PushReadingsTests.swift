import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
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

/// Readings in, over the wire: what a bridge may rely on.
@Suite(.timeLimit(.minutes(5))) struct PushReadingsTests {
  typealias Columns = Trackme_Readings_V1_ReadingColumns

  // MARK: Opening

  @Test func aStreamBeginsWithAHello() async throws {
    try await withServer { rig in
      let early = PushStreamClient(rig)
      try await early.push(1, .heartRate([(1, 60)]))
      #expect(await fields { _ = try await early.stream.next() } == ["hello"])
      let empty = PushStreamClient(rig)
      try await empty.stream.send(.init())
      #expect(await fields { _ = try await empty.stream.next() } == ["hello"])
      let silent = PushStreamClient(rig)
      try await silent.stream.finishSending()
      #expect(await fields { _ = try await silent.stream.next() } == ["hello"])
      #expect(try rig.storedCount() == 0)
    }
  }

  @Test(arguments: ["", "a b", "é", "tab\t", String(repeating: "x", count: 65)])
  func aClientsNameIsShortAndPrintable(name: String) async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      #expect(await fields { try await client.begin(name) } == ["hello.client_id"])
    }
  }

  @Test func aSecondHelloIsRefused() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      let welcome = try await client.begin("bridge")
      #expect(welcome.lastSequence == 0 && welcome.maxBatchReadings == 10_000 && welcome.maxBatchBytes == 1 << 20)
      try await client.stream.send(.init(frame: .hello(.init(clientID: "bridge"))))
      #expect(await fields { _ = try await client.frame() } == ["batch"])
    }
  }

  // MARK: Batches

  @Test func eachBatchIsAcknowledgedAfterItsCommit() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .heartRate([(1, 60), (2, 61)]))
      let first = try await client.acknowledgements(1)
      #expect(first == [.init(sequence: 1, position: 1, accepted: 2)])
      #expect(try rig.storedCount() == 2)
      try await client.push(5, Columns())
      #expect(try await client.acknowledgements(1) == [.init(sequence: 5, position: 1)])
      try await client.stream.finishSending()
      #expect(try await client.frame() == nil)
    }
  }

  @Test func whatDoesNotFitTogetherIsNamedAndEndsTheStream() async throws {
    try await withServer { rig in
      let many = (0..<10_001).map { (Int64($0), 60.0) }
      let cases: [(String, UInt64, Columns)] = [
        (
          "batch.readings.scalars.value", 1,
          Columns(scalars: .init(personID: [1], metric: [1], timeUs: [1, 2], value: [1]))
        ),
        (
          "batch.readings.waveforms.samples", 1,
          Columns(
            waveforms: .init(personID: [1], metric: [8], timeUs: [1], rateHz: [1], sampleCount: [9], samples: [1]))
        ),
        ("batch.readings.sources", 1, Columns(sources: (0..<1_001).map { "s\($0)" })),
        ("batch.readings", 1, .heartRate(many)),
        ("batch.sequence", 0, .heartRate([(1, 60)])),
        ("batch.sequence", 1 << 63, .heartRate([(1, 60)])),
      ]
      for (field, sequence, columns) in cases {
        let client = PushStreamClient(rig)
        try await client.begin("bridge")
        try await client.push(sequence, columns)
        #expect(await fields { _ = try await client.frame() } == [field])
      }
      #expect(try rig.storedCount() == 0)
      #expect(try await PushStreamClient(rig).begin("bridge").lastSequence == 0)
    }
  }

  @Test func tenThousandReadingsAreABatch() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .heartRate((0..<10_000).map { ($0, 60) }))
      #expect(try await client.acknowledgements(1).first?.accepted == 10_000)
    }
  }

  @Test func aFrameOfMoreThanAMebibyteIsTooLong() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let samples = Array(repeating: 0.1, count: 140_000)
      try await client.push(
        1,
        Columns(
          waveforms: .init(
            personID: [1], metric: [8], timeUs: [1], rateHz: [250], sampleCount: [140_000], samples: samples)))
      #expect(await status { _ = try await client.frame() }?.code == .resourceExhausted)
    }
  }

  @Test func rejectionsNameTheirReadingsAndTheOthersLand() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let future = ServiceRig.now + 300_000_001
      try await client.push(
        1,
        Columns(
          sources: ["cuff", String(repeating: "x", count: 65)],
          scalars: .init(
            personID: [1, 1, 1, 0, 1, 1, 1], metric: [1, 99, 8, 1, 1, 1, 1], source: [0, 0, 0, 0, 1, 7, 0],
            timeUs: [1, 2, 3, 4, 5, 6, future], value: [60, 60, 60, 60, 60, 60, 60]),
          positions: .init(
            personID: [1], metric: [11], source: [0], timeUs: [8, 9], latitude: [91, 45], longitude: [9, 9]),
          waveforms: .init(
            personID: [1], metric: [8], source: [0], timeUs: [10, 11, 12], rateHz: [250, 0, 250],
            sampleCount: [2, 1, 1],
            samples: [0.1, 0.2, 0.3, .nan])))
      let acknowledgement = try #require(try await client.acknowledgements(1).first)
      #expect(acknowledgement.accepted == 3 && acknowledgement.rejected == 9)
      #expect(
        acknowledgement.rejections == [
          .init(index: 1, reason: .unknownMetric, field: "metric"),
          .init(index: 2, reason: .wrongKind, field: "metric"),
          .init(index: 3, reason: .invalidPerson, field: "person_id"),
          .init(index: 4, reason: .invalidSource, field: "source"),
          .init(index: 5, reason: .invalidSource, field: "source"),
          .init(index: 6, reason: .timeInFuture, field: "time_us"),
          .init(index: 7, reason: .outOfRange, field: "latitude"),
          .init(index: 10, reason: .invalidWaveform, field: "rate_hz"),
          .init(index: 11, reason: .notANumber, field: "samples"),
        ])
      let rows = try await rig.readings.listReadings(.init(personID: 1), metadata: ServiceRig.asOperator).readings
      #expect(rows.map(\.timeUs) == [10, 9, 1])
      #expect(rows[0].value == .waveform(.init(rateHz: 250, samples: [0.1, 0.2])))
    }
  }

  /// B-R.D4: nobody pushes for somebody else.
  @Test func aPersonsTokenPushesForThatPersonOnly() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig, as: try await rig.token(for: 5))
      try await client.begin("watch")
      try await client.push(
        1, Columns(scalars: .init(personID: [5, 6, 5], metric: [1], timeUs: [1, 2, 3], value: [60, 61, 62])))
      let acknowledgement = try #require(try await client.acknowledgements(1).first)
      #expect(acknowledgement.accepted == 2)
      #expect(acknowledgement.rejections == [.init(index: 1, reason: .notYours, field: "person_id")])
    }
  }

  @Test func theSourceIsTheClientWhereTheBatchNamesNone() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge-7")
      try await client.push(1, .heartRate([(1, 60)]))
      _ = try await client.acknowledgements(1)
      let rows = try await rig.readings.listReadings(.init(personID: 1), metadata: ServiceRig.asOperator).readings
      #expect(rows.map(\.source) == ["bridge-7"])
    }
  }

  // MARK: Acknowledgements

  @Test func acknowledgementsComeInOrderManyInAFrame() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let block = try CommitBlock(rig)
      for sequence in 1...300 as ClosedRange<UInt64> {
        try await client.push(sequence, .heartRate([(Int64(sequence), 60)]))
      }
      try await client.stream.finishSending()
      block.end()
      var frames = 0
      var got: [PushStreamClient.Acknowledgement] = []
      while let frame = try await client.frame() {
        frames += 1
        got += frame
      }
      #expect(got.map(\.sequence) == Array(1...300))
      #expect(got.map(\.position) == got.map(\.position).sorted())
      #expect(frames < 100)
      #expect(try rig.storedCount() == 300)
    }
  }

  @Test func repeatsAreAcknowledgedInOrderAndDoNothing() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .heartRate([(1, 60)]))
      _ = try await client.acknowledgements(1)
      let block = try CommitBlock(rig)
      // 1 is committed; 2 waits for its commit and comes again; 3 is new.
      try await client.push(1, .heartRate([(1, 60)]))
      try await client.push(2, .heartRate([(2, 60)]))
      try await client.push(2, .heartRate([(2, 60), (3, 60)]))
      try await client.push(1, .heartRate([(1, 60)]))
      try await client.push(3, .heartRate([(4, 60)]))
      let early = try await client.acknowledgements(1)
      #expect(early == [.init(sequence: 1, position: 1, repeated: true)])
      block.end()
      let rest = try await client.acknowledgements(4)
      #expect(rest.map(\.sequence) == [2, 2, 1, 3])
      #expect(rest.map(\.repeated) == [false, true, true, false])
      #expect(rest.map(\.accepted) == [1, 0, 0, 1])
      #expect(rest[1].position >= rest[0].position && rest[2].position >= 1)
      #expect(try rig.storedCount() == 3)
    }
  }

  @Test func afterAReconnectTheClientLearnsWhereItStands() async throws {
    try await withServer { rig in
      let first = PushStreamClient(rig)
      try await first.begin("bridge")
      for sequence in [3, 7, 9] as [UInt64] { try await first.push(sequence, .heartRate([(Int64(sequence), 60)])) }
      _ = try await first.acknowledgements(3)
      first.stream.cancel()
      let second = PushStreamClient(rig)
      #expect(try await second.begin("bridge").lastSequence == 9)
      // Another client, and the same name under another token, count by themselves.
      #expect(try await PushStreamClient(rig).begin("bridge2").lastSequence == 0)
      let person = PushStreamClient(rig, as: try await rig.token(for: 1))
      #expect(try await person.begin("bridge").lastSequence == 0)
    }
  }

  @Test func aNewerStreamOfTheSameClientEndsTheOlderOne() async throws {
    try await withServer { rig in
      let older = PushStreamClient(rig)
      try await older.begin("bridge")
      let block = try CommitBlock(rig)
      try await older.push(1, .heartRate([(1, 60)]))
      try await eventually { rig.storage.writer.monitor.withLock { $0.sessions["operator/bridge"]?.lastQueued == 1 } }
      let newer = PushStreamClient(rig)
      async let welcome = newer.begin("bridge")
      let end = await status { while try await older.frame() != nil {} }
      #expect(end?.code == .aborted && end?.errorInfo?.reason == "SUPERSEDED")
      block.end()
      // The newer one begins behind everything that the older one had queued.
      #expect(try await welcome.lastSequence == 1)
      try await newer.push(2, .heartRate([(2, 60)]))
      #expect(try await newer.acknowledgements(1).map(\.sequence) == [2])
      #expect(try rig.storedCount() == 2)
    }
  }

  @Test func aClientThatVanishesLeavesNothingBehindAndWhatItPushedIsStored() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let block = try CommitBlock(rig)
      try await client.push(1, .heartRate([(1, 60)]))
      let writer = rig.storage.writer
      try await eventually { writer.monitor.withLock { $0.sessions["operator/bridge"]?.lastQueued == 1 } }
      client.stream.cancel()
      try await eventually { rig.ingest.streamCount == 0 }
      block.end()
      try await eventually { writer.monitor.withLock { $0.sessions.isEmpty } }
      #expect(try rig.storedCount() == 1)
    }
  }

  // MARK: The server's end, and PostgreSQL's

  @Test func aStreamThatIsToldToEndIsAcknowledgedFirst() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let block = try CommitBlock(rig)
      for sequence in 1...20 as ClosedRange<UInt64> {
        try await client.push(sequence, .heartRate([(Int64(sequence), 60)]))
      }
      try await eventually {
        rig.storage.writer.monitor.withLock { $0.sessions["operator/bridge"]?.lastQueued == 20 }
      }
      rig.house.drain()
      // This one comes too late; the client sends it again elsewhere.
      try await client.push(21, .heartRate([(21, 60)]))
      block.end()
      #expect(try await client.acknowledgements(20).map(\.sequence) == Array(1...20))
      let end = await status { while try await client.frame() != nil {} }
      #expect(end?.code == .unavailable && end?.errorInfo?.reason == "SHUTTING_DOWN")
      #expect(try rig.storedCount() == 20)
      let late = PushStreamClient(rig)
      #expect(
        await status {
          try await late.begin("other"); _ = try await late.frame()
        }?.code == .unavailable)
    }
  }

  @Test func withPostgresGoneTheStreamWaitsAndNothingIsLostOrDoubled() async throws {
    let cluster = try TemporaryCluster()
    defer { cluster.stop() }
    var limits = LogWriter.Limits()
    limits.batches = 20
    try await withServer(limits: limits, cluster: cluster) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .heartRate([(1, 60)]))
      _ = try await client.acknowledgements(1)
      cluster.cluster.stop(timeout: .seconds(5))
      let total: UInt64 = 100
      async let pushing: Void = {
        for sequence in 2...total { try await client.push(sequence, .heartRate([(Int64(sequence), 60)])) }
      }()
      // Or whatever throws below would wait for room that never comes.
      defer { client.stream.cancel() }
      let writer = rig.storage.writer
      // More than that does not fit: the stream's reader waits, and so does the client in the end.
      try await eventually { writer.monitor.withLock { $0.open.batches == 20 && !$0.waiters.isEmpty } }
      // Others are told to try again.
      let refusal = await status {
        _ = try await rig.readings.listReadings(.init(personID: 1), metadata: ServiceRig.asOperator)
      }
      #expect(refusal?.code == .unavailable && refusal?.errorInfo?.reason == "DATABASE_GONE")
      _ = try cluster.cluster.start()
      try await pushing
      #expect(try await client.acknowledgements(99).map(\.sequence) == Array(2...total))
      #expect(try rig.storedCount() == 100)
      try await client.stream.finishSending()
      #expect(try await client.frame() == nil)
    }
  }
}
