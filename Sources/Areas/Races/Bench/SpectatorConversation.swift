internal import BenchKit
internal import Console
internal import Glibc
internal import Synchronization
internal import Threads

/// What a process that watches a race says to the bench, by whatever protocol it watches. It takes commands, one a line, while
/// a thread of its own reads:
///
///     join                 opens every stream, and waits for each one's first frame
///     watch seconds=30     what comes within a time
package final class SpectatorConversation: Sendable {
  private struct State {
    var isJoining = false
    var isMeasuring = false
    var failure: String?
    var joined = 0
    var frames = 0
    /// From the time of a position to the arrival of the frame with it, in nanoseconds.
    var latencies: [Int64] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether streams are to be opened now.
  package var isJoining: Bool { state.withLock(\.isJoining) }

  /// Takes what the thread that reads has seen: all streams and frames so far, and the latencies since it was last told.
  package func note(joined: Int, frames: Int, latencies: [Int64]) {
    state.withLock { state in
      (state.joined, state.frames) = (joined, frames)
      if state.isMeasuring { state.latencies += latencies }
    }
  }

  /// Answers commands until there are none; then the process ends.
  /// - Parameter read: opens and reads the streams with these tokens, on a thread of its own, and never ends by itself.
  /// - Throws: what `read` throws.
  package func hold(spectators: Int, read: @escaping @Sendable (_ tokens: [String]) throws -> Void) throws -> Never {
    // The streams' tokens must not show in a list of processes.
    let tokens = (Environment()["TRACKME_OPERATOR_TOKEN"] ?? "").split(separator: ",").map { String($0) }
    let thread = DedicatedThread("load") {
      do { try read(tokens) } catch { self.state.withLock { $0.failure = "\(error)" } }
    }
    LoadConversation.sayReady()
    while let line = readLine() {
      let command = LoadCommand(line)
      let began = monotonicNanoseconds()
      if command.name == "join" {
        state.withLock { $0.isJoining = true }
        while try number(\.joined) < spectators { usleep(10_000) }
        LoadConversation.answer(["seconds": Double(monotonicNanoseconds() - began) / 1e9])
      } else {
        let before = try number(\.frames)
        state.withLock { $0.isMeasuring = true }
        usleep(UInt32(command["seconds"]) * 1_000_000)
        let (frames, latencies) = state.withLock { state in
          state.isMeasuring = false
          return (state.frames, state.latencies.sorted())
        }
        _ = try number(\.frames)
        try check(!latencies.isEmpty, "no spectator saw anybody move")
        LoadConversation.answer([
          "seconds": Double(monotonicNanoseconds() - began) / 1e9, "frames": Double(frames - before),
          "fixes": Double(latencies.count), "p50": latencies.milliseconds(atPercentile: 50),
          "p95": latencies.milliseconds(atPercentile: 95), "p99": latencies.milliseconds(atPercentile: 99),
        ])
      }
    }
    _ = thread
    Glibc.exit(0)
  }

  /// - Throws: what has ended the thread that reads.
  private func number(_ value: KeyPath<State, Int>) throws -> Int {
    let (number, failure) = state.withLock { ($0[keyPath: value], $0.failure) }
    if let failure { throw BenchError(failure) }
    return number
  }
}
