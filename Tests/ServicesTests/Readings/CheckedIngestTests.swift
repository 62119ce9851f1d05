import Domain
import Emergencies
import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
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

/// Readings are checked as they arrive, whatever becomes of them after (A-R15, B-R.S2): an alarm does not wait for the
/// database.
@Suite(.timeLimit(.minutes(5))) struct CheckedIngestTests {
  static let now = ServiceRig.now

  /// Watches persons 1 to 3 and keeps what is told.
  final class Watch: Sendable {
    let events = Mutex<[MonitorEvent]>([])
    private let made = Mutex<VitalsMonitor?>(nil)
    var monitor: VitalsMonitor { made.withLock { $0! } }

    init(silence: SilenceRule? = nil) {
      let monitor = VitalsMonitor(clock: { CheckedIngestTests.now }) { [unowned self] event in
        events.withLock { $0.append(event) }
      }
      for number in PersonID(1)...3 {
        var person = MonitoredPerson(person: number, settings: SosSettings())
        person.settings.isEnabled = true
        person.settings.silence = silence
        monitor.watch(person)
      }
      made.withLock { $0 = monitor }
    }

    var called: [PersonID] {
      events.withLock { $0 }.compactMap { if case .detected(let detection) = $0 { detection.person } else { nil } }
    }
  }

  static func low(_ person: PersonID, sources: [String] = []) -> Trackme_Readings_V1_ReadingColumns {
    .init(
      sources: sources,
      scalars: .init(
        personID: [person], metric: [1], source: sources.isEmpty ? [] : [0], timeUs: [now - 4_000_000, now],
        value: [30, 31]))
  }

  static func one(
    _ person: PersonID, at time: Int64, _ value: Double = 30, sources: [String] = []
  ) -> Trackme_Readings_V1_ReadingColumns {
    .init(
      sources: sources,
      scalars: .init(
        personID: [person], metric: [1], source: sources.isEmpty ? [] : [0], timeUs: [time], value: [value]))
  }

  static func rows(_ person: PersonID, source: String = "") -> [Trackme_Readings_V1_Reading] {
    [now - 4_000_000, now].map {
      .init(personID: person, metric: "heart_rate", source: source, timeUs: $0, value: .scalar(30))
    }
  }

  /// A strap that is taken off writes 0 for the pulse. That is refused by name, reading by reading, and calls nobody: what
  /// is left is the silence since the last pulse, which is told as ever.
  @Test func aStrapThatIsTakenOffIsASilenceAndNoEmergency() async throws {
    let watch = Watch(silence: SilenceRule(notifyAfterMinutes: 5, callAfterMinutes: 0))
    try await withServer(checking: watch.monitor) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("strap")
      let times = (0..<15).map { Self.now - 14_000_000 + Int64($0) * 1_000_000 }
      let values = times.indices.map { $0 < 8 ? Double(80 + $0) : 0 }
      try await client.push(
        1, .init(scalars: .init(personID: [1], metric: [1], timeUs: times, value: values)))
      let answer = try #require(try await client.acknowledgements(1).first)
      #expect(answer.accepted == 8 && answer.rejected == 7)
      #expect(answer.rejections.map(\.index) == Array(8..<15))
      #expect(answer.rejections.allSatisfy { $0.reason == .noValue && $0.field == "value" })
      watch.monitor.check(at: Self.now + 60_000_000)
      #expect(watch.events.withLock { $0 }.isEmpty)
      try await client.push(2, .init(scalars: .init(personID: [1], metric: [1], timeUs: [Self.now], value: [0])))
      #expect(try await client.acknowledgements(1).first?.rejected == 1)
      watch.monitor.check(at: Self.now + 600_000_000)
      let events = watch.events.withLock { $0 }
      guard events.count == 1, case .silence(let silence)? = events.first else {
        Issue.record("not a silence alone: \(events)")
        return
      }
      #expect(silence.person == 1 && watch.called.isEmpty)
    }
  }

  @Test func bothWaysInAreChecked() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, Self.low(1, sources: ["strap"]))
      _ = try await client.acknowledgements(1)
      #expect(watch.called == [1])
      _ = try await rig.ingestClient.recordReadings(.init(readings: Self.rows(2)), metadata: ServiceRig.asOperator)
      #expect(watch.called == [1, 2])
      // What is refused is not checked, and a person who is not watched neither.
      let own = try await rig.token(for: 4)
      _ = try await rig.ingestClient.recordReadings(.init(readings: Self.rows(3)), metadata: own)
      _ = try await rig.ingestClient.recordReadings(.init(readings: Self.rows(4)), metadata: own)
      #expect(watch.called == [1, 2])
    }
  }

  @Test func ofALargeBatchEveryPieceIsChecked() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      var batch = Trackme_Readings_V1_ScalarColumns(metric: [1])
      batch.personID = Array(repeating: 1, count: 5_000) + [2, 2]
      batch.timeUs = (0..<5_000).map { Self.now - 5_000 + $0 } + [Self.now - 4_000_000, Self.now]
      batch.value = Array(repeating: 60, count: 5_000) + [30, 31]
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .init(scalars: batch))
      #expect(try await client.acknowledgements(1).first?.accepted == 5_002)
      #expect(watch.called == [2])
    }
  }

  @Test func aSourceThatIsNewStaysTheSameSource() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      for step in 0...4 {
        let reading = Trackme_Readings_V1_Reading(
          personID: 1, metric: "heart_rate", source: "new strap",
          timeUs: Self.now - 5_000_000 + Int64(step) * 1_000_000,
          value: .scalar(step == 1 ? 70 : 30))
        _ = try await rig.ingestClient.recordReadings(.init(readings: [reading]), metadata: ServiceRig.asOperator)
      }
      // The fine reading came from the same source: 2 s are no 3 s.
      #expect(watch.called.isEmpty)
      let last = Trackme_Readings_V1_Reading(
        personID: 1, metric: "heart_rate", source: "new strap", timeUs: Self.now, value: .scalar(30))
      _ = try await rig.ingestClient.recordReadings(.init(readings: [last]), metadata: ServiceRig.asOperator)
      #expect(watch.called == [1])
      let source = try #require(rig.storage.sources.knownNumbers(of: ["new strap"])?.first)
      guard case .detected(let detection) = watch.events.withLock({ $0 })[0] else { return }
      #expect(detection.crossing.readings.allSatisfy { $0.source == source })
    }
  }

  @Test func anAlarmDoesNotWaitForTheDatabase() async throws {
    let watch = Watch()
    var limits = LogWriter.Limits()
    limits.batches = 2
    try await withServer(limits: limits, checking: watch.monitor) { rig in
      let block = try CommitBlock(rig)
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let fine = Trackme_Readings_V1_ReadingColumns.heartRate([(Self.now - 60_000_000, 70)])
      // One batch commits and hangs, two wait, the fourth finds no room.
      try await client.push(1, fine)
      try await eventually {
        rig.storage.writer.monitor.withLock { state in
          state.open.isEmpty && state.sessions.values.contains { $0.uncommittedBatches == 1 }
        }
      }
      for sequence in UInt64(2)...4 { try await client.push(sequence, fine) }
      try await client.push(5, Self.low(1))
      try await client.push(6, Self.low(2, sources: ["never seen"]))
      try await eventually {
        rig.ingest.lookAfterStalls()
        return watch.called == [1, 2]
      }
      _ = try? await rig.ingestClient.recordReadings(
        .init(readings: Self.rows(3)), metadata: ServiceRig.asOperator, deadline: .milliseconds(300))
      #expect(watch.called == [1, 2, 3])
      block.end()
      // Room again: what was committed is acknowledged, and the client is told to send the rest again.
      var acknowledged: UInt64 = 0
      let resend = await status {
        while true {
          rig.ingest.lookAfterStalls()
          guard let frame = try await client.frame() else { return }
          acknowledged = frame.last?.sequence ?? acknowledged
        }
      }
      #expect(resend?.code == .unavailable && resend?.errorInfo?.reason == "RESEND")
      #expect(acknowledged <= 3)
      let again = PushStreamClient(rig)
      let welcome = try await again.begin("bridge")
      #expect(welcome.lastSequence <= 3)
      for sequence in welcome.lastSequence + 1...6 { try await again.push(sequence, Self.low(1)) }
      #expect(try await again.acknowledgements(Int(6 - welcome.lastSequence)).last?.sequence == 6)
      #expect(watch.called == [1, 2, 3])
    }
  }

  @Test func ofALargeBatchThatIsNotKeptEveryPieceIsChecked() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      rig.ingest.diskChanged(hasRoom: false)
      let count = IngestService.maxBatchReadings - 2
      var batch = Trackme_Readings_V1_ScalarColumns(metric: [1])
      batch.personID = Array(repeating: 1, count: count) + [2, 2]
      batch.timeUs = (0..<Int64(count)).map { Self.now - Int64(count) + $0 } + [Self.now - 4_000_000, Self.now]
      batch.value = Array(repeating: 60, count: count) + [30, 31]
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, .init(scalars: batch))
      try await eventually { watch.called == [2] }
      #expect(try rig.storedCount() == 0)
    }
  }

  @Test func aClientThatEndsWhileNothingIsKeptIsToldToSendAgain() async throws {
    let watch = Watch()
    var limits = LogWriter.Limits()
    limits.batches = 1
    try await withServer(limits: limits, checking: watch.monitor) { rig in
      let block = try CommitBlock(rig)
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      for sequence in UInt64(1)...3 { try await client.push(sequence, .heartRate([(Self.now, 70)])) }
      try await client.push(4, Self.low(3))
      try await eventually {
        rig.ingest.lookAfterStalls()
        return watch.called == [3]
      }
      try await client.stream.finishSending()
      let ending = await status { while try await client.frame() != nil {} }
      #expect(ending?.errorInfo?.reason == "RESEND")
      block.end()
    }
  }

  /// Holds a table, so that nothing can be asked of it or put into it.
  private func lock(_ table: String, _ rig: ServiceRig) throws -> Connection {
    let connection = try rig.connection()
    try connection.execute("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
    return connection
  }

  @Test func aClientThatIsNewIsJudgedWhileItsNameCannotBeRegistered() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      let lock = try lock("reading_source", rig)
      let client = PushStreamClient(rig)
      try await client.begin("new-client")
      // What calls nobody is pushed first: when the others have been called for, it has been judged as well.
      try await client.push(1, Self.one(3, at: Self.now - 4_000_000))
      try await client.push(2, Self.low(1))
      try await client.push(3, Self.low(2, sources: ["new strap"]))
      try await eventually { watch.called == [1, 2] }
      lock.close()
      try await eventually {
        await rig.ingest.lookAfterNames()
        return rig.storage.sources.knownNumbers(of: ["new-client"]) != nil
      }
      #expect(await status { while try await client.frame() != nil {} }?.errorInfo?.reason == "RESEND")
      #expect(try rig.storedCount() == 0)
      // The same readings again, under the numbers that their sources have by now.
      let again = PushStreamClient(rig)
      #expect(try await again.begin("new-client").lastSequence == 0)
      try await again.push(1, Self.low(1))
      try await again.push(2, Self.low(2, sources: ["new strap"]))
      #expect(try await again.acknowledgements(2).map(\.accepted) == [2, 2])
      #expect(watch.called == [1, 2])
      // It is the same source: what it said before counts.
      try await again.push(4, Self.one(3, at: Self.now))
      _ = try await again.acknowledgements(1)
      #expect(watch.called == [1, 2, 3])
    }
  }

  @Test func aSourceThatIsNewOnAnOpenStreamDoesNotHoldItUp() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      let lock = try lock("reading_source", rig)
      try await client.push(1, Self.one(2, at: Self.now, 70, sources: ["new strap"]))
      try await client.push(2, Self.low(1))
      try await eventually { watch.called == [1] }
      lock.close()
      try await eventually {
        await rig.ingest.lookAfterNames()
        return rig.storage.sources.knownNumbers(of: ["new strap"]) != nil
      }
      #expect(await status { while try await client.frame() != nil {} }?.errorInfo?.reason == "RESEND")
    }
  }

  @Test func singleCallsEndWhenNothingCanBeStored() async throws {
    let watch = Watch()
    try await withServer(checking: watch.monitor) { rig in
      let block = try CommitBlock(rig)
      async let first = reason {
        _ = try await rig.ingestClient.recordReadings(
          .init(clientID: "scale", sequence: 1, readings: Self.rows(1)), metadata: ServiceRig.asOperator,
          deadline: .seconds(20))
      }
      try await eventually { rig.storage.writer.isStalled(for: IngestService.callPatience) }
      rig.ingest.lookAfterStalls()
      #expect(await first == "RESEND")
      // The same client again: what it had queued hangs.
      async let second = reason {
        _ = try await rig.ingestClient.recordReadings(
          .init(clientID: "scale", sequence: 2, readings: Self.rows(1)), metadata: ServiceRig.asOperator,
          deadline: .seconds(20))
      }
      #expect(await second == "RESEND")
      block.end()
      try await eventually { try rig.storedCount() == 2 }
      // A client sends again until it is known: what it had queued may still be under way.
      try await eventually {
        do {
          let answer = try await rig.ingestClient.recordReadings(
            .init(clientID: "scale", sequence: 1, readings: Self.rows(1)), metadata: ServiceRig.asOperator)
          return answer.acknowledgement?.repeated == true
        } catch let status as RPCStatus where status.errorInfo?.reason == "RESEND" { return false }
      }
      #expect(watch.called == [1])
    }
  }

  @Test func fullSpeedIsNoStall() async throws {
    var limits = LogWriter.Limits()
    limits.batches = 4
    try await withServer(limits: limits, checking: Watch().monitor) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for sequence in UInt64(1)...2_000 { try await client.push(sequence, .heartRate([(1, 70)])) } }
        group.addTask {
          while !Task.isCancelled {
            rig.ingest.lookAfterStalls()
            try? await Task.sleep(for: .milliseconds(5))
          }
        }
        let last = try await client.acknowledgements(2_000).last
        #expect(last?.sequence == 2_000)
        group.cancelAll()
      }
    }
  }

  @Test func devicesSayHowTheyAreForThoseForWhomTheyMayPush() async throws {
    for (person, causes) in [(PersonID(1), [SilenceCause.lowBattery]), (2, [.streamClosed])] {
      let watch = Watch(silence: SilenceRule(notifyAfterMinutes: 1, callAfterMinutes: 0))
      try await withServer("devices\(person)", checking: watch.monitor) { rig in
        let client = PushStreamClient(rig, as: try await rig.token(for: 1))
        try await client.begin("watch")
        try await client.push(1, .heartRate([(Self.now, 70)]))
        try await client.stream.send(.init(frame: .deviceReport(.init(personID: person, hasLowBattery: true))))
        try await client.stream.finishSending()
        while try await client.frame() != nil {}
        watch.monitor.check(at: Self.now + 60_000_000)
        let told = watch.events.withLock { $0 }.compactMap {
          if case .silence(let notice) = $0 { notice.cause } else { nil }
        }
        #expect(told == causes)
      }
    }
  }
}
