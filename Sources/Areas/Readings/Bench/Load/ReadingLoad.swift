internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Glibc
internal import RPCRuntime

/// The process that pushes readings. It encodes everything before the clock starts.
struct ReadingLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-readings", abstract: "Pushes generated readings; started by the benches.", shouldDisplay: false)

  @Option var target: String
  @Option(help: "Start of the generator's first second, in microseconds since the Unix epoch.") var start: Int64
  @Option(help: "Readings of the generator that were pushed before.") var skip = 0
  @Option var readings: Int
  @Option var readingsPerMessage: Int
  @Option(help: "The most unacknowledged messages of a stream.") var window: Int
  @Option var streams = 4
  @Option(help: "Connections that the streams share.") var connections = 4
  @Option(help: "Threads.") var loops = 1

  func run() async throws {
    let group = EventLoopGroup(count: loops)
    let channels = (0..<min(connections, streams)).map { _ in Channel.own(to: target, loops: group) }
    var open: [PreparedPushes] = []
    for number in 0..<streams {
      open.append(
        PreparedPushes(over: try await PushConnection("bench-\(number)", over: channels[number % channels.count])))
    }
    prepare(&open)
    try LoadConversation.ready()

    let before = ProcessorTime.of(getpid())
    let began = monotonicNanoseconds()
    var latencies = try await push(open, on: group)
    let seconds = Double(monotonicNanoseconds() - began) / 1e9
    latencies.sort()
    LoadConversation.done([
      "seconds": seconds, "readings": Double(readings), "messages": Double(latencies.count),
      "ack_ms_p50": latencies.milliseconds(atPercentile: 50), "ack_ms_p99": latencies.milliseconds(atPercentile: 99),
      "client_cpu_us": ProcessorTime.of(getpid()) - before,
    ])
    for pushes in open { try await pushes.connection.close() }
    for channel in channels { await channel.close() }
    group.shutdown()
  }

  /// Deals the messages to the streams in turn.
  private func prepare(_ open: inout [PreparedPushes]) {
    var generator = ReadingGenerator(start: start)
    for _ in 0..<skip { _ = generator.next() }
    var left = readings
    var number = 0
    while left > 0 {
      let count = min(left, readingsPerMessage)
      open[number % streams].prepare(count, from: &generator)
      left -= count
      number += 1
    }
  }

  private func push(_ open: [PreparedPushes], on loops: EventLoopGroup) async throws -> [Int64] {
    try await withThrowingTaskGroup(of: [Int64].self) { group in
      for (number, pushes) in open.enumerated() {
        group.addTask(executorPreference: loops.loops[number % loops.loops.count]) {
          try await pushes.push(window: window)
        }
      }
      var latencies: [Int64] = []
      for try await some in group { latencies += some }
      return latencies
    }
  }
}
