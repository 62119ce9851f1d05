import RPCRuntime
import Synchronization
import Testing

extension RPCRuntimeTests {
  /// Long work on a loop is done in pieces, and others have their turn between them.
  @Suite struct Turns {
    private static let most = 5_000_000

    @Test(arguments: Transport.allCases) func aTaskThatTurnsLetsOtherCallsOfItsLoopGoOn(over transport: Transport)
      async throws
    {
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
      try await withRig(over: transport, [long, Methods.unary], serverLoopCount: 1) { rig in
        async let ended = rig.unary("/test.Turn/Long", RPCMessage(""))
        await started.wait()
        _ = try await rig.unary("/test.Echo/Unary", RPCMessage("hello"))
        isAnswered.store(true, ordering: .relaxed)
        _ = try await ended
        #expect(await turns.get() < Self.most)
      }
    }

    @Test func offALoopATurnOnlyYields() async { await EventLoop.turn() }
  }
}
