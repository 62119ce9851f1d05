internal import ArgumentParser
internal import BenchKit
internal import Domain
internal import Glibc
internal import Log
internal import RPCRuntime
internal import Synchronization
internal import WireCodec

/// The process that runs: it pushes a position of each runner every two seconds, at its own moment, as phones do. A line
/// gets how many were pushed, and how late they were.
struct RunnerLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-runners", abstract: "Pushes positions of runners; started by the benches.",
    shouldDisplay: false)

  /// Between two positions of a runner.
  private static let period = 2.0
  /// Between two messages of a stream, in seconds.
  private static let step = 0.02
  private static let streams = 4

  @Option var target: String
  @Option(help: "The first runner's number; the others follow.") var first: Int64
  @Option var runners: Int

  func run() async throws {
    let group = EventLoopGroup(count: 1)
    var channels: [Channel] = []
    var open: [LiveStream] = []
    for number in 0..<Self.streams {
      channels.append(Channel.own(to: target, loops: group))
      open.append(try await LiveStream("bench-runners-\(number)", over: channels[number]))
    }
    let pushed = PushedFixes()
    let began = wallClock()
    LoadConversation.sayReady()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for (number, stream) in open.enumerated() {
        tasks.addTask(executorPreference: group.loops[0]) {
          do {
            try await keepRunning(stream, number, since: began, pushed)
          } catch {
            if !Task.isCancelled { pushed.fail("\(error)") }
          }
        }
      }
      while readLine() != nil {
        LoadConversation.answer(["fixes": Double(try pushed.count)])
      }
      tasks.cancelAll()
    }
    for channel in channels { await channel.close() }
    group.shutdown()
  }

  /// Pushes the positions of every fourth runner, each when it is due.
  private func keepRunning(
    _ stream: LiveStream, _ number: Int, since began: Int64, _ pushed: PushedFixes
  ) async throws {
    let own = Array(stride(from: number, to: runners, by: Self.streams))
    let steps = Int(Self.period / Self.step)
    var turn = 0
    var next = ContinuousClock.now
    while !Task.isCancelled {
      let due = own.indices.filter { $0 % steps == turn % steps }.map { own[$0] }
      if !due.isEmpty {
        try await stream.push(.init(positions: positions(of: due, since: began)))
        pushed.add(due.count)
      }
      turn += 1
      next += .seconds(Self.step)
      try await Task.sleep(until: next, tolerance: .zero)
    }
  }

  private func positions(of due: [Int], since began: Int64) -> Trackme_Readings_V1_PositionColumns {
    let now = wallClock()
    var columns = Trackme_Readings_V1_PositionColumns(metric: [ReadingGenerator.position])
    for runner in due {
      // Between 2.5 and 5 metres a second.
      let speed = 2.5 + 2.5 * Double(runner % 997) / 997
      let place = RunnersCourse.course.point(at: speed * Double(now - began) / 1e6)
      columns.personID.append(first + Int64(runner))
      columns.timeUs.append(now)
      columns.latitude.append(place.latitude)
      columns.longitude.append(place.longitude)
      columns.accuracy.append(5)
    }
    return columns
  }
}

/// What the streams of runners have pushed so far.
private final class PushedFixes: Sendable {
  private let state = Mutex<(fixes: Int, failure: String?)>((0, nil))

  func add(_ count: Int) { state.withLock { $0.fixes += count } }

  func fail(_ problem: String) { state.withLock { $0.failure = problem } }

  /// - Throws: what has ended a stream.
  var count: Int {
    get throws {
      let (fixes, failure) = state.withLock { $0 }
      if let failure { throw BenchError(failure) }
      return fixes
    }
  }
}
