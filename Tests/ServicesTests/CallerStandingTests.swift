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

/// For whom a server has room: for those who are known, and always for what others depend on.
@Suite(.timeLimit(.minutes(5))) struct CallerStandingTests {
  @Test func aFullServerStillTakesPushesDispatchersAndHealthChecks() async throws {
    try await withServer(configure: { $0.maxConcurrentCalls = 40 }) { rig in
      _ = try await rig.account("ada")
      let owner = try await rig.logIn("ada").metadata
      let made = try await rig.identity.createDevice(.init(name: "Watch"), metadata: owner)
      let device: Metadata = ["authorization": "Bearer \(made.token)"]
      let control = try await rig.dispatcher().metadata
      // What was made in the database alone is known after a look.
      try await rig.live.refresh()
      // Beside the call that has ended and is not forgotten yet.
      try await eventually { rig.server.statistics.liveCalls == 0 }

      var watching: [ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>] = []
      for _ in 0..<38 { watching.append(try await rig.watch(as: owner)) }
      let refused = await status { _ = try await rig.identity.getAccount(.init(), metadata: owner) }
      #expect(refused?.code == .resourceExhausted)
      #expect(await status { _ = try await rig.logIn("ada") }?.code == .resourceExhausted)

      _ = try await Grpc_Health_V1_HealthClient(channel: rig.channel).check(.init())
      _ = try await PushStreamClient(rig, as: device).begin("watch")
      try await rig.record(5, [(1, 60)])
      let calls = DispatchServiceClient(channel: rig.channel).handleEmergencies(metadata: control)
      let end = await status {
        try await calls.send(.init(frame: .answer(.init())))
        _ = try await calls.next()
      }
      #expect(end?.code == .invalidArgument, "it has come as far as the first frame, which is to be a hello")
      for stream in watching { stream.cancel() }
    }
  }

  @Test func aFullServerTakesWhatIsForPeopleAtDesksAloneAndNotWhatIsForAllAccounts() async throws {
    try await withServer(configure: { $0.maxConcurrentCalls = 40 }) { rig in
      let desk = try await rig.deskOperator(of: try await rig.dispatcher().account)
      _ = try await rig.account("ada")
      let owner = try await rig.logIn("ada").metadata
      try await eventually { rig.server.statistics.liveCalls == 0 }
      var watching: [ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>] = []
      for _ in 0..<38 { watching.append(try await rig.watch(as: owner)) }
      let about = await status { _ = try await rig.identity.getAccount(.init(), metadata: desk) }
      #expect(about?.code == .resourceExhausted)
      let calls = DispatchServiceClient(channel: rig.channel)
      let answer = await status { _ = try await calls.answerCall(.init(), metadata: desk) }
      #expect(answer?.code == .invalidArgument, "it was let in")
      for stream in watching { stream.cancel() }
    }
  }

  @Test func aCallIsAStrangersUntilItsTokenIsFound() async throws {
    try await withServer { rig in
      // Nobody, until the database is asked.
      let late = try await rig.token(for: 5)
      let stream = try await rig.watch(as: late)
      #expect(rig.server.statistics.strangerCalls == 0)
      let again = try await rig.watch(as: late)
      #expect(rig.server.statistics.strangerCalls == 0)

      let open = rig.channel.call(IdentityServiceMethod.logIn.rawValue, metadata: late)
      async let end = open.status
      try await eventually { rig.server.statistics.strangerCalls == 1 }
      open.cancel()
      #expect(await end.code == .cancelled)
      for stream in [stream, again] { stream.cancel() }
    }
  }
}
