import RPCRuntime
import Synchronization
import Testing

extension RPCRuntimeTests {
  /// Long work on a loop is done in pieces, and others have their turn between them.
  @Suite struct Turns {
    private static let most = 5_000_000

    @Test func aTaskThatTurnsLetsOtherCallsOfItsLoopGoOn() async throws {
      let isAnswered = Atomic<Bool>(false)
      let started = Gate()
      let turns = Box<Int>()
      let long = RPCMethod(path: "/test.Turn/Long") { call in
        _ = try await call.next()
        started.open()
        var count = 0
        // Another call of the only loop has to be received, answered and confirmed meanwhile.
        while !isAnswered.load(ordering: .relaxed), count < Self.most {
          await EventLoop.turn()
          count += 1
        }
        turns.set(count)
        call.sendLast(RPCMessage(""))
      }
      try await withRig([long, Methods.unary], serverLoopCount: 1) { rig in
        async let ended = rig.channel.unary("/test.Turn/Long", RPCMessage(""))
        await started.wait()
        _ = try await rig.channel.unary("/test.Echo/Unary", RPCMessage("hello"))
        isAnswered.store(true, ordering: .relaxed)
        _ = try await ended
        #expect(await turns.get() < Self.most)
      }
    }

    @Test func offALoopATurnOnlyYields() async { await EventLoop.turn() }
  }
}
