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

/// How many calls tokens and accounts may have open, and that nobody's take the room of others.
@Suite(.timeLimit(.minutes(5))) struct OpenCallsTests {
  private func device(_ rig: ServiceRig, _ name: String, of owner: Metadata) async throws -> (Int64, Metadata) {
    let made = try await rig.identity.createDevice(.init(name: name), metadata: owner)
    return (try #require(made.device).deviceID, ["authorization": "Bearer \(made.token)"])
  }

  private func pushes(_ rig: ServiceRig, _ count: Int, as caller: Metadata) async throws -> [PushStreamClient] {
    var streams: [PushStreamClient] = []
    for index in 0..<count {
      let stream = PushStreamClient(rig, as: caller)
      try await stream.begin("client-\(index)")
      streams.append(stream)
    }
    return streams
  }

  private func isRefused(_ rig: ServiceRig, _ caller: Metadata) async -> Bool {
    await reason { _ = try await rig.ingestClient.recordReadings(.init(), metadata: caller) } == "TOO_MANY_CALLS"
  }

  @Test func whoEndsTheirOwnTokenIsAnsweredWhateverALookSees() async throws {
    try await withServer { rig in
      let looking = Task { while !Task.isCancelled { try await rig.live.refresh() } }
      for index in 0..<20 {
        let person = try await rig.account("ada\(index)")
        let own = try await rig.logIn("ada\(index)").metadata
        switch index % 4 {
        case 0:
          let left = try await rig.identity.deactivateAccount(.init(password: ServiceRig.password), metadata: own)
          #expect(left.receipt != nil)
        case 1: _ = try await rig.identity.logOut(.init(), metadata: own)
        case 2: _ = try await rig.identity.logOut(.init(allSessions: true), metadata: own)
        default:
          // It ends with the password: it is of no session.
          let token = try await rig.token(for: person)
          _ = try await rig.identity.changePassword(
            .init(oldPassword: ServiceRig.password, newPassword: "another horse battery"), metadata: token)
        }
      }
      looking.cancel()
      _ = await looking.result
    }
  }

  @Test func aStolenDeviceTokenLocksNeitherItsOwnerNorOtherDevicesOut() async throws {
    try await withServer { rig in
      let person = try await rig.account("ada")
      let owner = try await rig.logIn("ada").metadata
      let (number, stolen) = try await device(rig, "stolen", of: owner)
      let (_, second) = try await device(rig, "second", of: owner)
      let (_, third) = try await device(rig, "third", of: owner)
      let taken = try await pushes(rig, 64, as: stolen)
      #expect(await isRefused(rig, stolen))
      // Two stolen ones take what there is for devices.
      let others = try await pushes(rig, 64, as: second)
      #expect(await isRefused(rig, second))
      #expect(await isRefused(rig, third))

      let emergency = Emergency.sample(person)
      rig.desk.put(emergency)
      _ = try await rig.sosClient.cancelEmergency(
        .init(emergencyID: "\(emergency.id)", reason: "I am well"), metadata: owner)
      _ = try await rig.identity.revokeDevice(.init(deviceID: number), metadata: owner)
      for stream in taken {
        #expect(await status { while try await stream.frame() != nil {} }?.errorInfo?.reason == "SESSION_ENDED")
      }
      try await eventually { await !isRefused(rig, third) }
      _ = try await rig.identity.deactivateAccount(.init(password: ServiceRig.password), metadata: owner)
      for stream in others {
        #expect(await status { while try await stream.frame() != nil {} }?.errorInfo?.reason == "SESSION_ENDED")
      }
      try await eventually { rig.live.calls.count == 0 }
    }
  }

  @Test func aStolenSessionLeavesRoomForTheOthersAlsoWithNewTokens() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let (stolen, own) = (try await rig.logIn("ada"), try await rig.logIn("ada").metadata)
      var taken: [ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>] = []
      for _ in 0..<64 { taken.append(try await rig.watch(as: stolen.metadata)) }
      let renewed = try #require(
        try await rig.identity.refreshSession(.init(refreshToken: stolen.refreshToken)).session)
      for caller in [stolen.metadata, renewed.metadata] {
        let end = await status { _ = try await rig.identity.getAccount(.init(), metadata: caller) }
        #expect(end?.code == .resourceExhausted && end?.errorInfo?.reason == "TOO_MANY_CALLS")
        #expect(end?.errorInfo?.metadata.map(\.value) == ["64"])
      }
      _ = try await rig.identity.getAccount(.init(), metadata: own)
      _ = try await rig.identity.logOut(.init(allSessions: true), metadata: own)
      for stream in taken { #expect(await end(of: stream).0?.errorInfo?.reason == "SESSION_ENDED") }
      try await eventually { rig.live.calls.count == 0 }
    }
  }

  @Test func callsThatEndMakeRoomInWhateverOrder() async throws {
    try await withServer { rig in
      let own = try await rig.token(for: 5)
      // Keeps the account's entry.
      let first = try await rig.watch(as: own)
      for round in 0..<4 {
        var streams: [ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>] = []
        for _ in 0..<(round == 3 ? 63 : 40) { streams.append(try await rig.watch(as: own)) }
        for stream in round % 2 == 0 ? streams : streams.reversed() { stream.cancel() }
        try await eventually { rig.live.calls.count == 1 }
      }
      first.cancel()
    }
  }
}
