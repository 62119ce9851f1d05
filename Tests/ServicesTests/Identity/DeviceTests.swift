import Domain
import Postgres
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

/// Devices and bridges: they push, for those who let them, and do nothing else.
@Suite(.timeLimit(.minutes(5))) struct DeviceTests {
  private func readings(of persons: [PersonID], at time: Int64) -> Trackme_Readings_V1_ReadingColumns {
    .init(
      scalars: .init(
        personID: persons, metric: [1], timeUs: persons.indices.map { time + Int64($0) },
        value: persons.map { _ in 60 }))
  }

  private func outcome(
    _ push: PushStreamClient, _ sequence: UInt64, of persons: [PersonID]
  ) async throws -> [UInt32] {
    try await push.push(sequence, readings(of: persons, at: Int64(sequence) * 1_000))
    let acknowledgement = try #require(try await push.acknowledgements(1).first)
    #expect(acknowledgement.rejections.allSatisfy { $0.reason == .notYours })
    return acknowledgement.rejections.map(\.index)
  }

  @Test func aDevicePushesForItsPersonAndDoesNothingElse() async throws {
    try await withServer { rig in
      let person = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let made = try await rig.identity.createDevice(
        .init(requestID: "r", name: "Watch", lifetimeDays: 10), metadata: session.metadata)
      let device = try #require(made.device)
      let token: Metadata = ["authorization": "Bearer \(made.token)"]
      let push = PushStreamClient(rig, as: token)
      try await push.begin("watch")
      #expect(try await outcome(push, 1, of: [person, person + 1]) == [1])

      for path in rig.methods.map(\.path) where !path.hasPrefix("/grpc.") && !path.contains("IngestService") {
        if Authorization.callers(of: path).contains(.anyone) || path.hasSuffix("/ListMetrics") { continue }
        let call = rig.channel.call(path, metadata: token)
        let end = await status {
          try await call.sendLast(RPCMessage([UInt8]()))
          while try await call.next() != nil { call.cancel() }
        }
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "NOT_PERMITTED", "\(path)")
      }

      // Columns have numbers of metrics: whoever pushes may look them up.
      #expect(try await rig.readings.listMetrics(.init(), metadata: token).metrics.contains { $0.name == "heart_rate" })

      let again = await status {
        _ = try await rig.identity.createDevice(.init(requestID: "r", name: "Watch"), metadata: session.metadata)
      }
      #expect(again?.code == .alreadyExists)
      #expect(again?.errorInfo?.metadata.first { $0.key == "device_id" }?.value == String(device.deviceID))
      let told = try rig.connection().query(
        "SELECT count(*) FROM notification WHERE account = $1 AND kind = 2 AND device = $2",
        [.int8(person), .int8(device.deviceID)])
      #expect(try told.int64(0, 0) == 1)

      _ = try await rig.identity.revokeDevice(.init(deviceID: device.deviceID), metadata: session.metadata)
      let end = await status { while try await push.frame() != nil {} }
      #expect(end?.errorInfo?.reason == "SESSION_ENDED")
      #expect(
        await reason { _ = try await rig.ingestClient.recordReadings(.init(), metadata: token) } == "UNAUTHENTICATED")
    }
  }

  @Test func devicesAreListedInPagesAndSeenByTheirPersonAlone() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      _ = try await rig.account("bob")
      let (ada, bob) = (try await rig.logIn("ada").metadata, try await rig.logIn("bob").metadata)
      var made: [Int64] = []
      for index in 0..<5 {
        let device = try await rig.identity.createDevice(.init(name: "Device \(index)"), metadata: ada).device
        made.append(try #require(device).deviceID)
      }
      let first = try await rig.identity.listDevices(.init(pageSize: 3), metadata: ada)
      let second = try await rig.identity.listDevices(
        .init(pageSize: 3, pageToken: first.nextPageToken), metadata: ada)
      #expect((first.devices + second.devices).map(\.deviceID) == made.reversed() && second.nextPageToken.isEmpty)
      #expect(
        await fields {
          _ = try await rig.identity.listDevices(.init(pageToken: first.nextPageToken), metadata: bob)
        } == ["page_token"])
      #expect(try await rig.identity.listDevices(.init(), metadata: bob).devices.isEmpty)
      let end = await status { _ = try await rig.identity.revokeDevice(.init(deviceID: made[0]), metadata: bob) }
      #expect(end?.code == .notFound)
      #expect(
        await fields {
          _ = try await rig.identity.createDevice(
            .init(requestID: String(repeating: "x", count: 65), lifetimeDays: -1), metadata: ada)
        } == ["request_id", "name", "lifetime_days"])
    }
  }

  @Test func aPersonHasAtMostAHundredDevices() async throws {
    try await withServer { rig in
      let person = try await rig.account("ada")
      let ada = try await rig.logIn("ada").metadata
      _ = try rig.connection().query(
        "INSERT INTO device (person, name) SELECT $1, 'x' FROM generate_series(1, 99)", [.int8(person)])
      let (done, refused) = (Counter(), Counter())
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<8 {
          group.addTask {
            let end = await reason { _ = try await rig.identity.createDevice(.init(name: "\(index)"), metadata: ada) }
            if end == nil { done.add(1) }
            if end == "TOO_MANY_DEVICES" { refused.add(1) }
          }
        }
      }
      #expect(done.value == 1 && refused.value == 7)
    }
  }

  @Test func anOperatorsTokenForAPersonWithoutAccountHasNoDevices() async throws {
    try await withServer { rig in
      let own = try await rig.token(for: 5)
      #expect(await reason { _ = try await rig.identity.createDevice(.init(name: "x"), metadata: own) } == "NO_ACCOUNT")
      #expect(await reason { _ = try await rig.identity.getAccount(.init(), metadata: own) } == "NO_ACCOUNT")
      _ = try await rig.account("doctor", kind: .thirdParty)
      let doctor = try await rig.logIn("doctor").metadata
      #expect(
        await reason { _ = try await rig.identity.createDevice(.init(name: "x"), metadata: doctor) } == "NOT_PERMITTED")
      let end = await status { try await PushStreamClient(rig, as: doctor).begin("x") }
      #expect(end?.code == .permissionDenied)
    }
  }

  @Test func aBridgePushesForThoseWhoLetItInAnOpenStreamToo() async throws {
    try await withServer { rig in
      let (ada, bob) = (try await rig.account("ada"), try await rig.account("bob"))
      let (asAda, asBob) = (try await rig.logIn("ada").metadata, try await rig.logIn("bob").metadata)
      let (bridge, token) = try await rig.bridge("Gateway")
      let push = PushStreamClient(rig, as: token)
      try await push.begin("gateway")
      #expect(try await outcome(push, 1, of: [ada, bob]) == [0, 1])
      let allowed = try await rig.identity.allowBridge(.init(bridgeID: bridge), metadata: asAda).bridge
      #expect(allowed?.name == "Gateway")
      #expect(try await outcome(push, 2, of: [ada, bob]) == [1])
      _ = try await rig.identity.allowBridge(.init(bridgeID: bridge), metadata: asBob)
      // Once more changes nothing.
      #expect(try await rig.identity.allowBridge(.init(bridgeID: bridge), metadata: asAda).bridge == allowed)
      #expect(try await outcome(push, 3, of: [ada, bob]) == [])
      _ = try await rig.identity.disallowBridge(.init(bridgeID: bridge), metadata: asAda)
      #expect(try await outcome(push, 4, of: [ada, bob]) == [0])
      #expect(try await rig.identity.listBridges(.init(), metadata: asAda).bridges.isEmpty)
      #expect(try await rig.identity.listBridges(.init(), metadata: asBob).bridges.map(\.bridgeID) == [bridge])

      // What another server changes is seen after the next refresh.
      try await BridgeStore(pool: rig.storage.pool).disallow(bridge, for: bob)
      _ = try await BridgeStore(pool: rig.storage.pool).allow(bridge, for: ada)
      try await rig.storage.bridges.permissions.refresh()
      #expect(try await outcome(push, 5, of: [ada, bob]) == [1])
      try await push.stream.finishSending()
      #expect(try await push.frame() == nil)
    }
  }

  @Test func aBridgeReadsNothingAndEndsWithItsAccount() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let ada = try await rig.logIn("ada").metadata
      let (bridge, token) = try await rig.bridge()
      #expect(try await rig.readings.listMetrics(.init(), metadata: token).metrics.contains { $0.name == "steps" })
      #expect(
        await reason { _ = try await rig.readings.getCurrentStatus(.init(), metadata: token) } == "NOT_PERMITTED")
      #expect(
        await reason { _ = try await rig.identity.allowBridge(.init(bridgeID: 77), metadata: ada) }
          == "UNKNOWN_BRIDGE")
      #expect(await fields { _ = try await rig.identity.allowBridge(.init(), metadata: ada) } == ["bridge_id"])
      let push = PushStreamClient(rig, as: token)
      try await push.begin("gateway")
      _ = try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(bridge)])
      try await rig.live.refresh()
      let end = await status { while try await push.frame() != nil {} }
      #expect(end?.errorInfo?.reason == "SESSION_ENDED")
    }
  }
}
