internal import ArgumentParser
internal import BenchKit
internal import Glibc
internal import RPCRuntime

/// The process that pushes healthy readings and crossings of monitored persons. It takes commands, one a line:
///
///     canary       crosses a limit of the last person
///     positions    a position of each person
///     run          healthy readings as fast as they are taken in, and the crossings at random moments among them
struct SosLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-sos", abstract: "Pushes readings of monitored persons; started by the benches.",
    shouldDisplay: false)

  @Option var target: String
  @Option(help: "The first person's number; the others follow.") var first: Int64
  @Option var persons: Int
  @Option var crossings: Int
  @Option var seconds: Int
  @Option var streams: Int
  @Option(help: "The most unacknowledged messages of a stream.") var window: Int

  func run() async throws {
    let group = EventLoopGroup(count: 1)
    var channels: [Channel] = []
    var open: [LiveStream] = []
    let readings = MonitoredReadings(first: first, persons: persons)
    // The last one pushes what is to come by itself.
    for number in 0...streams {
      channels.append(Channel.own(to: target, loops: group))
      open.append(try await LiveStream("bench-sos-\(number)", over: channels[number]))
    }
    let single = open[streams]
    LoadConversation.sayReady()
    while let command = readLine() {
      switch command {
      case "canary":
        try await single.push(readings.crossing(of: first + Int64(persons) - 1))
        LoadConversation.answer([:])
      case "positions":
        let size = MonitoredReadings.readingsPerMessage
        for start in stride(from: 0, to: persons, by: size) {
          try await single.push(readings.positions(of: start..<min(persons, start + size)))
        }
        LoadConversation.answer([:])
      case "run": LoadConversation.answer(try await load(open, readings, on: group))
      default: throw BenchError("unknown command \(command)")
      }
    }
    for channel in channels { await channel.close() }
    group.shutdown()
  }

  private func load(
    _ open: [LiveStream], _ readings: MonitoredReadings, on loops: EventLoopGroup
  ) async throws -> [String: Double] {
    let began = monotonicNanoseconds()
    let end = began + Int64(seconds) * 1_000_000_000
    let schedule = CrossingSchedule(
      crossings: crossings, persons: first..<(first + Int64(persons) - 1), from: began, to: end)
    let (single, bulk) = (open[streams], open[..<streams])
    let pushed = try await withThrowingTaskGroup(of: Int.self) { [window, streams] tasks in
      for (number, stream) in bulk.enumerated() {
        tasks.addTask(executorPreference: loops.loops[0]) {
          var turn = number
          return try await stream.push(until: end, window: window) {
            defer { turn += streams }
            return readings.healthy(turn: turn, crossing: schedule.takeDue(.amongOthers).map { ($0.person, $0.place) })
          }
        }
      }
      tasks.addTask(executorPreference: loops.loops[0]) {
        while let crossing = schedule.takeNext(.alone) {
          let wait = crossing.due - monotonicNanoseconds()
          if wait > 0 { try await Task.sleep(for: .nanoseconds(wait), tolerance: .zero) }
          try await single.push(readings.crossing(of: crossing.person))
        }
        return 0
      }
      return try await tasks.reduce(0, +)
    }
    let elapsed = Double(monotonicNanoseconds() - began) / 1e9
    // Those that fell due after the last message of the streams.
    while let crossing = schedule.takeNext(.amongOthers) {
      try await single.push(readings.crossing(of: crossing.person))
    }
    return ["seconds": elapsed, "readings": Double(pushed)]
  }
}
