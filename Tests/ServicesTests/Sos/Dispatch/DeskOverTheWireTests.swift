import Domain
import Emergencies
import Glibc
import Places
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

/// The desk and dispatchers' streams together (A-R15, B-R.S4, B-UC.4).
@Suite(.timeLimit(.minutes(5))) struct DeskOverTheWireTests {
  private func withDesk(
    _ name: String = #function, _ body: (ServiceRig, EmergencyDesk) async throws -> Void
  ) async throws {
    let folder = "/tmp/trackme-desk-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    var configuration = DeskConfiguration(directory: folder)
    configuration.takeover = 300_000
    configuration.numberAt = { EmergencyNumbers().number(latitude: $0, longitude: $1) }
    let desk = try EmergencyDesk(configuration: configuration)
    let running = Task { await desk.run() }
    let result: Swift.Result<Void, any Error>
    do {
      try await withServer(name, calls: desk) { try await body($0, desk) }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    running.cancel()
    await running.value
    for file in ["journal", "lock"] { unlink(folder + "/" + file) }
    rmdir(folder)
    try result.get()
  }

  private func detection(person: PersonID = 7) -> Detection {
    let now = wallClock()
    let pulse = Vital(metric: 1, source: 0, time: now, value: 190)
    return Detection(
      person: person, emergency: EmergencyID(person: person, metric: 1, began: now), isFirst: true,
      crossing: Crossing(
        kind: .high, metric: 1, limit: 131, value: 190, began: now, completed: now, hold: 0,
        ruleVersion: "news2-2017.1", readings: [pulse]),
      decided: now, vitals: [pulse], position: LastPosition(latitude: 45.46, longitude: 9.19, accuracy: 8, time: now),
      dateOfBirth: nil, sex: nil, callbackNumber: nil, contacts: [])
  }

  @Test func aCallGoesFromItsDetectionThroughItsAcceptanceToItsEnd() async throws {
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher()
      let client = DispatcherClient(rig, as: party.metadata)
      try await client.begin()
      let detection = detection()
      desk.handle(.detected(detection))
      let call = try await client.notice()
      let id = detection.emergency.description
      #expect(call.kind == .call && call.emergency?.emergencyID == id)
      #expect(call.emergency?.emergencyNumber == "112" && call.emergency?.country == "IT")
      #expect(call.emergency?.status == .exercise && call.text.hasPrefix("EXERCISE"))
      for (answer, state) in [
        (.accepted, .accepted), (.accepted, .accepted), (.enRoute, .enRoute), (.resolved, .resolved),
        (.enRoute, .resolved),
      ] as [(Trackme_Sos_V1_AnswerKind, EmergencyState)] {
        try await client.answer(id, answer, note: "4711")
        try await eventually { desk.emergency(detection.emergency)?.state == state }
      }
      let actors = try #require(desk.emergency(detection.emergency)).transitions.map(\.actor)
      #expect(actors.contains("dispatcher \(party.account)"))
    }
  }

  @Test func aSecondDispatcherIsAskedWhenTheFirstDoesNotAnswerAndTheFirstIsToldWhoHasIt() async throws {
    try await withDesk { rig, desk in
      let first = DispatcherClient(rig, as: try await rig.dispatcher("first", priority: 1).metadata)
      try await first.begin()
      let second = DispatcherClient(rig, as: try await rig.dispatcher("second", priority: 2).metadata)
      try await second.begin()
      let detection = detection()
      desk.handle(.detected(detection))
      #expect(try await first.notice().kind == .call)
      #expect(try await second.notice().kind == .call)
      try await second.answer(detection.emergency.description, .accepted)
      #expect(try await first.notice().kind == .taken)
    }
  }

  @Test func aCallThatWasAcceptedComesAgainAfterAReconnectionAsTheSameIncident() async throws {
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher()
      let detection = detection()
      // Nobody is there: it waits until somebody is.
      desk.handle(.detected(detection))
      for _ in 0..<3 {
        let client = DispatcherClient(rig, as: party.metadata)
        try await client.begin()
        let call = try await client.notice()
        #expect(call.kind == .call && call.emergency?.emergencyID == detection.emergency.description)
        try await client.answer(detection.emergency.description, .accepted)
        try await eventually { desk.emergency(detection.emergency)?.state == .accepted }
        client.stream.cancel()
      }
    }
  }

  @Test func aCancelledCallIsToldToTheOneWhoHasIt() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      let detection = detection()
      desk.handle(.detected(detection))
      _ = try await client.notice()
      try await client.answer(detection.emergency.description, .accepted)
      try await eventually { desk.emergency(detection.emergency)?.state == .accepted }
      guard case .cancelled = await desk.cancel(detection.emergency, by: 7, reason: "the tram") else {
        Issue.record("it can't be cancelled")
        return
      }
      let notice = try await client.notice()
      #expect(notice.kind == .cancel && notice.emergency?.transitions.last?.note == "the tram")
    }
  }
}
