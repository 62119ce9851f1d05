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

/// One small batch, row by row.
@Suite(.timeLimit(.minutes(5))) struct RecordReadingsTests {
  private func row(_ time: Int64, _ value: Double = 60) -> Trackme_Readings_V1_Reading {
    .init(personID: 1, metric: "heart_rate", timeUs: time, value: .scalar(value))
  }

  private func record(
    _ rig: ServiceRig, _ request: Trackme_Ingest_V1_RecordReadingsRequest, as caller: Metadata = ServiceRig.asOperator
  ) async throws -> Trackme_Ingest_V1_BatchAcknowledgement {
    try #require(try await rig.ingestClient.recordReadings(request, metadata: caller).acknowledgement)
  }

  @Test func aNumberedBatchThatComesAgainIsARepeat() async throws {
    try await withServer { rig in
      let request = Trackme_Ingest_V1_RecordReadingsRequest(clientID: "scale", sequence: 4, readings: [row(1), row(2)])
      #expect(try await record(rig, request) == .init(sequence: 4, position: 1, accepted: 2))
      let again = try await record(rig, request)
      #expect(again.repeated && again.accepted == 0 && again.position >= 1)
      #expect(try rig.storedCount() == 2)
      // A stream of the same client counts on.
      #expect(try await PushStreamClient(rig).begin("scale").lastSequence == 4)
    }
  }

  @Test func anUncountedBatchThatComesAgainCountsOnceInEveryAnswer() async throws {
    try await withServer { rig in
      #expect(try await rig.record(1, [(1, 60)]).position == 1)
      #expect(try await rig.record(1, [(1, 61)]).position == 2)
      let rows = try await rig.readings.listReadings(.init(personID: 1), metadata: ServiceRig.asOperator).readings
      #expect(rows == [.init(personID: 1, metric: "heart_rate", timeUs: 1, value: .scalar(61))])
    }
  }

  @Test func rejectionsCountTheRowsOfTheRequest() async throws {
    try await withServer { rig in
      let request = Trackme_Ingest_V1_RecordReadingsRequest(readings: [
        .init(personID: 1, metric: "ecg", timeUs: 1, value: .waveform(.init(rateHz: 0, samples: [1]))),
        row(2, .nan),
        .init(personID: 1, metric: "position", timeUs: 3, value: .position(.init(latitude: 45, longitude: 9))),
        .init(personID: 1, metric: "unheard_of", timeUs: 4, value: .scalar(1)),
        .init(personID: 1, metric: "position", timeUs: 5, value: .position(.init(latitude: 45, longitude: 999))),
        row(6),
        .init(
          personID: 1, metric: "heart_rate", source: String(repeating: "x", count: 65), timeUs: 7, value: .scalar(1)),
      ])
      let acknowledgement = try await record(rig, request)
      #expect(acknowledgement.accepted == 2 && acknowledgement.rejected == 5)
      #expect(
        acknowledgement.rejections == [
          .init(index: 0, reason: .invalidWaveform, field: "rate_hz"),
          .init(index: 1, reason: .notANumber, field: "value"),
          .init(index: 3, reason: .unknownMetric, field: "metric"),
          .init(index: 4, reason: .outOfRange, field: "longitude"),
          .init(index: 6, reason: .invalidSource, field: "source"),
        ])
    }
  }

  @Test func aReadingWithoutAValueIsRefusedAndTheOthersLand() async throws {
    try await withServer { rig in
      let request = Trackme_Ingest_V1_RecordReadingsRequest(readings: [
        row(1), .init(personID: 1, metric: "heart_rate", timeUs: 2), row(3),
      ])
      let acknowledgement = try await record(rig, request)
      #expect(acknowledgement.accepted == 2)
      #expect(acknowledgement.rejections == [.init(index: 1, reason: .notANumber, field: "value")])
    }
  }

  @Test func aRequestThatMakesNoSenseNamesItsField() async throws {
    try await withServer { rig in
      let cases: [(String, Trackme_Ingest_V1_RecordReadingsRequest)] = [
        ("readings", .init()),
        ("readings", .init(readings: Array(repeating: row(1), count: 1_001))),
        ("client_id", .init(clientID: "a b", sequence: 1, readings: [row(1)])),
        ("sequence", .init(clientID: "a", readings: [row(1)])),
        ("sequence", .init(clientID: "a", sequence: 1 << 63, readings: [row(1)])),
        ("sequence", .init(sequence: 1, readings: [row(1)])),
      ]
      for (field, request) in cases { #expect(await fields { _ = try await record(rig, request) } == [field]) }
      let largest = try await record(rig, .init(readings: (0..<1_000).map { row($0) }))
      #expect(largest.accepted == 1_000)
    }
  }

  /// Guarantee 1, read back: whoever has an acknowledgement finds the readings.
  @Test func whatIsAcknowledgedIsInTheNextAnswer() async throws {
    try await withServer { rig in
      for time in 1...150 as ClosedRange<Int64> {
        try await rig.record(1, [(time, 60)])
        let request = Trackme_Readings_V1_ListReadingsRequest(personID: 1, pageSize: 1)
        let newest = try await rig.readings.listReadings(request, metadata: ServiceRig.asOperator).readings
        #expect(newest.map(\.timeUs) == [time])
        if time % 40 == 0 { try await rig.storage.compactor.compactEverything() }
      }
    }
  }

  @Test func callsOfOneClientAtOnceAreEachAnswered() async throws {
    try await withServer { rig in
      let block = try CommitBlock(rig)
      async let first = record(rig, .init(clientID: "scale", sequence: 1, readings: [row(1)]))
      try await eventually {
        rig.storage.writer.monitor.withLock { $0.sessions["operator/scale"]?.lastQueued == 1 }
      }
      // The same batch again, by a client that did not wait for its answer.
      async let second = record(rig, .init(clientID: "scale", sequence: 1, readings: [row(1)]))
      try await eventually {
        rig.storage.writer.monitor.withLock { $0.sessions["operator/scale"]?.isSuperseded == true }
      }
      block.end()
      let answers = try await [first, second]
      #expect(answers.map(\.accepted) == [1, 0] && answers.map(\.repeated) == [false, true])
      #expect(try rig.storedCount() == 1)
    }
  }

  @Test func manyAtOnceAreAllCommitted() async throws {
    try await withServer { rig in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for person in 1...100 as ClosedRange<PersonID> { group.addTask { try await rig.record(person, [(1, 60)]) } }
        try await group.waitForAll()
      }
      #expect(try rig.storedCount() == 100)
    }
  }
}
