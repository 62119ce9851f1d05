internal import ArgumentParser
internal import BenchKit
internal import RPCRuntime
internal import ServiceAPI
internal import Synchronization
internal import WireCodec

/// The process that takes calls as the system of an emergency service: it accepts each one at once. To every line it
/// answers with how many calls there were, and for how many emergencies.
struct DispatcherLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-dispatcher", abstract: "Accepts every call; started by the benches.", shouldDisplay: false)

  @Option var target: String

  func run() async throws {
    let group = EventLoopGroup(count: 1)
    let channel = Channel(target: target, loops: group)
    let stream = DispatchServiceClient(channel: channel).handleEmergencies(metadata: LoadToken.metadata)
    try await stream.send(.init(frame: .hello(.init(system: "bench"))))
    guard try await stream.next() != nil else { throw BenchError("the dispatcher's hello got no answer") }
    let taken = TakenCalls()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask(executorPreference: group.loops[0]) {
        while let notice = try? await stream.next() {
          guard notice.kind == .call, let emergency = notice.emergency else { continue }
          taken.add(emergency.emergencyID)
          let answer = Trackme_Sos_V1_DispatcherAnswer(emergencyID: emergency.emergencyID, kind: .accepted)
          try await stream.send(.init(frame: .answer(answer)))
        }
      }
      LoadConversation.sayReady()
      while readLine() != nil { LoadConversation.answer(taken.counts) }
      stream.cancel()
      try await tasks.waitForAll()
    }
    await channel.close()
    group.shutdown()
  }
}

/// The calls of a dispatcher so far.
private final class TakenCalls: Sendable {
  private let state = Mutex<(calls: Int, emergencies: Set<String>)>((0, []))

  func add(_ emergency: String) {
    state.withLock { state in
      state.calls += 1
      state.emergencies.insert(emergency)
    }
  }

  var counts: [String: Double] {
    state.withLock { ["calls": Double($0.calls), "emergencies": Double($0.emergencies.count)] }
  }
}
