internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Glibc
internal import Synchronization
internal import Threads

/// The process that watches. It takes commands, one a line, and reads on between them:
///
///     join                 opens every stream, and waits for each one's first frame
///     watch seconds=30     what comes within a time
struct SpectatorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-spectators", abstract: "Watches a race; started by the benches.", shouldDisplay: false)

  /// Streams that wait for their first frame, which is the whole leaderboard.
  private static let joiningMax = 300
  private static let streamsPerConnection = 800

  @Option var target: String
  @Option var race: Int64
  @Option var spectators: Int
  @Option(help: "One stream of so many is decoded.") var sample: Int

  func run() throws {
    // The streams' tokens must not show in a list of processes.
    let tokens = (Environment()["TRACKME_OPERATOR_TOKEN"] ?? "").split(separator: ",").map { String($0) }
    let shared = SharedLedger()
    let load = self
    let thread = DedicatedThread("load") {
      do { try load.read(tokens: tokens, shared) } catch { shared.withLock { $0.failure = "\(error)" } }
    }
    LoadConversation.sayReady()
    while let line = readLine() {
      let command = LoadCommand(line)
      let began = monotonicNanoseconds()
      if command.name == "join" {
        shared.withLock { $0.isJoining = true }
        while try shared.read({ $0.joined }) < spectators { usleep(10_000) }
        LoadConversation.answer(["seconds": Double(monotonicNanoseconds() - began) / 1e9])
      } else {
        let before = try shared.read { $0.frames }
        shared.withLock { $0.isMeasuring = true }
        usleep(UInt32(command["seconds"]) * 1_000_000)
        let (frames, latencies) = shared.withLock { shared in
          shared.isMeasuring = false
          return (shared.frames, shared.ledger.latencies.sorted())
        }
        _ = try shared.read { $0.frames }
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

  /// The thread on which everything is read.
  fileprivate func read(tokens: [String], _ shared: SharedLedger) throws {
    let count = (spectators + Self.streamsPerConnection - 1) / Self.streamsPerConnection
    let connections = try (0..<max(1, count)).map { _ in try SpectatorConnection(target: target) }
    var descriptors = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var opened = 0
    var ledger = SpectatorLedger()
    while true {
      let joined = connections.reduce(0) { sum, one in sum + one.streams.reduce(0) { $0 + ($1.frames > 0 ? 1 : 0) } }
      let isJoining = shared.withLock(\.isJoining)
      while isJoining, opened < spectators, opened - joined < Self.joiningMax {
        try connections[opened % connections.count].watch(
          race, token: tokens[opened / RaceTown.streamsPerSpectator], isDecoded: opened % sample == 0)
        opened += 1
      }
      // Many reads for one look at everything.
      for _ in 0..<32 {
        guard poll(&descriptors, nfds_t(descriptors.count), 10) > 0 else { break }
        for (index, connection) in connections.enumerated() where descriptors[index].revents != 0 {
          try connection.receive(into: &ledger)
        }
      }
      let frames = connections.reduce(0) { sum, one in sum + one.streams.reduce(0) { $0 + $1.frames } }
      shared.withLock { shared in
        shared.joined = joined
        shared.frames = frames
        if shared.isMeasuring { shared.ledger.latencies += ledger.latencies }
      }
      ledger.latencies.removeAll(keepingCapacity: true)
    }
  }
}

/// What the thread that reads and the bench tell each other.
private final class SharedLedger: Sendable {
  struct State {
    var isJoining = false
    var isMeasuring = false
    var failure: String?
    var joined = 0
    var frames = 0
    var ledger = SpectatorLedger()
  }

  private let state = Mutex(State())

  func withLock<R: Sendable>(_ body: (inout State) -> R) -> R { state.withLock { body(&$0) } }

  /// - Throws: what has ended the thread.
  func read(_ value: (State) -> Int) throws -> Int {
    let (number, failure) = state.withLock { (value($0), $0.failure) }
    if let failure { throw BenchError(failure) }
    return number
  }
}
