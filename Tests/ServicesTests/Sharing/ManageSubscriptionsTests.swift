import Domain
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

/// What third parties order, change and cancel (A-R11, A-R12).
@Suite(.timeLimit(.minutes(5))) struct ManageSubscriptionsTests {
  private typealias Create = Trackme_Sharing_V1_CreateSubscriptionRequest

  @Test func aSubscriptionIsMadeOnceListedChangedAndCancelled() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let grant = try await rig.grant(of: person, to: doctor, metrics: ["heart_rate", "steps"])
      let order = Create(
        requestID: "one", accessRequestID: grant.accessRequestID, cadence: .daily, timeZone: "Europe/Rome")
      let made = try #require(
        try await rig.subscriptions.createSubscription(order, metadata: doctor.metadata).subscription)
      #expect(made.metrics == ["heart_rate", "steps"] && made.cadence == .daily && made.ended == nil)
      #expect(made.created == .init(ServiceRig.now))
      // Midnight in Rome after 2023-11-14 22:13:20 UTC.
      #expect(made.nextDigest == .init(seconds: 1_700_002_800))
      let again = try await rig.subscriptions.createSubscription(order, metadata: doctor.metadata)
      #expect(again.subscription == made)
      let live = try #require(
        try await rig.subscriptions.createSubscription(
          .init(accessRequestID: grant.accessRequestID, metrics: ["steps"], cadence: .asProduced),
          metadata: doctor.metadata
        ).subscription)
      #expect(live.nextDigest == nil && live.timeZone == "UTC" && live.metrics == ["steps"])

      let first = try await rig.subscriptions.listSubscriptions(.init(pageSize: 1), metadata: doctor.metadata)
      #expect(first.subscriptions == [live])
      let rest = try await rig.subscriptions.listSubscriptions(
        .init(pageSize: 1, pageToken: first.nextPageToken), metadata: doctor.metadata)
      #expect(rest.subscriptions == [made] && rest.nextPageToken.isEmpty)
      #expect(
        await fields {
          _ = try await rig.subscriptions.listSubscriptions(
            .init(activeOnly: true, pageToken: first.nextPageToken), metadata: doctor.metadata)
        } == ["page_token"])

      let changed = try #require(
        try await rig.subscriptions.updateSubscription(
          .init(subscriptionID: made.subscriptionID, etag: made.etag, metrics: ["steps"], cadence: .hourly),
          metadata: doctor.metadata
        ).subscription)
      #expect(changed.cadence == .hourly && changed.metrics == ["steps"] && changed.timeZone == "Europe/Rome")
      #expect(changed.etag != made.etag)
      let stale = await status {
        _ = try await rig.subscriptions.updateSubscription(
          .init(subscriptionID: made.subscriptionID, etag: made.etag, cadence: .weekly), metadata: doctor.metadata)
      }
      #expect(stale?.code == .aborted && stale?.errorInfo?.reason == "STALE_ETAG")
      let fixed = await status {
        _ = try await rig.subscriptions.updateSubscription(
          .init(subscriptionID: made.subscriptionID, etag: changed.etag, cadence: .asProduced),
          metadata: doctor.metadata)
      }
      #expect(fixed?.code == .failedPrecondition && fixed?.errorInfo?.reason == "DELIVERY_FIXED")

      let cancelled = try await rig.subscriptions.cancelSubscription(
        .init(subscriptionID: made.subscriptionID), metadata: doctor.metadata)
      #expect(cancelled.subscription?.ended == .init(ServiceRig.now) && cancelled.subscription?.nextDigest == nil)
      let twice = try await rig.subscriptions.cancelSubscription(
        .init(subscriptionID: made.subscriptionID), metadata: doctor.metadata)
      #expect(twice == cancelled)
      let active = try await rig.subscriptions.listSubscriptions(.init(activeOnly: true), metadata: doctor.metadata)
      #expect(active.subscriptions == [live])
      let ended = await status {
        _ = try await rig.subscriptions.updateSubscription(
          .init(subscriptionID: made.subscriptionID, etag: changed.etag), metadata: doctor.metadata)
      }
      #expect(ended?.errorInfo?.reason == "SUBSCRIPTION_ENDED")
    }
  }

  @Test func everyBadFieldIsNamed() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let grant = try await rig.grant(of: person, to: doctor, metrics: ["heart_rate"])
      #expect(
        await fields {
          _ = try await rig.subscriptions.createSubscription(
            .init(
              requestID: String(repeating: "x", count: 65), accessRequestID: grant.accessRequestID,
              metrics: ["heart_rate", "steps", "' OR 1=1"], cadence: .unrecognized(9), timeZone: "Rome"),
            metadata: doctor.metadata)
        } == ["request_id", "metrics[1]", "metrics[2]", "cadence", "time_zone"])
      #expect(
        await fields {
          _ = try await rig.subscriptions.createSubscription(
            .init(accessRequestID: grant.accessRequestID), metadata: doctor.metadata)
        } == ["cadence"])
      let made = try #require(
        try await rig.subscriptions.createSubscription(
          .init(accessRequestID: grant.accessRequestID, cadence: .weekly), metadata: doctor.metadata
        ).subscription)
      #expect(
        await fields {
          _ = try await rig.subscriptions.updateSubscription(
            .init(
              subscriptionID: made.subscriptionID, metrics: ["steps"], cadence: .unrecognized(-1),
              timeZone: String(repeating: "Z", count: 10_000)), metadata: doctor.metadata)
        } == ["etag", "metrics[0]", "cadence", "time_zone"])
    }
  }

  @Test func onlyAThirdPartyOnAGrantOfItsOwnThatStands() async throws {
    try await withServer { rig in
      let (person, doctor, other) = (try await rig.person(), try await rig.thirdParty(), try await rig.thirdParty())
      let pending = try await rig.request(from: doctor)
      func create(_ caller: Metadata, on request: Int64) async -> RPCStatus? {
        await status {
          _ = try await rig.subscriptions.createSubscription(
            .init(accessRequestID: request, cadence: .daily), metadata: caller)
        }
      }
      #expect(await create(person.metadata, on: pending.accessRequestID)?.code == .permissionDenied)
      #expect(await create(ServiceRig.asOperator, on: pending.accessRequestID)?.code == .permissionDenied)
      #expect(await create([:], on: pending.accessRequestID)?.code == .unauthenticated)
      #expect(await create(other.metadata, on: pending.accessRequestID)?.code == .notFound)
      #expect(await create(doctor.metadata, on: .max)?.code == .notFound)
      #expect(await create(doctor.metadata, on: pending.accessRequestID)?.code == .failedPrecondition)
      _ = try await rig.access.acceptAccessRequest(
        .init(accessRequestID: pending.accessRequestID), metadata: person.metadata)
      let made = try #require(
        try await rig.subscriptions.createSubscription(
          .init(accessRequestID: pending.accessRequestID, cadence: .daily), metadata: doctor.metadata
        ).subscription)
      for caller in [other.metadata, doctor.metadata] {
        let id = caller == other.metadata ? made.subscriptionID : -1
        #expect(
          await status {
            _ = try await rig.subscriptions.updateSubscription(
              .init(subscriptionID: id, etag: "1"), metadata: caller)
          }?.code == .notFound)
        #expect(
          await status {
            _ = try await rig.subscriptions.cancelSubscription(.init(subscriptionID: id), metadata: caller)
          }?.code == .notFound)
      }
      for _ in 1..<20 { #expect(await create(doctor.metadata, on: pending.accessRequestID) == nil) }
      let full = await create(doctor.metadata, on: pending.accessRequestID)
      #expect(full?.code == .resourceExhausted && full?.errorInfo?.reason == "TOO_MANY_SUBSCRIPTIONS")
      // The end of the grant is the end of its subscriptions.
      _ = try await rig.access.revokeAccess(
        .init(accessRequestID: pending.accessRequestID), metadata: person.metadata)
      let listed = try await rig.subscriptions.listSubscriptions(.init(), metadata: doctor.metadata)
      #expect(listed.subscriptions.count == 20 && listed.subscriptions.allSatisfy { $0.ended != nil })
      #expect(await create(doctor.metadata, on: pending.accessRequestID)?.errorInfo?.reason == "ACCESS_STATE")
    }
  }

  @Test func openStreamsEndWhenTheirSubscriptionIsCancelledOrChanged() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let grant = try await rig.grant(of: person, to: doctor)
      for cadence in [Trackme_Sharing_V1_Cadence.asProduced, .daily] {
        let made = try #require(
          try await rig.subscriptions.createSubscription(
            .init(accessRequestID: grant.accessRequestID, cadence: cadence), metadata: doctor.metadata
          ).subscription)
        let changed = SubscriptionClient(rig, as: doctor.metadata)
        try await changed.begin(.init(subscriptionID: made.subscriptionID))
        _ = try await rig.subscriptions.updateSubscription(
          .init(subscriptionID: made.subscriptionID, etag: made.etag), metadata: doctor.metadata)
        if cadence == .asProduced {
          let end = await changed.end()
          #expect(end?.code == .aborted && end?.errorInfo?.reason == "SUBSCRIPTION_CHANGED")
        }
        let open = SubscriptionClient(rig, as: doctor.metadata)
        try await open.begin(.init(subscriptionID: made.subscriptionID))
        let began = ContinuousClock.now
        _ = try await rig.subscriptions.cancelSubscription(
          .init(subscriptionID: made.subscriptionID), metadata: doctor.metadata)
        #expect(await open.end()?.errorInfo?.reason == "SUBSCRIPTION_ENDED")
        #expect(.now - began < .seconds(10))
        if cadence == .daily { #expect(await changed.end()?.errorInfo?.reason == "SUBSCRIPTION_ENDED") }
        let late = SubscriptionClient(rig, as: doctor.metadata)
        try await late.stream.send(.init(frame: .start(.init(subscriptionID: made.subscriptionID))))
        #expect(await late.end()?.errorInfo?.reason == "SUBSCRIPTION_ENDED")
      }
    }
  }

  @Test func whatAnotherServerCancelsOrChangesIsSeenToo() async throws {
    try await withServer { rig in
      let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
      let grant = try await rig.grant(of: person, to: doctor)
      let watch = SubscriptionWatch()
      var gates: [SubscriptionGate] = []
      for _ in 0..<3 {
        let made = try #require(
          try await rig.subscriptions.createSubscription(
            .init(accessRequestID: grant.accessRequestID, cadence: .daily), metadata: doctor.metadata
          ).subscription)
        let gate = SubscriptionGate(made.subscriptionID)
        gate.follow(1)
        watch.open(gate)
        gates.append(gate)
      }
      try await watch.refresh(rig.storage.subscriptions.versions)
      _ = try await rig.subscriptions.cancelSubscription(
        .init(subscriptionID: gates[0].subscription), metadata: doctor.metadata)
      _ = try await rig.subscriptions.updateSubscription(
        .init(subscriptionID: gates[1].subscription, etag: "1", cadence: .weekly), metadata: doctor.metadata)
      try await watch.refresh(rig.storage.subscriptions.versions)
      #expect(try await gates[0].waitForEnd().errorInfo?.reason == "SUBSCRIPTION_ENDED")
      #expect(try await gates[1].waitForEnd().errorInfo?.reason == "SUBSCRIPTION_CHANGED")
      let open = Task { [gate = gates[2]] in try await gate.waitForEnd() }
      open.cancel()
      await #expect(throws: CancellationError.self) { try await open.value }
      for gate in gates { watch.close(gate) }
    }
  }
}
