import IdentityRules
import RPCRuntime
import ServiceAPI
import Testing
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

/// Asking and deciding (A-R5 to A-R8), over a channel.
@Suite(.timeLimit(.minutes(5))) struct AccessServiceTests {
  @Test func aRequestWaitsUntilThePersonDecidesAndIsThenExactlyThatGrant() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let asked = try await rig.request(
        from: doctor, metrics: ["heart_rate", "steps"], granularity: .minute, from: 60_000_000, to: 120_000_000)
      #expect(asked.state == .pending && asked.personID == 0 && asked.position == 1)
      let seen = try await rig.access.getAccessRequest(
        .init(accessRequestID: asked.accessRequestID), metadata: person.metadata)
      #expect(seen.accessRequest?.thirdPartyName == "A Practice" && seen.accessRequest?.personID == person.account)
      let accepted = try await rig.access.acceptAccessRequest(
        .init(accessRequestID: asked.accessRequestID), metadata: person.metadata)
      #expect(accepted.accessRequest?.scope == asked.scope && accepted.accessRequest?.state == .accepted)
      // A second request is a decision of its own (A-R7).
      _ = try await rig.request(from: doctor, metrics: ["weight"])
      let after = try await rig.access.getAccessRequest(
        .init(accessRequestID: asked.accessRequestID), metadata: doctor.metadata)
      #expect(after.accessRequest?.scope == asked.scope && after.accessRequest?.personID == person.account)
      let again = try await rig.access.acceptAccessRequest(
        .init(accessRequestID: asked.accessRequestID), metadata: person.metadata)
      #expect(again.accessRequest == accepted.accessRequest)
    }
  }

  @Test func othersRequestsAreNotThere() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let (other, stranger) = (try await rig.person(1), try await rig.thirdParty())
      let asked = try await rig.request(from: doctor)
      let id = asked.accessRequestID
      for caller in [other, stranger] {
        let found = await status {
          _ = try await rig.access.getAccessRequest(.init(accessRequestID: id), metadata: caller.metadata)
        }
        #expect(found?.code == .notFound)
        let revoked = await status {
          _ = try await rig.access.revokeAccess(.init(accessRequestID: id), metadata: caller.metadata)
        }
        #expect(revoked?.code == .notFound)
        #expect(try await rig.access.listAccessRequests(.init(), metadata: caller.metadata).accessRequests.isEmpty)
      }
      let accepted = await status {
        _ = try await rig.access.acceptAccessRequest(.init(accessRequestID: id), metadata: doctor.metadata)
      }
      #expect(accepted?.code == .permissionDenied)
      #expect(
        try await rig.access.listAccessRequests(.init(), metadata: person.metadata).accessRequests == [
          try #require(
            try await rig.access.getAccessRequest(.init(accessRequestID: id), metadata: person.metadata).accessRequest)
        ])
    }
  }

  @Test func aMinorAndACodeThatNobodyHasGetOneAnswer() async throws {
    try await withServer { rig in
      _ = try await rig.person(3, isMinor: true)
      let doctor = try await rig.thirdParty()
      func ask(_ code: FiscalCode) async -> RPCStatus? {
        await status {
          _ = try await rig.access.requestAccess(
            .init(
              fiscalCode: code.text, scope: .init(metrics: ["steps"], granularity: .hour), purpose: "study"),
            metadata: doctor.metadata)
        }
      }
      let minor = await ask(try ServiceRig.fiscalCode(3, isMinor: true))
      let nobody = await ask(try ServiceRig.fiscalCode(4))
      #expect(minor?.code == .notFound && minor == nobody)
    }
  }

  @Test func everyFaultOfARequestIsNamed() async throws {
    try await withServer { rig in
      let doctor = try await rig.thirdParty()
      let refused = await status {
        _ = try await rig.access.requestAccess(
          .init(
            requestID: String(repeating: "x", count: 65), fiscalCode: "RSSMRA80A01H501X",
            scope: .init(
              metrics: ["heart_rate", "aura"], from: .init(seconds: 61), to: .init(seconds: 60),
              granularity: .minute)), metadata: doctor.metadata)
      }
      #expect(refused?.code == .invalidArgument)
      #expect(
        Set(refused?.fieldViolations.map(\.field) ?? []) == [
          "request_id", "purpose", "fiscal_code", "scope.metrics[1]", "scope.from", "scope.to",
        ])
      let code = refused?.fieldViolations.first { $0.field == "fiscal_code" }
      #expect(code?.problem == FiscalCodeError.checkCharacter.problem)
      let hidden = await status {
        _ = try await rig.access.requestAccess(
          .init(
            requestID: "a\u{1b}b", fiscalCode: try ServiceRig.fiscalCode(0).text,
            scope: .init(metrics: ["heart_rate"], granularity: .second), purpose: "care\u{8}"),
          metadata: doctor.metadata)
      }
      #expect(hidden?.fieldViolations.map(\.field) == ["request_id", "purpose"])
      let empty = await status { _ = try await rig.access.requestAccess(.init(), metadata: doctor.metadata) }
      #expect(
        Set(empty?.fieldViolations.map(\.field) ?? []) == [
          "purpose", "fiscal_code", "scope.metrics", "scope.granularity",
        ])
    }
  }

  @Test func aRepeatedRequestIDReturnsTheFirstAnswer() async throws {
    try await withServer { rig in
      _ = try await rig.person()
      let doctor = try await rig.thirdParty()
      func ask() async throws -> Int64? {
        try await rig.access.requestAccess(
          .init(
            requestID: "once", fiscalCode: try ServiceRig.fiscalCode(0).text,
            scope: .init(metrics: ["steps"], granularity: .hour), purpose: "study"), metadata: doctor.metadata
        ).accessRequest?.accessRequestID
      }
      let ids = try await withThrowingTaskGroup(of: Int64?.self) { group in
        for _ in 0..<20 { group.addTask { try await ask() } }
        return try await group.reduce(into: Set<Int64?>()) { $0.insert($1) }
      }
      #expect(ids.count == 1 && ids.first! != nil)
    }
  }

  @Test func whoWatchesSeesEveryChangeOnceAndInOrderAcrossReconnects() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let first = try await rig.request(from: doctor)
      var cursor = rig.seal.cursor(.log, at: 0)
      var seen: [Trackme_Sharing_V1_AccessState] = []
      for step in 0..<3 {
        let stream = try await rig.access.watchAccessRequests(.init(cursor: cursor), metadata: person.metadata)
        while seen.count <= step {
          let frame = try #require(try await stream.next())
          cursor = frame.cursor
          if let change = frame.change {
            #expect(change.accessRequestID == first.accessRequestID)
            seen.append(change.state)
          }
        }
        stream.cancel()
        if step == 0 {
          _ = try await rig.access.acceptAccessRequest(
            .init(accessRequestID: first.accessRequestID), metadata: person.metadata)
        } else {
          _ = try await rig.access.revokeAccess(
            .init(accessRequestID: first.accessRequestID), metadata: doctor.metadata)
        }
      }
      #expect(seen == [.pending, .accepted, .withdrawn])
    }
  }

  @Test func anOpenWatchHearsOfAChangeAtOnce() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      for watcher in [person, doctor] {
        let stream = try await rig.access.watchAccessRequests(.init(), metadata: watcher.metadata)
        _ = try await stream.next()
        let asked = try await rig.request(from: doctor)
        #expect(try await stream.next()?.change?.state == .pending)
        _ = try await rig.access.refuseAccessRequest(
          .init(accessRequestID: asked.accessRequestID), metadata: person.metadata)
        #expect(try await stream.next()?.change?.state == .refused)
        stream.cancel()
      }
    }
  }
}
