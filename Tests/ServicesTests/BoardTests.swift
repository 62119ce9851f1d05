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

/// Where every stream is woken.
@Suite(.timeLimit(.minutes(5))) struct BoardTests {
  @Test func aChangeBetweenJoiningAndTheFirstWaitIsKept() async {
    let (board, signal) = (Board<Int>(), StreamSignal())
    board.join(signal, on: 1)
    board.wake([1])
    #expect(await signal.wait() == .data)
  }

  @Test func aTopicWakesThoseThatFollowItAndNobodyElse() async {
    let board = Board<Int>()
    let signals = (0..<4).map { _ in StreamSignal() }
    board.join(signals[0], on: 1)
    board.join(signals[1], on: 1, 2)
    board.join(signals[2], on: 3)
    board.join(signals[3])
    board.wake([2, 1, 7])
    // Whoever was not woken hears of this only.
    for signal in signals { signal.signal(.acknowledged) }
    var reasons: [StreamSignal.Reasons] = []
    for signal in signals { reasons.append(await signal.wait()) }
    #expect(reasons == [[.data, .acknowledged], [.data, .acknowledged], .acknowledged, .acknowledged])
  }

  @Test func whoHasLeftIsForgottenWithItsTopics() async {
    let board = Board<Int>()
    let (stays, leaves) = (StreamSignal(), StreamSignal())
    board.join(stays, on: 1)
    board.join(leaves, on: 1, 2)
    board.leave(leaves)
    board.leave(leaves)
    #expect(board.count == 1 && board.topics == [1])
    board.wake([1, 2])
    board.drain()
    leaves.signal(.acknowledged)
    #expect(await leaves.wait() == .acknowledged)
    #expect(await stays.wait() == [.data, .drain])
    board.leave(stays)
    #expect(board.count == 0 && board.topics.isEmpty)
  }

  @Test func theEndReachesStreamsOfAnyTopicAndThoseThatComeLater() {
    let board = Board<Int>()
    let signals = (0..<3).map { _ in StreamSignal() }
    board.join(signals[0])
    board.join(signals[1], on: 1)
    board.drain()
    board.join(signals[2], on: 2)
    #expect(signals.map(\.isDraining) == [true, true, true])
  }

  @Test func aBeatReachesStreamsOfAnyTopicThatWait() async throws {
    let board = Board<Int>()
    let signals = (0..<2).map { _ in StreamSignal() }
    board.join(signals[0])
    board.join(signals[1], on: 1)
    let waiting = signals.map { signal in Task { await signal.wait() } }
    let beating = Task {
      while (try? await Task.sleep(for: .milliseconds(1))) != nil { board.beat(ifWaitingSince: .now) }
    }
    for stream in waiting { #expect(await stream.value == .heartbeat) }
    beating.cancel()
  }
}
