internal import ArgumentParser
internal import BenchKit
internal import Glibc

/// How soon spectators see where runners are, and what watching costs.
struct RaceBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race", abstract: "Watches a race while its runners run.",
    discussion: """
      Runners who are marked present push a position every two seconds, each at its own moment, while spectators watch \
      on streams of their own, each of which gets a frame a second with everyone who has moved.

      fix_to_board_ms runs from the moment in which a position was sent, which is its time, to the arrival of the first \
      frame with it, of every position and of one spectator of a hundred, who decodes its frames; the others count \
      theirs. Half a second of it is the wait for the spectator's turn, on average.

      server_cpu_us_per_spectator_second is the server's processor time with spectators less that of the same runners \
      without, bytes_per_spectator the resident memory that came with them. encodes_per_frame says how often a frame \
      was encoded that was to be sent, to however many spectators.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "A short run: to see that it works.") var quick = false
  @Option(help: "Runners, each with a position every two seconds.") var runners: Int?
  @Option(help: "Streams.") var spectators: Int?
  @Option(help: "Length of what is measured, in seconds.") var seconds: Int?

  func run() throws {
    Interruption.watch()
    let runnerCount = runners ?? (quick ? 500 : 5_000)
    let spectatorCount = spectators ?? (quick ? 200 : 10_000)
    let duration = seconds ?? (quick ? 5 : 30)
    try check((1...20_000).contains(runnerCount), "--runners must be 1 to 20,000")
    try check((1...20_000).contains(spectatorCount), "--spectators must be 1 to 20,000")
    progress("\(runnerCount) runners")
    let server = try MeasuredServer()
    let town = try RaceTown(server, runners: runnerCount, spectators: spectatorCount)
    progress("server process \(server.processID)")
    let running = try LoadProcess(
      ["load-runners", "--target", server.address, "--first", "\(town.firstRunner)", "--runners", "\(runnerCount)"],
      token: server.token)
    let watching = try LoadProcess(
      [
        "load-spectators", "--target", server.address, "--race", "\(town.race)", "--spectators", "\(spectatorCount)",
        "--sample", "\(max(1, min(100, spectatorCount / 20)))",
      ], token: town.tokens.joined(separator: ","))

    // Everybody is on the way.
    try Interruption.sleep(.seconds(5))
    let alone = try measured(server) { try Interruption.sleep(.seconds(max(3, duration / 3))) }
    let memory = server.memory
    progress("\(spectatorCount) spectators join")
    let joined = try watching.measure("join", within: .seconds(600))
    progress("all had the leaderboard after \(Int(try joined["seconds"])) s")
    try Interruption.sleep(.seconds(3))

    let fixes = try running.measure("fixes")["fixes"]
    var seen = Measurements([:])
    let clients = (running: running.processorTime, watching: watching.processorTime)
    let watched = try measured(server) {
      seen = try watching.measure("watch seconds=\(duration)", within: .seconds(duration + 60))
    }
    let bytes = (server.memory - memory) / Double(spectatorCount)
    let fixRate = (try running.measure("fixes")["fixes"] - fixes) / watched.seconds
    progress(
      """
      \(Int(fixRate)) positions/s; \(Int(try seen["frames"] / seen["seconds"])) frames/s; processors: server \
      \(watched.share) (alone \(alone.share)), PostgreSQL \(watched.postgres), runners \
      \(share(running.processorTime - clients.running, watched.seconds)), spectators \
      \(share(watching.processorTime - clients.watching, watched.seconds))
      """)
    let perSecond = watched.time / watched.seconds - alone.time / alone.seconds
    let log = server.stop()
    let encoded = try number("frames_encoded", in: log)
    let due = try number("frames_due", in: log)
    Report(members: [
      "runners": .count(runnerCount),
      "spectators": .count(spectatorCount),
      "fix_to_board_ms_p50": .measured(try seen["p50"]),
      "fix_to_board_ms_p95": .measured(try seen["p95"]),
      "fix_to_board_ms_p99": .measured(try seen["p99"]),
      "server_cpu_us_per_spectator_second": .measured(perSecond / Double(spectatorCount)),
      "bytes_per_spectator": .measured(bytes),
      "encodes_per_frame": .measured(encoded / due),
    ]).print(isJSON: json)
  }

  /// A stretch of time, and processor time of the server in microseconds.
  private struct Stretch {
    let seconds: Double
    let time: Double
    /// Of one processor, in per cent.
    let share: String
    let postgres: String
  }

  private func measured(_ server: MeasuredServer, _ body: () throws -> Void) throws -> Stretch {
    let (began, before) = (monotonicNanoseconds(), server.processorTime)
    try body()
    let (ended, after) = (monotonicNanoseconds(), server.processorTime)
    let seconds = Double(ended - began) / 1e9
    return Stretch(
      seconds: seconds, time: after.server - before.server, share: share(after.server - before.server, seconds),
      postgres: share(after.postgres - before.postgres, seconds))
  }

  private func share(_ microseconds: Double, _ seconds: Double) -> String {
    "\(Int((microseconds / seconds / 1e4).rounded())) %"
  }

  /// A number that the server has logged when it ended.
  private func number(_ name: String, in log: String) throws -> Double {
    guard let word = log.split(whereSeparator: { " \n".contains($0) }).last(where: { $0.hasPrefix(name + "=") }),
      let number = Double(word.dropFirst(name.count + 1))
    else { throw BenchError("the server did not say \(name)") }
    return number
  }
}
