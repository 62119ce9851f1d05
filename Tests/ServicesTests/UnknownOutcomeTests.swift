import Domain
import Postgres
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

/// What callers are told whose change PostgreSQL has not confirmed: never that it is done.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnknownOutcomeTests {
  /// Breaks off the wait of each commit that waits for the standby, until something has happened: the server's own commits
  /// wait as well. What waits because it has happened goes on waiting.
  private func breakOff(_ cluster: TemporaryCluster, until hasHappened: () throws -> Bool) async throws {
    try await eventually {
      let waiting = try cluster.sessionsAwaitingStandby()
      if try hasHappened() { return true }
      for backend in waiting { try cluster.breakOffWait(of: backend) }
      return false
    }
  }

  @Test func aDeviceWhoseCommitNoStandbyHasIsAnUnknownOutcomeAndTheSameRequestIsAnsweredWhenOneHas() async throws {
    let cluster = try TemporaryCluster()
    try await withServer(cluster: cluster) { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let request = Trackme_Identity_V1_CreateDeviceRequest(requestID: "r", name: "Watch", lifetimeDays: 10)
      try cluster.loseStandby()
      let answers = Answers()
      let create: @Sendable () async -> RPCStatus? = {
        let answer = await status { _ = try await rig.identity.createDevice(request, metadata: session.metadata) }
        answers.add()
        return answer
      }
      let first = Task(operation: create)
      try await breakOff(cluster) { answers.count == 1 }
      let unknown = await first.value
      #expect(unknown?.code == .unavailable && unknown?.errorInfo?.reason == "OUTCOME_UNKNOWN")

      let second = Task(operation: create)
      try await eventually { try !cluster.sessionsAwaitingStandby().isEmpty }
      #expect(answers.count == 1)
      try cluster.regainStandby()
      let again = await second.value
      #expect(again?.errorInfo?.reason == "DEVICE_EXISTS")
      #expect(try rig.connection().query("SELECT count(*) FROM device", []).int64(0, 0) == 1)
    }
  }

  @Test func aConsentWhoseCommitNoStandbyHasIsNeitherAnsweredNorSeen() async throws {
    let cluster = try TemporaryCluster()
    try await withServer(cluster: cluster) { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let asked = try await rig.request(from: doctor)
      try cluster.loseStandby()
      let answers = Answers()
      let accept: @Sendable () async throws -> Trackme_Sharing_V1_AcceptAccessRequestResponse = {
        let answer = try await rig.access.acceptAccessRequest(
          .init(accessRequestID: asked.accessRequestID), metadata: person.metadata)
        answers.add()
        return answer
      }
      let first = Task(operation: accept)
      let watch = try rig.connection()
      let isAccepted = "SELECT FROM access_request WHERE state = 2"
      try await breakOff(cluster) { try watch.query(isAccepted, []).rowCount == 1 }
      // It stands in the database. Once the server has heard that no standby has it, which is when it waits for one again,
      // the person's second try waits like the first.
      try await eventually { try !cluster.sessionsAwaitingStandby().isEmpty }
      let second = Task(operation: accept)
      try await eventually { try cluster.sessionsAwaitingStandby().count >= 2 }
      #expect(answers.count == 0)
      try cluster.regainStandby()
      let (one, two) = (try await first.value, try await second.value)
      #expect(one.accessRequest?.state == .accepted && one.accessRequest == two.accessRequest)
    }
  }
}

/// Counts the calls that have ended.
private final class Answers: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}
