import Domain
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

/// Emergencies as their persons see them.
@Suite(.timeLimit(.minutes(5))) struct EmergencyCallTests {
  private let now = ServiceRig.now

  @Test("an emergency is shown with everything that is known, out of memory before it is stored")
  func get() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let (_, other) = try await rig.member("bea")
      let emergency = Emergency.sample(person)
      let request = Trackme_Sos_V1_GetEmergencyRequest(emergencyID: "\(emergency.id)")
      #expect(await reason { _ = try await rig.sosClient.getEmergency(request, metadata: caller) } == "NO_EMERGENCY")
      rig.desk.put(emergency)
      let shown = try #require(try await rig.sosClient.getEmergency(request, metadata: caller).emergency)
      #expect(shown.emergencyID == "\(emergency.id)" && shown.personID == person && shown.state == .detected)
      #expect(shown.crossings[0].metric == "heart_rate" && shown.crossings[0].holdMs == 3_000)
      #expect(shown.recentVitals[0].unit == "/min" && shown.recentVitals[0].value == 190.5)
      #expect(shown.position?.latitude == 45.4642 && shown.position?.accuracyM == 0)
      #expect(shown.age == 42 && shown.sex == "female" && shown.callbackNumber == "+393331234567")
      #expect(shown.cancellableUntil == .init(now + 600_000_000) && shown.emergencyNumber == "112")
      #expect(await reason { _ = try await rig.sosClient.getEmergency(request, metadata: other) } == "NO_EMERGENCY")
      // What is stored may be older than what is in memory.
      try await rig.storage.emergencies.record(emergency)
      rig.desk.put(emergency.then(.dispatching, at: now + 5))
      #expect(try await rig.sosClient.getEmergency(request, metadata: caller).emergency?.state == .dispatching)
      try await rig.desk.forget(person, archived: [])
      #expect(try await rig.sosClient.getEmergency(request, metadata: caller).emergency?.state == .detected)
      #expect(
        await fields { _ = try await rig.sosClient.getEmergency(.init(emergencyID: "x"), metadata: caller) }
          == ["emergency_id"])
    }
  }

  @Test("the list goes from the newest to the oldest over memory and storage, page by page")
  func list() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let (other, otherCaller) = try await rig.member("bea")
      // Two of one moment among them.
      var all = [0, 1, 1, 2, 3, 4, 5].enumerated().map { place, age in
        var emergency = Emergency.sample(person, at: now - Int64(place))
        emergency.detected = now - Int64(age) * 1_000
        return emergency
      }
      all.sort { ($0.detected, $0.id.high, $0.id.low) > ($1.detected, $1.id.high, $1.id.low) }
      for (place, emergency) in all.enumerated() {
        if place % 3 != 0 { try await rig.storage.emergencies.record(emergency) }
        if place % 3 != 1 { rig.desk.put(emergency) }
      }
      rig.desk.put(.sample(other))
      for size in 1...8 {
        var (found, token): ([String], String) = ([], "")
        repeat {
          let page = try await rig.sosClient.listEmergencies(
            .init(pageSize: Int32(size), pageToken: token), metadata: caller)
          #expect(page.emergencies.count <= size)
          found += page.emergencies.map(\.emergencyID)
          token = page.nextPageToken
        } while !token.isEmpty
        #expect(found == all.map { "\($0.id)" }, "by \(size)")
      }
      let token = try await rig.sosClient.listEmergencies(.init(pageSize: 1), metadata: caller).nextPageToken
      #expect(
        await fields { _ = try await rig.sosClient.listEmergencies(.init(pageToken: token), metadata: otherCaller) }
          == ["page_token"])
      #expect(
        await fields { _ = try await rig.sosClient.listEmergencies(.init(pageSize: -1), metadata: caller) }
          == ["page_size"])
    }
  }

  @Test("a false alarm is passed on once; too late, over, and another's are refused")
  func cancel() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let (_, other) = try await rig.member("bea")
      func cancel(
        _ emergency: Emergency, as caller: Metadata, reason: String = "I am well"
      ) async throws -> Trackme_Sos_V1_Emergency? {
        try await rig.sosClient.cancelEmergency(
          .init(emergencyID: "\(emergency.id)", reason: reason), metadata: caller
        ).emergency
      }
      let emergency = Emergency.sample(person)
      rig.desk.put(emergency)
      #expect(await reason { _ = try await cancel(emergency, as: other) } == "NO_EMERGENCY")
      #expect(
        await fields { _ = try await cancel(emergency, as: caller, reason: String(repeating: "x", count: 501)) }
          == ["reason"])
      let cancelled = try await cancel(emergency, as: caller)
      #expect(cancelled?.state == .cancelled && cancelled?.transitions.last?.note == "I am well")
      #expect(try await cancel(emergency, as: caller) == cancelled)
      #expect(rig.desk.cancellations == ["I am well"])
      // Of long ago: only the database knows it.
      let old = Emergency.sample(person, at: now - 1_000_000, states: [.detected, .cancelled])
      try await rig.storage.emergencies.record(old)
      #expect(try await cancel(old, as: caller)?.state == .cancelled)

      let late = Emergency.sample(person, at: now - 600_000_001)
      rig.desk.put(late)
      let tooLate = await status { _ = try await cancel(late, as: caller) }
      #expect(tooLate?.code == .failedPrecondition && tooLate?.errorInfo?.reason == "TOO_LATE")
      let over = Emergency.sample(person, at: now - 10, states: [.detected, .dispatching, .resolved])
      rig.desk.put(over)
      #expect(await reason { _ = try await cancel(over, as: caller) } == "EMERGENCY_OVER")
      let stored = Emergency.sample(person, at: now - 20, states: [.detected, .dispatching, .resolved])
      try await rig.storage.emergencies.record(stored)
      #expect(await reason { _ = try await cancel(stored, as: caller) } == "EMERGENCY_OVER")
    }
  }

  // WatchEmergencies

  /// The next frame with an emergency.
  private func next(
    _ stream: ResponseStream<Trackme_Sos_V1_WatchEmergenciesResponse>
  ) async throws -> Trackme_Sos_V1_WatchEmergenciesResponse {
    while let frame = try await stream.next() { if frame.emergency != nil { return frame } }
    throw WaitedInVain()
  }

  @Test("a watch begins with what is not over, brings each transition of the caller's, and resumes after a cursor")
  func watch() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let (other, _) = try await rig.member("bea")
      rig.desk.put(.sample(person, at: now - 100, states: [.detected, .cancelled]))
      rig.desk.put(.sample(other, at: now - 50))
      let emergency = Emergency.sample(person, at: now - 40)
      rig.desk.put(emergency)
      let stream = try await rig.sosClient.watchEmergencies(.init(), metadata: caller)
      let first = try #require(try await stream.next())
      #expect(first.emergency?.emergencyID == "\(emergency.id)")
      let standing = try #require(try await stream.next())
      #expect(standing.emergency == nil && !standing.cursor.isEmpty)
      rig.desk.put(.sample(other, at: now - 45))
      rig.desk.put(emergency.then(.dispatching, at: now - 30))
      let second = try await next(stream)
      #expect(second.emergency?.state == .dispatching && second.emergency?.transitions.count == 2)
      rig.desk.put(emergency.then(.dispatching, at: now - 30).then(.accepted, at: now - 20))
      #expect(try await next(stream).emergency?.state == .accepted)
      stream.cancel()
      for cursor in [first.cursor, standing.cursor, second.cursor] {
        let again = try await rig.sosClient.watchEmergencies(.init(cursor: cursor), metadata: caller)
        #expect(try await next(again).emergency?.state == .accepted)
        again.cancel()
      }
    }
  }

  @Test("a watch resumes over storage and memory in the order of transitions, nothing left out or twice")
  func resume() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let day: Microseconds = 86_400_000_000
      let all = (0..<250).map { Emergency.sample(person, at: now - day + Int64($0) * 10) }
      for (place, emergency) in all.enumerated() {
        if place % 5 != 0 { try await rig.storage.emergencies.record(emergency) }
        if place % 5 < 2 { rig.desk.put(emergency) }
      }
      for start in [0, 1, 99, 100, 101, 249] {
        let cursor = rig.seal.cursor(.emergencies, at: all[start].changed - 1)
        let stream = try await rig.sosClient.watchEmergencies(.init(cursor: cursor), metadata: caller)
        var (found, cursors): ([String], [String]) = ([], [])
        while let frame = try await stream.next(), let emergency = frame.emergency {
          found.append(emergency.emergencyID)
          cursors.append(frame.cursor)
        }
        stream.cancel()
        #expect(found == all[start...].map { "\($0.id)" })
        #expect(cursors == all[start...].map { rig.seal.cursor(.emergencies, at: $0.changed) })
      }
      #expect(
        await fields {
          let stream = try await rig.sosClient.watchEmergencies(.init(cursor: "x"), metadata: caller)
          _ = try await stream.next()
        } == ["cursor"])
      let ahead = rig.seal.cursor(.emergencies, at: now + 2 * day)
      #expect(
        await fields {
          let stream = try await rig.sosClient.watchEmergencies(.init(cursor: ahead), metadata: caller)
          _ = try await stream.next()
        } == ["cursor"])
    }
  }

  @Test("a watch has heartbeats, and ends with the session and with the server")
  func ends() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let stream = try await rig.sosClient.watchEmergencies(.init(), metadata: caller)
      let first = try #require(try await stream.next())
      let beating = Task {
        while (try? await Task.sleep(for: .milliseconds(5))) != nil { rig.house.beat(ifWaitingSince: .now) }
      }
      let beat = try #require(try await stream.next())
      #expect(beat == first)
      beating.cancel()
      _ = try await rig.identity.logOut(.init(), metadata: caller)
      #expect(await end(of: stream).0?.errorInfo?.reason == "SESSION_ENDED")
      let again = try await rig.sosClient.watchEmergencies(.init(), metadata: try await rig.logIn("ada").metadata)
      _ = try await again.next()
      rig.house.drain()
      #expect(await end(of: again).0?.code == .unavailable)
    }
  }

  @Test("B-3.7.1: while the database is away, a watch goes on and begins, and emergencies are shown")
  func withoutDatabase() async throws {
    let cluster = try TemporaryCluster()
    defer { cluster.stop() }
    try await withServer(cluster: cluster) { rig in
      let (person, caller) = try await rig.member("ada")
      let emergency = Emergency.sample(person, at: now - 40)
      rig.desk.put(emergency)
      let stream = try await rig.sosClient.watchEmergencies(.init(), metadata: caller)
      let first = try await next(stream)
      cluster.cluster.stop(timeout: .seconds(5))
      rig.desk.put(emergency.then(.dispatching, at: now - 30))
      #expect(try await next(stream).emergency?.state == .dispatching)
      stream.cancel()
      let again = try await rig.sosClient.watchEmergencies(.init(cursor: first.cursor), metadata: caller)
      #expect(try await next(again).emergency?.state == .dispatching)
      again.cancel()
      let shown = try await rig.sosClient.getEmergency(.init(emergencyID: "\(emergency.id)"), metadata: caller)
      #expect(shown.emergency?.state == .dispatching)
      let cancelled = try await rig.sosClient.cancelEmergency(.init(emergencyID: "\(emergency.id)"), metadata: caller)
      #expect(cancelled.emergency?.state == .cancelled)
      _ = try cluster.cluster.start()
    }
  }
}
