internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Glibc
internal import RPCRuntime

/// The process that subscribes, and publishes what its subscribers wait for, so that one clock measures both ends.
///
/// It takes commands, one a line, and answers each with its measurements:
///
///     open per-second=5 pushes=100 backlog=0 stall=0    pushes fall due at fixed times, whatever happens
///     closed window=1 pushes=1000                       at most so many pushes are not delivered to everyone
///     resume                                            the stalled subscriber reads on and must get everything
struct SubscriberLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-subscribers", abstract: "Subscribes and publishes; started by the benches.",
    shouldDisplay: false)

  @Option var target: String
  @Option var subscribers: Int
  @Option var connections: Int
  @Option var start: Int64
  @Flag(help: "Each subscriber follows a person of its own.") var own = false

  func run() async throws {
    let schedule = PushSchedule(start: start, subscribers: subscribers, hasOwnPersons: own)
    let group = EventLoopGroup(count: 1)
    let channel = Channel.own(to: target, loops: group)
    let token = Environment()["TRACKME_OPERATOR_TOKEN"] ?? ""
    let audience = try SubscriberThread(
      Audience(schedule: schedule, target: target, connections: connections, token: token))
    try await audience.wait { $0.subscriptions.allSatisfy(\.hasBegun) }

    let name = own ? "own" : "shared"
    let live = Publisher(over: try await PushConnection("\(name)-live", over: channel), schedule: schedule)
    let backlog = Publisher(over: try await PushConnection("\(name)-backlog", over: channel), schedule: schedule)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for publisher in [live, backlog] {
        tasks.addTask(executorPreference: group.loops[0]) { await publisher.run() }
      }
      var rounds = PushRounds(schedule: schedule, audience: audience, live: live, backlog: backlog, loops: group)
      LoadConversation.sayReady()
      while let line = readLine() { LoadConversation.answer(try await rounds.run(LoadCommand(line))) }
      for publisher in [live, backlog] { publisher.cancel() }
    }
    audience.close()
    await channel.close()
    group.shutdown()
  }
}
