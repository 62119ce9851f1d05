import Foundation
import RPCRuntime
import Synchronization
import TestSupport
import Testing

extension RPCRuntimeTests {
  /// A frame for ten thousand spectators.
  @Suite struct LocalLoad {
    private static let streams = 10_000
    private static let ticks = 20

    /// What each stream sends next, and who waits for it.
    private final class Board: Sendable {
      private struct State {
        var tick = 0
        var message: RPCMessage?
        var waiters: [UnsafeContinuation<Void, Never>] = []
      }
      private let state = Mutex(State())

      func show(_ message: RPCMessage?) {
        let waiters = state.withLock { state in
          state.tick += 1
          state.message = message
          defer { state.waiters = [] }
          return state.waiters
        }
        for waiter in waiters { waiter.resume() }
      }

      var current: RPCMessage? { state.withLock { $0.message } }

      /// The message of a tick; nil is the end.
      func message(of tick: Int) async -> RPCMessage? {
        await withUnsafeContinuation { continuation in
          let isThere = state.withLock { state in
            if state.tick < tick { state.waiters.append(continuation) }
            return state.tick >= tick
          }
          if isThere { continuation.resume() }
        }
        return state.withLock { $0.message }
      }
    }

    @Test func tenThousandStreamsShareOneMessageATick() async throws {
      let board = Board()
      let watch = RPCMethod(path: "/test.Local/Watch") { call in
        var tick = 1
        while let message = await board.message(of: tick) {
          try await call.send(message)
          tick += 1
        }
      }
      let messages = RPCMessage.liveCount
      try await withRig(over: .local, [watch]) { rig in
        let seen = Counter()
        let before = residentBytes()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<Self.streams {
            group.addTask(executorPreference: rig.serverLoops.loops[number % 2]) {
              let call = rig.server.call("/test.Local/Watch", peer: "ipv4:127.0.0.1:1")
              while let message = try await call.next() {
                if message !== board.current { Issue.record("another object") }
                seen.increment()
              }
            }
          }
          try await eventually { rig.server.statistics.liveCalls == Self.streams }
          let bytes = (residentBytes() - before) / Self.streams
          let start = processorTime()
          for tick in 1...Self.ticks {
            let message = RPCMessage([UInt8](repeating: UInt8(tick), count: 500))
            board.show(message)
            try await eventually { seen.value == tick * Self.streams }
            #expect(RPCMessage.liveCount - messages <= 2)
          }
          let perMessage = (processorTime() - start) / (Self.streams * Self.ticks)
          print("\(Self.streams) local streams: \(perMessage) of CPU per stream and tick, \(bytes) bytes per stream")
          board.show(nil)
          try await group.waitForAll()
        }
      }
      try await eventually { RPCMessage.liveCount == messages }
    }
  }
}
