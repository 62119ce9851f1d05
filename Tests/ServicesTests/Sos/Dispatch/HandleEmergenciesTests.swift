import Emergencies
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
@testable import Postgres
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Calls reach the systems of emergency services (A-R15, B-R.S4).
@Suite(.timeLimit(.minutes(5))) struct HandleEmergenciesTests {
  private let emergency = Emergency.example()

  private func withDesk(
    _ name: String = #function, cluster: TemporaryCluster? = nil,
    _ body: (ServiceRig, RecordingDesk) async throws -> Void
  ) async throws {
    let desk = RecordingDesk(known: emergency.id)
    try await withServer(name, cluster: cluster, calls: desk) { rig in
      try await body(rig, desk)
      await rig.channel.close()
      try await eventually { rig.dispatch.streamCount == 0 && desk.streams.isEmpty }
    }
  }

  @Test func aCallComesWithEverythingAndItsAnswersReachTheDesk() async throws {
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher(priority: 17)
      let client = DispatcherClient(rig, as: party.metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      #expect(desk.streams[0].account == party.account)
      #expect(desk.streams[0].priority == 17)
      try desk.tell(.call, emergency, text: "EXERCISE")
      let notice = try await client.notice()
      #expect(notice.kind == .call)
      #expect(notice.text == "EXERCISE")
      let now = ServiceRig.now
      let vital = Trackme_Sos_V1_Vital(metric: "heart_rate", value: 190, unit: "/min", timeUs: now)
      #expect(
        notice.emergency
          == .init(
            emergencyID: emergency.id.description, personID: 7, state: .dispatching, status: .exercise,
            detectedUs: now + 3_100_000,
            crossings: [
              .init(
                kind: .high, metric: "heart_rate", limit: 131, value: 191, beganUs: now, completedUs: now + 3_000_000,
                holdMs: 3_000, ruleVersion: "news2-2017.1", readings: [vital])
            ], recentVitals: [vital],
            position: .init(latitude: 45.46, longitude: 9.19, accuracyM: 12, timeUs: now), age: 71, sex: "female",
            callbackNumber: "+393331234567", emergencyNumber: "112", country: "IT",
            transitions: [.init(state: .dispatching, atUs: now + 3_200_000, actor: "evaluator", note: "n")],
            cancellableUntil: .init(seconds: (now + 3_100_000) / 1_000_000 + 600, nanos: 100_000_000)))
      let id = emergency.id.description
      let kinds: [(Trackme_Sos_V1_AnswerKind, DispatcherAnswer)] = [
        (.accepted, .accepted), (.refused, .refused), (.enRoute, .enRoute), (.resolved, .resolved),
        (.falseAlarm, .falseAlarm),
      ]
      for (kind, _) in kinds { try await client.answer(id, kind, note: "unit 4\nis out") }
      try await eventually { desk.answers.count == kinds.count }
      #expect(
        desk.answers
          == kinds.map { .answered(emergency.id, $0.1, note: "unit 4\nis out", by: party.account) })
    }
  }

  @Test func whatIsNotKnownIsSentAsAbsent() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      var unknown = emergency
      (unknown.age, unknown.sex, unknown.position, unknown.callbackNumber) = (nil, nil, nil, nil)
      unknown.country = ""
      unknown.crossings[0].kind = .score
      unknown.crossings[0].metric = 0
      try await eventually { desk.streams.count == 1 }
      try desk.tell(.call, unknown)
      let message = try #require(try await client.notice().emergency)
      #expect(message.age == -1 && message.sex == "" && message.position == nil && message.callbackNumber == "")
      #expect(message.country == "" && message.crossings[0].metric == "" && message.crossings[0].kind == .score)
    }
  }

  /// A client that does not read for a while gets what is newest, once for each emergency.
  @Test func aNoticeReplacesTheOneThatWasNotSent() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      // The first two fill what flow control lets through; the third one waits.
      let filler = String(repeating: "x", count: 8 << 20)
      for person in 101...103 { try desk.tell(.call, .example(person: Int64(person)), text: filler) }
      let (other, third) = (Emergency.example(person: 8), Emergency.example(person: 9))
      try desk.tell(.call, emergency, text: "old")
      try desk.tell(.call, other, text: "first")
      try desk.tell(.update, emergency, text: "new")
      try desk.tell(.call, third, text: "only")
      try desk.tell(.taken, other, text: "gone")
      for person in 101...103 { #expect(try await client.notice().emergency?.personID == Int64(person)) }
      var got: [DispatcherClient.Response] = []
      for _ in 0..<3 { got.append(try await client.notice()) }
      #expect(got.map(\.text) == ["new", "gone", "only"])
      // News about a call that was not seen are a call: otherwise nobody would accept it.
      #expect(got.map(\.kind) == [.call, .taken, .call])
      #expect(got.map(\.emergency?.emergencyID) == [emergency, other, third].map(\.id.description))
      // After it was sent, it is told again.
      try desk.tell(.update, emergency, text: "news")
      #expect(try await client.notice().kind == .update)
    }
  }

  @Test func aStreamThatNeverReadsEndsBeforeTooMuchWaits() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      let filler = String(repeating: "x", count: 8 << 20)
      for person in 1...3 { try desk.tell(.call, .example(person: Int64(person)), text: filler) }
      let stream = try #require(desk.streams.last)
      for person in 0..<DispatcherStream.maxWaiting + 10 {
        stream.tell(.init(kind: .call, emergency: .example(person: Int64(1_000 + person)), text: ""))
      }
      // The desk is told, so that others are asked.
      try await eventually { desk.streams.isEmpty }
      let end = await client.end()
      #expect(end?.code == .resourceExhausted && end?.errorInfo?.reason == "TOO_SLOW")
    }
  }

  @Test func aNewerStreamOfTheSameDispatcherEndsTheOlderOne() async throws {
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher()
      let other = DispatcherClient(rig, as: try await rig.dispatcher("other").metadata)
      try await other.begin()
      let older = DispatcherClient(rig, as: party.metadata)
      try await older.begin()
      try await eventually { desk.streams.count == 2 }
      let first = ObjectIdentifier(desk.streams[1])
      let newer = DispatcherClient(rig, as: party.metadata)
      try await newer.begin()
      let end = await older.end()
      #expect(end?.code == .aborted && end?.errorInfo?.reason == "SUPERSEDED")
      try await eventually { desk.events.count == 4 }
      // The desk never has both, and the older one's end does not disconnect the newer one.
      let second = ObjectIdentifier(desk.streams[1])
      #expect(desk.events.dropFirst() == [.connected(first), .disconnected(first), .connected(second)])
      try desk.tell(.call, emergency)
      #expect(try await newer.notice().kind == .call)
      #expect(desk.streams.count == 2)
    }
  }

  @Test(arguments: [
    ("no frame", Trackme_Sos_V1_HandleEmergenciesRequest(), "hello"),
    ("an answer", .init(frame: .answer(.init(emergencyID: "x", kind: .accepted))), "hello"),
    ("a long system", .init(frame: .hello(.init(system: String(repeating: "é", count: 101)))), "hello.system"),
    ("a system with a line end", .init(frame: .hello(.init(system: "a\nb"))), "hello.system"),
  ]) func aStreamBeginsWithAHello(_ name: String, _ request: DispatcherClient.Request, _ field: String) async throws {
    try await withDesk("hello_\(name.utf8.count)") { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.stream.send(request)
      #expect(await fields { while try await client.stream.next() != nil {} } == [field])
      #expect(desk.events.isEmpty)
    }
  }

  @Test func aBadAnswerEndsTheStreamAndNamesTheFields() async throws {
    let id = emergency.id.description
    let bad: [(DispatcherClient.Request, [String])] = [
      (.init(), ["answer"]), (.init(frame: .hello(.init())), ["answer"]),
      (.init(frame: .answer(.init())), ["answer.emergency_id", "answer.kind"]),
      (.init(frame: .answer(.init(emergencyID: id, kind: .unrecognized(6)))), ["answer.kind"]),
      (.init(frame: .answer(.init(emergencyID: id + "0", kind: .accepted))), ["answer.emergency_id"]),
      (
        .init(
          frame: .answer(.init(emergencyID: id, kind: .accepted, note: String(repeating: "n", count: 501)))),
        ["answer.note"]
      ),
      (.init(frame: .answer(.init(emergencyID: id, kind: .accepted, note: "a\u{1}b"))), ["answer.note"]),
    ]
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher()
      for (request, expected) in bad {
        let client = DispatcherClient(rig, as: party.metadata)
        try await client.begin()
        try await client.stream.send(request)
        #expect(await fields { while try await client.stream.next() != nil {} } == expected)
        try await eventually { desk.streams.isEmpty }
      }
      #expect(desk.answers.isEmpty)
    }
  }

  @Test func anAnswerAboutAnUnknownEmergencyChangesNothing() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await client.answer(EmergencyID(person: 1, metric: 2, began: 3).description, .accepted)
      try await eventually { desk.answers.count == 1 }
      try desk.tell(.call, emergency)
      #expect(try await client.notice().emergency?.emergencyID == emergency.id.description)
    }
  }

  @Test func aDispatcherThatSendsNoMoreIsGone() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      try await client.stream.finishSending()
      #expect(await client.end() == nil)
      try await eventually { desk.streams.isEmpty }
    }
  }

  @Test func aDispatcherThatVanishesIsDisconnected() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      client.stream.cancel()
      try await eventually { desk.streams.isEmpty }
    }
  }

  @Test func theStreamEndsWithTheDispatchersToken() async throws {
    try await withDesk { rig, desk in
      let party = try await rig.dispatcher()
      let client = DispatcherClient(rig, as: party.metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      #expect(try await StaffAccounts(pool: rig.storage.pool).end(.dispatcher, party.account))
      rig.live.end(.account(party.account))
      let end = await client.end()
      #expect(end?.code == .unauthenticated && end?.errorInfo?.reason == "SESSION_ENDED")
      try await eventually { desk.streams.isEmpty }
      #expect(await DispatcherClient(rig, as: party.metadata).end()?.code == .unauthenticated)
    }
  }

  @Test func aSilentStreamBeatsAndADrainingServerEndsIt() async throws {
    try await withDesk { rig, desk in
      let client = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      let beating = Task {
        while (try? await Task.sleep(for: .milliseconds(5))) != nil { rig.house.beat(ifWaitingSince: .now) }
      }
      #expect(try await client.stream.next() == .init())
      #expect(try await client.stream.next() == .init())
      beating.cancel()
      rig.house.drain()
      let end = await client.end()
      #expect(end?.code == .unavailable && end?.errorInfo?.reason == "SHUTTING_DOWN")
      let late = DispatcherClient(rig, as: try await rig.dispatcher("late").metadata)
      try await late.stream.send(.init(frame: .hello(.init())))
      #expect(await late.end()?.errorInfo?.reason == "SHUTTING_DOWN")
    }
  }

  @Test func onlyDispatchersTakeCallsAndTheyCanDoNothingElse() async throws {
    try await withDesk { rig, desk in
      let (_, bridge) = try await rig.bridge()
      for caller in [
        ServiceRig.asOperator, try await rig.person().metadata, try await rig.thirdParty().metadata, bridge,
      ] {
        let client = DispatcherClient(rig, as: caller)
        try? await client.stream.send(.init(frame: .hello(.init())))
        let end = await client.end()
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "NOT_PERMITTED")
      }
      #expect(desk.events.isEmpty)
      let dispatcher = try await rig.dispatcher().metadata
      let paths = rig.methods.map(\.path).filter {
        !$0.hasPrefix("/grpc.") && !Authorization.callers(of: $0).contains(.anyone) && !$0.contains("DispatchService")
      }
      #expect(paths.count > 40)
      for path in paths {
        let end = await status {
          let call = rig.channel.call(path, metadata: dispatcher)
          try await call.sendLast(RPCMessage([UInt8]()))
          while try await call.next() != nil {}
        }
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "NOT_PERMITTED", "\(path)")
      }
    }
  }

  /// Calls are made while the database is gone, so a dispatcher that was here before must be able to come back.
  @Test func aKnownDispatcherConnectsWhileTheDatabaseIsGone() async throws {
    let cluster = try TemporaryCluster()
    defer { cluster.stop() }
    try await withDesk(cluster: cluster) { rig, desk in
      let party = try await rig.dispatcher(priority: 3)
      let ended = try await rig.dispatcher("ended")
      for one in [party, ended] {
        let client = DispatcherClient(rig, as: one.metadata)
        try await client.begin()
        client.stream.cancel()
      }
      #expect(try await StaffAccounts(pool: rig.storage.pool).end(.dispatcher, ended.account))
      rig.live.end(.account(ended.account))
      let stranger = try await rig.dispatcher("stranger")
      try await eventually { desk.streams.isEmpty }
      cluster.cluster.stop(timeout: .seconds(5))
      // What is remembered for a moment is over.
      try await Task.sleep(for: .seconds(2.1))
      let client = DispatcherClient(rig, as: party.metadata)
      try await client.begin()
      try await eventually { desk.streams.count == 1 }
      #expect(desk.streams[0].priority == 3)
      for one in [ended, stranger] {
        let refused = DispatcherClient(rig, as: one.metadata)
        try? await refused.stream.send(.init(frame: .hello(.init())))
        #expect(await refused.end()?.code == .unavailable)
      }
      client.stream.cancel()
      _ = try cluster.cluster.start()
    }
  }
}
