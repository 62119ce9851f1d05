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

/// What is more than a person may have is checked all the same, and not kept; and what is not kept does not count.
extension CheckedIngestTests {
  @Test func whatIsTooMuchForAnHourIsCheckedAndNotKept() async throws {
    let watch = Watch()
    try await withServer(quotas: ReadingQuotas(readings: HourQuota(limit: 20)), checking: watch.monitor) { rig in
      for person in [1, 2] as [PersonID] {
        let full = try await rig.record(person, (0..<25).map { (Self.now - 600_000_000 + $0, 60) })
        #expect(full.accepted == 20 && full.rejections.map(\.index) == Array(20..<25))
      }
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, Self.low(1))
      let pushed = try #require(try await client.acknowledgements(1).first)
      let recorded = try await rig.ingestClient.recordReadings(
        .init(readings: Self.rows(2)), metadata: ServiceRig.asOperator)
      for answer in [pushed, try #require(recorded.acknowledgement)] {
        #expect(answer.accepted == 0)
        #expect(answer.rejections.map(\.reason) == [.tooManyInHour, .tooManyInHour])
        #expect(answer.rejections.map(\.field) == ["time_us", "time_us"])
      }
      #expect(watch.called == [1, 2])
      #expect(try rig.storedCount() == 40)
      // The hour before has room.
      #expect(try await rig.record(1, [(Self.now - 3_600_000_000, 60)]).accepted == 1)
    }
  }

  @Test func samplesThatAreTooManyForAnHourAreNotKept() async throws {
    try await withServer(quotas: ReadingQuotas(samples: SampleQuota(limit: 100))) { rig in
      func push(_ sequence: UInt64, _ counts: [UInt32], at time: Int64 = Self.now) async throws -> [Rejection] {
        let rows = counts.enumerated().map { index, count in
          Trackme_Readings_V1_Reading(
            personID: 1, metric: "ecg", timeUs: time - Int64(index),
            value: .waveform(.init(rateHz: 250, samples: Array(repeating: 0.5, count: Int(count)))))
        }
        let answer = try await rig.ingestClient.recordReadings(
          .init(clientID: "ecg", sequence: sequence, readings: rows), metadata: ServiceRig.asOperator)
        return answer.acknowledgement!.rejections.map {
          Rejection(index: Int($0.index), reason: .init(rawValue: $0.reason.rawValue)!, field: $0.field)
        }
      }
      // Sent again, it does not count again.
      for _ in 0..<3 { #expect(try await push(1, [30]) == []) }
      let refused = try await push(2, [40, 50, 30])
      #expect(refused == [Rejection(index: 1, reason: .tooManyInHour, field: "samples")])
      #expect(try await push(3, [100], at: Self.now - 3_600_000_000) == [])
      #expect(try await rig.record(1, [(Self.now, 60)]).accepted == 1)
    }
  }

  @Test func whatIsMoreThanAPersonMayStoreIsCheckedAndNotKept() async throws {
    let watch = Watch()
    try await withServer(quotas: ReadingQuotas(space: StorageQuota(limit: 2_000)), checking: watch.monitor) { rig in
      for person in [1, 2, 5] as [PersonID] {
        let count = person == 5 ? 5 : 1_000
        let all = (0..<count).map { (Self.now - 600_000_000 + Microseconds($0), Double.random(in: 60...70)) }
        #expect(try await rig.record(person, all).accepted == count)
        try await rig.ingest.lookAfterSpace()
      }
      // What is stored is what counts: until it is compacted, nobody is known to have much.
      try await rig.storage.compactor.compactEverything()
      #expect(try await rig.storage.storedBytes(of: 1) > 2_000)
      #expect(try await rig.storage.storedBytes(of: 5) < 1_000)
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      var sequence: UInt64 = 0
      func push(_ columns: Trackme_Readings_V1_ReadingColumns) async throws -> Trackme_Ingest_V1_BatchAcknowledgement {
        sequence += 1
        try await client.push(sequence, columns)
        try await rig.ingest.lookAfterSpace()
        return try #require(try await client.acknowledgements(1).first)
      }
      for person in [1, 2] as [PersonID] {
        try await eventually { try await push(Self.one(person, at: Self.now - 700_000_000, 65)).rejected > 0 }
      }
      #expect(watch.called == [])
      let stored = try rig.storedCount()
      let pushed = try await push(Self.low(1))
      let recorded = try await rig.ingestClient.recordReadings(
        .init(readings: Self.rows(2)), metadata: ServiceRig.asOperator)
      for answer in [pushed, try #require(recorded.acknowledgement)] {
        #expect(answer.accepted == 0)
        #expect(answer.rejections.map(\.reason) == [.tooManyStored, .tooManyStored])
        #expect(answer.rejections.map(\.field) == ["person_id", "person_id"])
      }
      #expect(watch.called == [1, 2])
      #expect(try rig.storedCount() == stored)
      // Others are not concerned.
      #expect(try await rig.record(5, [(Self.now, 60)]).accepted == 1)
    }
  }

  @Test func aBatchThatComesAgainIsNotCountedAgain() async throws {
    try await withServer(quotas: ReadingQuotas(readings: HourQuota(limit: 20))) { rig in
      let request = Trackme_Ingest_V1_RecordReadingsRequest(
        clientID: "scale", sequence: 1, readings: (0..<15).map { Self.rows(1)[0].at(Self.now - $0) })
      for _ in 0..<10 { _ = try await rig.ingestClient.recordReadings(request, metadata: ServiceRig.asOperator) }
      #expect(try await rig.record(1, (100..<105).map { (Self.now - $0, 60) }).accepted == 5)
    }
  }

  /// On a stream too, of readings and of samples.
  @Test func aBatchThatComesAgainOnAnotherStreamIsNotCountedAgain() async throws {
    try await withServer(quotas: ReadingQuotas(readings: HourQuota(limit: 40), samples: SampleQuota(limit: 200))) {
      rig in
      var batch = Trackme_Readings_V1_ReadingColumns.heartRate((0..<14).map { (Self.now - $0, 60) })
      batch.waveforms = .init(
        personID: [1], metric: [8], timeUs: [Self.now], rateHz: [250], sampleCount: [90],
        samples: Array(repeating: 0.5, count: 90))
      for number in 0..<5 {
        let client = PushStreamClient(rig)
        try await client.begin("bridge")
        try await client.push(1, batch)
        let answer = try #require(try await client.acknowledgements(1).first)
        #expect(answer.repeated == (number > 0) && answer.accepted == (number > 0 ? 0 : 15))
      }
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      var more = Trackme_Readings_V1_ReadingColumns.heartRate((100..<124).map { (Self.now - $0, 60) })
      more.waveforms = batch.waveforms
      more.waveforms?.timeUs = [Self.now - 1]
      more.waveforms?.sampleCount = [110]
      more.waveforms?.samples = Array(repeating: 0.5, count: 110)
      try await client.push(2, more)
      #expect(try await client.acknowledgements(1).first?.accepted == 25)
    }
  }

  @Test(arguments: [false, true]) func whatIsNotKeptDoesNotCount(cutOff: Bool) async throws {
    var limits = LogWriter.Limits()
    limits.batches = 1
    let watch = Watch()
    try await withServer(limits: limits, quotas: ReadingQuotas(readings: HourQuota(limit: 20)), checking: watch.monitor)
    { rig in
      func batch(_ sequence: UInt64) -> Trackme_Readings_V1_ReadingColumns {
        .heartRate((0..<4).map { (Self.now - Microseconds(sequence) * 1_000 - $0, 60) })
      }
      let block = try CommitBlock(rig)
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      // One commits and hangs, others wait, the next one finds no room.
      for sequence in UInt64(1)...4 { try await client.push(sequence, batch(sequence)) }
      if cutOff {
        try await eventually {
          rig.storage.writer.monitor.withLock { state in
            state.waiters.values.contains { if case .roomOrStall = $0.condition { true } else { false } }
          }
        }
        let successor = PushStreamClient(rig)
        async let welcome = successor.begin("bridge")
        #expect(await status { while try await client.frame() != nil {} }?.errorInfo?.reason == "SUPERSEDED")
        block.end()
        _ = try await welcome
      } else {
        try await client.push(5, Self.low(3))
        try await eventually {
          rig.ingest.lookAfterStalls()
          return watch.called == [3]
        }
        block.end()
        #expect(
          await status {
            while true {
              rig.ingest.lookAfterStalls()
              guard try await client.frame() != nil else { return }
            }
          }?.errorInfo?.reason == "RESEND")
      }
      let again = PushStreamClient(rig)
      let welcome = try await again.begin("bridge")
      #expect(welcome.lastSequence < 4)
      for sequence in welcome.lastSequence + 1...5 { try await again.push(sequence, batch(sequence)) }
      let answers = try await again.acknowledgements(Int(5 - welcome.lastSequence))
      #expect(answers.allSatisfy { $0.accepted == 4 && $0.rejected == 0 })
    }
  }
}

extension Trackme_Readings_V1_Reading {
  fileprivate func at(_ time: Microseconds) -> Self {
    var reading = self
    reading.timeUs = time
    return reading
  }
}
