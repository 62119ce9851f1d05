internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Glibc
internal import ProtoJSON
internal import RacesBench
internal import Synchronization
internal import Threads

/// The process that watches over HTTP. It takes commands, one a line, and reads on between them:
///
///     join                 opens every stream, and waits for each one's first frame
///     watch seconds=30     what comes within a time
struct WebSpectatorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-web-spectators", abstract: "Watches a race over HTTP; started by the benches.",
    shouldDisplay: false)

  /// Streams that wait for their first frame, which is the whole leaderboard.
  private static let joiningMax = 100

  @Option var target: String
  @Option var race: Int64
  @Option var spectators: Int
  @Option(help: "One stream of so many is decoded.") var sample: Int

  func run() throws {
    // The streams' tokens must not show in a list of processes.
    let tokens = (Environment()["TRACKME_OPERATOR_TOKEN"] ?? "").split(separator: ",").map { String($0) }
    let shared = SharedView()
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
        while try shared.read(\.joined) < spectators { usleep(10_000) }
        LoadConversation.answer(["seconds": Double(monotonicNanoseconds() - began) / 1e9])
      } else {
        let before = try shared.read(\.frames)
        shared.withLock { $0.isMeasuring = true }
        usleep(UInt32(command["seconds"]) * 1_000_000)
        let (frames, latencies) = shared.withLock { shared in
          shared.isMeasuring = false
          return (shared.frames, shared.latencies.sorted())
        }
        _ = try shared.read(\.frames)
        try check(!latencies.isEmpty, "no spectator saw anybody move")
        LoadConversation.answer([
          "seconds": Double(monotonicNanoseconds() - began) / 1e9, "frames": Double(frames - before),
          "p50": latencies.milliseconds(atPercentile: 50), "p95": latencies.milliseconds(atPercentile: 95),
        ])
      }
    }
    _ = thread
    Glibc.exit(0)
  }

  /// The thread on which everything is read.
  fileprivate func read(tokens: [String], _ shared: SharedView) throws {
    guard let type = ProtoSchema.embedded.message("trackme.races.v1.WatchRaceResponse") else {
      throw BenchError("the frames have no type")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 8)
    defer { buffer.deallocate() }
    var watching: [WebSpectator] = []
    var descriptors: [pollfd] = []
    var ledger = SpectatorLedger()
    var (joined, frames) = (0, 0)
    while true {
      let isJoining = shared.withLock(\.isJoining)
      while isJoining, watching.count < spectators, watching.count - joined < Self.joiningMax {
        let number = watching.count
        watching.append(
          try WebSpectator(
            target: target, race: race, token: tokens[number / RaceTown.streamsPerSpectator],
            isDecoded: number % sample == 0))
        descriptors.append(pollfd(fd: watching[number].descriptor, events: Int16(POLLIN), revents: 0))
      }
      if poll(&descriptors, nfds_t(descriptors.count), 10) > 0 {
        for index in descriptors.indices where descriptors[index].revents != 0 {
          let before = watching[index].stream.frames
          try watching[index].receive(buffer) { json in
            try type.message(fromJSON: Array(json)).withUnsafeBytes { try ledger.note($0) }
          }
          let after = watching[index].stream.frames
          frames += after - before
          if before == 0, after > 0 { joined += 1 }
        }
      }
      let (now, latencies) = ((joined: joined, frames: frames), ledger.latencies)
      shared.withLock { shared in
        (shared.joined, shared.frames) = (now.joined, now.frames)
        if shared.isMeasuring { shared.latencies += latencies }
      }
      ledger.latencies.removeAll(keepingCapacity: true)
    }
  }
}

/// What the thread that reads and the bench tell each other.
private final class SharedView: Sendable {
  struct State {
    var isJoining = false
    var isMeasuring = false
    var failure: String?
    var joined = 0
    var frames = 0
    /// From the time of a position to the arrival of the frame with it, in nanoseconds.
    var latencies: [Int64] = []
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
