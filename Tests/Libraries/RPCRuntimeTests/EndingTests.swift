import RPCRuntime
import Synchronization
import Testing

extension RPCRuntimeTests {
  /// Calls that are ended from outside their handlers.
  @Suite struct Ending {
    private final class Calls: Sendable {
      private let calls = Mutex<[ServerCall]>([])
      func add(_ call: ServerCall) { calls.withLock { $0.append(call) } }
      func take() -> [ServerCall] {
        calls.withLock { calls in
          defer { calls = [] }
          return calls
        }
      }
    }

    private static let over = RPCStatus(.unauthenticated, "it is over")

    @Test(arguments: Transport.allCases) func aHandlerThatWaitsForAMessageEndsWithTheStatus(over transport: Transport)
      async throws
    {
      let (open, outcome) = (Box<ServerCall>(), Box<String>())
      let method = RPCMethod(path: "/test.End/Receive") { call in
        open.set(call)
        do {
          _ = try await call.next()
          outcome.set("a message")
        } catch let status as RPCStatus {
          outcome.set("\(status.code) \(Task.isCancelled)")
        }
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.End/Receive")
        async let status = call.status
        let seen = await open.get()
        try await Task.sleep(for: .milliseconds(20))
        seen.end(with: Self.over)
        #expect(await status.code == .unauthenticated)
        #expect(await outcome.get() == "unauthenticated true")
        // Once more changes nothing.
        seen.end(with: RPCStatus(.internal, "late"))
      }
    }

    @Test(arguments: Transport.allCases) func aChildTaskThatWaitsAndEveryLaterOperationThrowsTheStatus(
      over transport: Transport
    ) async throws {
      let (open, outcome) = (Box<ServerCall>(), Box<String>())
      let method = RPCMethod(path: "/test.End/Children") { call in
        open.set(call)
        let codes = await withTaskGroup(of: RPCCode?.self) { group in
          group.addTask {
            do { _ = try await call.next() } catch let status as RPCStatus { return status.code } catch {}
            return nil
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        var later: [RPCCode?] = []
        do { _ = try await call.next() } catch let status as RPCStatus { later.append(status.code) } catch {}
        do { try await call.send(RPCMessage("x")) } catch let status as RPCStatus { later.append(status.code) } catch {}
        outcome.set("\(codes + later == [.unauthenticated, .unauthenticated, .unauthenticated])")
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.End/Children")
        async let status = call.status
        await open.get().end(with: Self.over)
        #expect(await status == Self.over)
        #expect(await outcome.get() == "true")
      }
    }

    @Test(arguments: Transport.allCases) func theAnswerOfAUnaryCallThatWasEndedIsNotSent(over transport: Transport)
      async throws
    {
      let method = RPCMethod(path: "/test.End/Unary") { call in
        _ = try await call.next()
        call.end(with: Self.over)
        call.sendLast(RPCMessage("secret"))
      }
      try await withRig(over: transport, [method]) { rig in
        let status = try await statusThrown { _ = try await rig.unary("/test.End/Unary", RPCMessage("")) }
        #expect(status.code == .unauthenticated)
      }
    }

    @Test(arguments: Transport.allCases) func endingManyCallsWhileTheyComeAndGoLeavesNothingBehind(
      over transport: Transport
    ) async throws {
      let known = Calls()
      let method = RPCMethod(path: "/test.End/Many") { call in
        known.add(call)
        while let message = try await call.next() { try await call.send(message) }
      }
      try await withRig(over: transport, [method]) { rig in
        let ender = Task {
          while !Task.isCancelled {
            for call in known.take() { call.end(with: Self.over) }
            await Task.yield()
          }
        }
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<200 {
            group.addTask {
              let call = rig.call("/test.End/Many")
              do {
                for _ in 0..<5 {
                  try await call.send(RPCMessage("x"))
                  _ = try await call.next()
                }
                try await call.finishSending()
                while try await call.next() != nil {}
              } catch let status as RPCStatus {
                #expect(status.code == .unauthenticated || status.code == .cancelled)
              } catch {
                Issue.record("\(error)")
              }
            }
          }
        }
        ender.cancel()
      }
    }
  }
}
