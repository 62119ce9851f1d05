internal import BenchKit
internal import RPCRuntime

/// Runs the commands of a push bench. Push numbers go on from round to round.
struct PushRounds {
  private static let backlogBatch = 5_000

  let schedule: PushSchedule
  let audience: SubscriberThread
  let live: Publisher
  let backlog: Publisher
  let loops: EventLoopGroup
  private var pushed = 0
  private var pushedBacklog = 0
  private var stalledBacklog = 0
  private var isStalled = false

  init(
    schedule: PushSchedule, audience: SubscriberThread, live: Publisher, backlog: Publisher, loops: EventLoopGroup
  ) {
    self.schedule = schedule
    self.audience = audience
    self.live = live
    self.backlog = backlog
    self.loops = loops
  }

  mutating func run(_ command: LoadCommand) async throws -> [String: Double] {
    switch command.name {
    case "open": return try await open(command)
    case "closed": return try await closed(command)
    case "resume": return try await resume()
    default: throw BenchError("unknown command \(command.name)")
    }
  }

  /// Pushes at fixed times. Latency runs from when a push was due, so that a delay is charged in full.
  private mutating func open(_ command: LoadCommand) async throws -> [String: Double] {
    let ledger = try await begin(command["pushes"])
    if command["stall"] == 1 {
      try await audience.perform { $0.subscriptions[0].stall() }
      isStalled = true
      stalledBacklog = command["backlog"]
    }
    let began = ContinuousClock.now
    let interval = Duration.seconds(1) / command["per-second"]
    let (first, pushes) = (pushed, command["pushes"])
    let (firstBacklog, batches) = (pushedBacklog, command["backlog"] / Self.backlogBatch)
    try await withThrowingTaskGroup(of: Void.self) { [live, backlog] tasks in
      tasks.addTask(executorPreference: loops.loops[0]) {
        var wake = began
        for number in 0..<pushes {
          let due = began + interval * (number + 1)
          ledger.schedule(monotonicNanoseconds() + Int64(ContinuousClock.now.duration(to: due) / .nanoseconds(1)))
          if due > wake {
            // One wake a millisecond is enough; what falls due until then goes together.
            wake = max(due, .now + .milliseconds(1))
            try await Task.sleep(until: wake, tolerance: .zero)
          }
          try await live.push(first + number, moreToCome: due + interval <= wake && number + 1 < pushes)
        }
      }
      if batches > 0 {
        tasks.addTask(executorPreference: loops.loops[0]) {
          let pause = interval * pushes / batches
          for number in 0..<batches {
            try await Task.sleep(until: began + pause * number)
            let start = firstBacklog + number * Self.backlogBatch
            try await backlog.pushBacklog(first: start, count: Self.backlogBatch)
          }
        }
      }
      try await tasks.waitForAll()
    }
    pushed += pushes
    pushedBacklog += batches * Self.backlogBatch
    try await ledger.wait(forReadings: deliveries(of: pushes, first: first))
    return result(ledger, began: began)
  }

  /// Pushes as fast as deliveries allow.
  private mutating func closed(_ command: LoadCommand) async throws -> [String: Double] {
    let (pushes, window) = (command["pushes"], command["window"])
    let ledger = try await begin(pushes)
    let began = ContinuousClock.now
    let (first, schedule) = (pushed, schedule)
    try await withThrowingTaskGroup(of: Void.self) { [live] tasks in
      tasks.addTask(executorPreference: loops.loops[0]) {
        for number in 0..<pushes {
          if number >= window { try await ledger.wait(forReadings: (number - window + 1) * schedule.audience) }
          ledger.schedule(monotonicNanoseconds())
          try await live.push(first + number)
        }
        try await ledger.wait(forReadings: pushes * schedule.audience)
      }
      try await tasks.waitForAll()
    }
    pushed += pushes
    return result(ledger, began: began)
  }

  /// Lets the stalled subscriber read on, and waits until it has everything.
  private mutating func resume() async throws -> [String: Double] {
    let began = ContinuousClock.now
    let (backlog, pushed) = (pushedBacklog, pushed)
    try await audience.perform { try $0.resume($0.subscriptions[0]) }
    try await audience.wait { $0.subscriptions[0].has(pushes: pushed, backlog: backlog) }
    isStalled = false
    let buffered = try await audience.perform { audience in
      let first = audience.subscriptions[0]
      return first.isCatchingUp ? Double(first.bufferedBytes) : .nan
    }
    return [
      "seconds": began.duration(to: .now) / .seconds(1), "backlog": Double(stalledBacklog), "buffered_bytes": buffered,
    ]
  }

  private func begin(_ pushes: Int) async throws -> DeliveryLedger {
    let ledger = DeliveryLedger(firstPush: pushed, pushes: pushes, deliveries: pushes * schedule.audience)
    try await audience.perform { audience in for one in audience.subscriptions { one.ledger = ledger } }
    return ledger
  }

  /// How many deliveries pushes bring about while the first subscriber may not be reading.
  private func deliveries(of pushes: Int, first: Int) -> Int {
    guard isStalled else { return pushes * schedule.audience }
    if !schedule.hasOwnPersons { return pushes * (schedule.subscribers - 1) }
    return (first..<(first + pushes)).filter { $0 % schedule.subscribers != 0 }.count
  }

  private func result(_ ledger: DeliveryLedger, began: ContinuousClock.Instant) -> [String: Double] {
    let seconds = began.duration(to: .now) / .seconds(1)
    let (frames, readings, latencies) = ledger.result
    return [
      "seconds": seconds, "frames": Double(frames), "readings": Double(readings),
      "p50": latencies.milliseconds(atPercentile: 50), "p99": latencies.milliseconds(atPercentile: 99),
      "p999": latencies.milliseconds(atPercentile: 99.9),
    ]
  }
}
