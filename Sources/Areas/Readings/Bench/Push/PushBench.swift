internal import ArgumentParser
internal import BenchKit
internal import Glibc

/// How soon, how many and at what cost readings reach those who follow them.
struct PushBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Pushes readings to 1,000 subscribers.",
    discussion: """
      A delivery is one frame that a subscriber has received and decoded. Latency runs from when a push was due to \
      that moment. Everyone follows one person; then one subscriber stops reading while much is pushed to it, and must \
      get everything, in order and once, when it reads on; last, each subscriber follows a person of its own.

      stalled_buffer_bytes_max is what the server had at hand for the stalled stream: the bytes that come when the \
      stream's window opens again, before the first frame that was read from storage.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "Short runs: to see that it works.") var quick = false
  @Option var subscribers = 1_000
  @Option(help: "Connections of the subscribers.") var connections = 16
  @Option(help: "Deliveries a second of the runs at a fixed rate.") var rate = 5_000
  @Option(help: "Length of those runs, in seconds.") var seconds: Int?
  @Option(help: "Unacknowledged pushes in the search for the most deliveries.") var windows = "1,2,4"
  @Option(help: "Unacknowledged pushes where a backlog is coalesced.") var backlogWindow = 256

  func run() throws {
    Interruption.watch()
    let server = try MeasuredServer()
    progress("server process \(server.processID)")
    let shared = try PushMeasurement(self, server, hasOwnPersons: false)
    progress("\(rate) deliveries/s")
    let steady = try shared.steady()
    progress("saturation")
    let most = try windows.split(separator: ",").compactMap { Int($0) }.map { try shared.saturated(window: $0) }
      .max { $0.framesPerSecond < $1.framesPerSecond }
    let coalesced = try shared.saturated(window: backlogWindow)
    progress("much for one subscriber")
    let backlog = try shared.steady(backlog: quick ? 1_000_000 : 2_000_000)
    progress("that subscriber does not read")
    let stalled = try shared.steady(backlog: quick ? 1_000_000 : 2_000_000, isStalling: true)
    let resumed = try shared.resume()
    progress("own persons")
    let own = try PushMeasurement(self, server, hasOwnPersons: true).steady()

    guard let most else { throw BenchError("--windows has no number") }
    Report(members: [
      "subscribers": .count(subscribers),
      "connections": .count(connections + 1),
      "deliveries_per_second": .measured(steady.framesPerSecond),
      "latency_ms_p50": .measured(steady.p50),
      "latency_ms_p99": .measured(steady.p99),
      "latency_ms_p999": .measured(steady.p999),
      "server_cpu_us_per_delivery": .measured(steady.serverTimePerFrame),
      "saturation_deliveries_per_second": .measured(most.framesPerSecond),
      "saturation_server_cpu_us_per_delivery": .measured(most.serverTimePerFrame),
      "saturation_client_cpu_us_per_delivery": .measured(most.clientTimePerFrame),
      "saturation_readings_per_second": .measured(coalesced.readingsPerSecond),
      "saturation_readings_per_frame": .measured(coalesced.readings / coalesced.frames),
      "busy_latency_ms_p50": .measured(backlog.p50),
      "busy_latency_ms_p99": .measured(backlog.p99),
      "busy_latency_ms_p999": .measured(backlog.p999),
      "stalled_latency_ms_p50": .measured(stalled.p50),
      "stalled_latency_ms_p99": .measured(stalled.p99),
      "stalled_latency_ms_p999": .measured(stalled.p999),
      "stalled_buffer_bytes_max": .measured(resumed.bufferedBytes),
      "stalled_catch_up_readings_per_second": .measured(resumed.readingsPerSecond),
      "own_persons_deliveries_per_second": .measured(own.framesPerSecond),
      "own_persons_latency_ms_p50": .measured(own.p50),
      "own_persons_latency_ms_p99": .measured(own.p99),
      "own_persons_latency_ms_p999": .measured(own.p999),
      "client_cpu_us_per_delivery": .measured(steady.clientTimePerFrame),
      "own_persons_client_cpu_us_per_delivery": .measured(own.clientTimePerFrame),
      "own_persons_server_cpu_us_per_delivery": .measured(own.serverTimePerFrame),
      "peak_rss_mib": .measured(server.peakMemory),
    ]).print(isJSON: json)
  }
}
