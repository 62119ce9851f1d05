import RPCRuntime
import Testing

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

/// The loop that every stream goes through.
@Suite(.timeLimit(.minutes(5))) struct PumpTests {
  private struct Enough: Error {}

  @Test func aStreamThatAlwaysHasSomethingToDoEndsWithTheServer() async {
    let signal = StreamSignal()
    var looks = 0
    let end = await status {
      try await signal.pump { _ in
        looks += 1
        if looks == 3 { signal.signal(.drain) }
        if looks == 100 { throw Enough() }
        return .more
      } beat: {
      }
    }
    #expect(looks == 3 && end?.errorInfo?.reason == "SHUTTING_DOWN")
  }

  @Test func whatComesDuringALookIsLookedForAgain() async {
    let signal = StreamSignal()
    var looks: [StreamSignal.Reasons] = []
    await #expect(throws: Enough.self) {
      try await signal.pump { woken in
        looks.append(woken)
        // Somebody wakes the stream between its look and its wait.
        signal.signal(looks.count == 1 ? .acknowledged : .data)
        if looks.count == 3 { throw Enough() }
        return .nothing
      } beat: {
      }
    }
    #expect(looks == [.data, .acknowledged, .data])
  }

  @Test func aHeartbeatComesAfterALookThatFoundNothing() async {
    let signal = StreamSignal()
    var steps: [String] = []
    signal.signal([.heartbeat, .data])
    await #expect(throws: Enough.self) {
      try await signal.pump { woken in
        steps.append(woken.contains(.heartbeat) ? "look before a heartbeat" : "look")
        if steps.count == 5 { throw Enough() }
        return steps.count == 2 ? .more : .nothing
      } beat: {
        steps.append("heartbeat")
        signal.signal(.data)
      }
    }
    #expect(
      steps == ["look", "look before a heartbeat", "look before a heartbeat", "heartbeat", "look"])
  }

  @Test func aCallThatIsGoneAndAServerThatEndsAreToldApart() async {
    let (gone, over) = (StreamSignal(), StreamSignal())
    gone.signal([.cancelled, .heartbeat])
    await #expect(throws: CancellationError.self) {
      try await gone.pump { _ in
        .nothing
      } beat: {
        throw Enough()
      }
    }
    over.signal([.drain, .data])
    #expect(await status { _ = try await over.turn() }?.errorInfo?.reason == "SHUTTING_DOWN")
  }
}
