internal import BenchKit
internal import Glibc

/// The subscribers of a push bench, and what is measured with them.
struct PushMeasurement {
  private let bench: PushBench
  private let server: MeasuredServer
  private let load: LoadProcess
  private let hasOwnPersons: Bool

  /// Starts the subscribers.
  init(_ bench: PushBench, _ server: MeasuredServer, hasOwnPersons: Bool) throws {
    self.bench = bench
    self.server = server
    self.hasOwnPersons = hasOwnPersons
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // Runs of one server must not repeat each other's readings.
    let start = (Int64(now.tv_sec) - (hasOwnPersons ? 90_000 : 86_400)) * 1_000_000
    load = try LoadProcess(
      [
        "load-subscribers", "--target", server.address, "--subscribers", "\(bench.subscribers)",
        "--connections", "\(bench.connections)", "--start", "\(start)",
      ] + (hasOwnPersons ? ["--own"] : []), token: server.token)
  }

  /// Pushes at the bench's fixed rate of deliveries.
  ///
  /// - Parameters:
  ///   - backlog: readings that are pushed meanwhile to the first subscriber alone.
  ///   - isStalling: that subscriber stops reading.
  func steady(backlog: Int = 0, isStalling: Bool = false) throws -> PushResult {
    let perSecond = max(1, hasOwnPersons ? bench.rate : bench.rate / bench.subscribers)
    let seconds = bench.seconds ?? (bench.quick ? 4 : 20)
    return try measure(
      "open per-second=\(perSecond) pushes=\(perSecond * seconds) backlog=\(backlog) stall=\(isStalling ? 1 : 0)")
  }

  /// Pushes as fast as deliveries allow.
  /// - Parameter window: the most pushes that are not delivered to everyone.
  func saturated(window: Int) throws -> PushResult {
    // About so many that it takes a few seconds.
    let deliveries = (bench.quick ? 200_000 : 1_000_000) * (window > 16 ? 8 : 1)
    return try measure("closed window=\(window) pushes=\(max(window * 2, deliveries / bench.subscribers))")
  }

  /// Lets the stalled subscriber read on.
  func resume() throws -> (bufferedBytes: Double, readingsPerSecond: Double) {
    let answer = try load.measure("resume")
    let bytes = try answer["buffered_bytes"]
    try check(bytes.isFinite, "the stalled subscriber never fell back to storage")
    return (bytes, try answer["backlog"] / answer["seconds"])
  }

  private func measure(_ command: String) throws -> PushResult {
    let before = (server: server.processorTime.server, client: load.processorTime)
    let answer = try load.measure(command)
    let after = (server: server.processorTime.server, client: load.processorTime)
    return PushResult(
      seconds: try answer["seconds"], frames: try answer["frames"], readings: try answer["readings"],
      p50: try answer["p50"], p99: try answer["p99"], p999: try answer["p999"],
      serverTime: after.server - before.server, clientTime: after.client - before.client)
  }
}

/// What one run has shown. Latencies are milliseconds, processor times microseconds.
struct PushResult {
  let seconds: Double
  let frames: Double
  let readings: Double
  let p50: Double
  let p99: Double
  let p999: Double
  let serverTime: Double
  let clientTime: Double

  var framesPerSecond: Double { frames / seconds }
  var readingsPerSecond: Double { readings / seconds }
  var serverTimePerFrame: Double { serverTime / frames }
  var clientTimePerFrame: Double { clientTime / frames }
}
