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

/// What holds for every stream that waits, whatever it carries.
@Suite(.timeLimit(.minutes(5))) struct EveryStreamTests {
  /// A stream whose first frame has come.
  private struct Open {
    let name: String
    /// Waits for the next frame; false at an end without a status.
    let next: @Sendable () async throws -> Bool

    init(_ name: String, _ next: @escaping @Sendable () async throws -> Bool) async throws {
      self.name = name
      self.next = next
      #expect(try await next(), "\(name)")
    }
  }

  /// One of each kind.
  private func everyStream(_ rig: ServiceRig) async throws -> [Open] {
    let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
    let grant = try await rig.grant(of: person, to: doctor)
    let readings = try await rig.readings.watchReadings(.init(personID: 1), metadata: ServiceRig.asOperator)
    let requests = try await rig.access.watchAccessRequests(.init(), metadata: person.metadata)
    let inbox = try await rig.notifications.watchNotifications(.init(), metadata: person.metadata)
    let emergencies = try await rig.sosClient.watchEmergencies(.init(), metadata: person.metadata)
    let everyone = SubscriptionClient(rig)
    try await everyone.stream.send(.init(frame: .start(.init())))
    let calls = DispatcherClient(rig, as: try await rig.dispatcher().metadata)
    try await calls.stream.send(.init(frame: .hello(.init())))
    var open = [
      try await Open("readings") { try await readings.next() != nil },
      try await Open("access requests") { try await requests.next() != nil },
      try await Open("inbox") { try await inbox.next() != nil },
      try await Open("emergencies") { try await emergencies.next() != nil },
      try await Open("everyone's readings") { try await everyone.stream.next() != nil },
      try await Open("calls") { try await calls.stream.next() != nil },
    ]
    for cadence in [Trackme_Sharing_V1_Cadence.asProduced, .daily] {
      let made = try #require(
        try await rig.subscriptions.createSubscription(
          .init(accessRequestID: grant.accessRequestID, cadence: cadence), metadata: doctor.metadata
        ).subscription)
      let client = SubscriptionClient(rig, as: doctor.metadata)
      try await client.stream.send(.init(frame: .start(.init(subscriptionID: made.subscriptionID))))
      open.append(try await Open("subscription, \(cadence)") { try await client.stream.next() != nil })
    }
    return open
  }

  @Test func itBeatsWhenItIsSilentAndEndsWithTheServer() async throws {
    try await withServer { rig in
      let streams = try await everyStream(rig)
      try #require(rig.house.streams.count == streams.count)
      let beating = Task {
        while (try? await Task.sleep(for: .milliseconds(5))) != nil { rig.house.beat(ifWaitingSince: .now) }
      }
      for stream in streams { #expect(try await stream.next(), "\(stream.name)") }
      beating.cancel()
      rig.house.drain()
      for stream in streams {
        let end = await status { while try await stream.next() {} }
        #expect(end?.code == .unavailable && end?.errorInfo?.reason == "SHUTTING_DOWN", "\(stream.name)")
      }
      try await eventually { rig.house.streams.count == 0 }
    }
  }
}
