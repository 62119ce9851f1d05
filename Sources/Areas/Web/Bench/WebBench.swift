internal import ArgumentParser
internal import BenchKit
internal import Glibc
internal import RacesBench
internal import ReadingsBench
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// What browsers cost: streams and calls over HTTP with JSON.
struct WebBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Watches a race over HTTP, and asks for charts.",
    discussion: """
      First one program asks for a day's minutes of persons who have a day of heart rate at 1 Hz, over HTTP with JSON, and \
      then for the same small thing over HTTP and over gRPC: unary_cpu_ratio_to_grpc compares the server's processor \
      time.

      Then runners who are marked present push a position every two seconds, while spectators watch on a connection \
      each, by the Connect protocol with JSON, and get a frame a second with everyone who has moved. \
      fix_to_frame_ms runs from the time of a position to the arrival of the first frame with it, of every position and \
      of one spectator of a hundred, who decodes its frames. server_cpu_us_per_spectator_second is the server's processor \
      time with spectators less that of the same runners without, bytes_per_spectator the resident memory that came with \
      them. json_encodes_per_frame says how often a frame was made JSON that was to be sent, to however many spectators.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "A short run: to see that it works.") var quick = false
  @Option(help: "Runners, each with a position every two seconds.") var runners: Int?
  @Option(help: "Streams: server and client need a file descriptor for each.") var spectators: Int?
  @Option(help: "Length of what is measured, in seconds.") var seconds: Int?

  func run() async throws {
    Interruption.watch()
    let runnerCount = runners ?? (quick ? 500 : 5_000)
    let spectatorCount = spectators ?? (quick ? 200 : 10_000)
    let duration = seconds ?? (quick ? 5 : 30)
    try check((1...20_000).contains(runnerCount), "--runners must be 1 to 20,000")
    try check((1...19_000).contains(spectatorCount), "--spectators must be 1 to 19,000")
    let calls = try await Self.calls(persons: quick ? 5 : 40, count: quick ? 200 : 4_000)
    let watching = try Self.race(runners: runnerCount, spectators: spectatorCount, seconds: duration)
    Report(members: [
      "runners": .count(runnerCount),
      "spectators": .count(spectatorCount),
      "fix_to_frame_ms_p50": .measured(try watching.seen["p50"]),
      "fix_to_frame_ms_p95": .measured(try watching.seen["p95"]),
      "server_cpu_us_per_spectator_second": .measured(watching.microseconds),
      "bytes_per_spectator": .measured(watching.bytes),
      "json_encodes_per_frame": .measured(watching.encodings),
      "summary_ms_p50": .measured(calls.summary),
      "unary_cpu_ratio_to_grpc": .measured(calls.ratio),
    ]).print(isJSON: json)
  }

  // MARK: Calls

  /// - Returns: how long a day as minutes takes, in milliseconds, and what a call costs the server compared with one of
  ///   gRPC.
  private static func calls(persons: Int, count: Int) async throws -> (summary: Double, ratio: Double) {
    let server = try MeasuredServer(["TRACKME_WEB_LISTEN": "127.0.0.1:0"])
    let store = try MeasuredStore(server)
    let history = DayHistory(persons: persons, end: try store.closedHour())
    let load = try LoadProcess(
      ["load-history", "--target", server.address, "--persons", "\(persons)", "--end", "\(history.end)"],
      token: server.token)
    progress("pushing \(history.count) readings")
    _ = try load.measure("push")
    try store.settle()
    let web = try WebClient(target: try server.webAddress(), token: server.token)
    let service = "/trackme.readings.v1.ReadingService/"
    var latencies: [Int64] = []
    for person in 1...persons {
      let began = monotonicNanoseconds()
      let answer = try web.call(
        service + "SummarizeReadings",
        #"{"personId":"\#(person)","metric":"heart_rate","fromUs":"\#(history.start)","toUs":"\#(history.end)","#
          + #""resolution":"RESOLUTION_MINUTE"}"#)
      latencies.append(monotonicNanoseconds() - began)
      let minutes = answer.split(separator: UInt8(ascii: "{")).count - 1
      try check(minutes == DayHistory.seconds / 60, "person \(person) has \(minutes) minutes")
    }
    progress("\(count) small calls, over HTTP and over gRPC")
    let loops = EventLoopGroup(count: 1)
    let channel = Channel(target: server.address, loops: loops)
    let readings = ReadingServiceClient(channel: channel)
    var metadata = Metadata()
    metadata.append("authorization", "Bearer \(server.token)")
    func overGRPC(_ count: Int) async throws {
      for _ in 0..<count { _ = try await readings.getCurrentStatus(.init(personID: 1), metadata: metadata) }
    }
    func overHTTP(_ count: Int) throws {
      for _ in 0..<count { _ = try web.call(service + "GetCurrentStatus", #"{"personId":"1"}"#) }
    }
    // By turns, as the machine's speed drifts.
    var (http, grpc) = (0.0, 0.0)
    try await overGRPC(count / 10)
    try overHTTP(count / 10)
    for _ in 0..<4 {
      let first = server.processorTime.server
      try overHTTP(count / 4)
      let second = server.processorTime.server
      try await overGRPC(count / 4)
      http += second - first
      grpc += server.processorTime.server - second
    }
    await channel.close()
    loops.shutdown()
    progress("\(Int(http / Double(count))) µs a call over HTTP, \(Int(grpc / Double(count))) µs over gRPC")
    return (latencies.sorted().milliseconds(atPercentile: 50), http / grpc)
  }

  // MARK: Streams

  private struct Watching {
    let seen: Measurements
    /// Of the server's processor time, for each spectator and second.
    let microseconds: Double
    /// Of memory, for each spectator.
    let bytes: Double
    /// Of JSON, for each frame.
    let encodings: Double
  }

  private static func race(runners: Int, spectators: Int, seconds: Int) throws -> Watching {
    let server = try MeasuredServer([
      "TRACKME_WEB_LISTEN": "127.0.0.1:0", "TRACKME_WEB_CONNECTIONS": "\(max(100, spectators + spectators / 20))",
    ])
    let town = try RaceTown(server, runners: runners, spectators: spectators)
    progress("\(runners) runners; server process \(server.processID)")
    let running = try LoadProcess(
      ["load-runners", "--target", server.address, "--first", "\(town.firstRunner)", "--runners", "\(runners)"],
      token: server.token)
    let watching = try LoadProcess(
      [
        "load-web-spectators", "--target", try server.webAddress(), "--race", "\(town.race)", "--spectators",
        "\(spectators)", "--sample", "\(max(1, min(100, spectators / 20)))",
      ], token: town.tokens.joined(separator: ","))
    // Everybody is on the way.
    try Interruption.sleep(.seconds(5))
    let alone = try load(of: server) { try Interruption.sleep(.seconds(max(3, seconds / 3))) }
    let memory = server.memory
    progress("\(spectators) spectators join")
    let joined = try watching.measure("join", within: .seconds(600))
    progress("all had the leaderboard after \(Int(try joined["seconds"])) s")
    try Interruption.sleep(.seconds(3))
    var seen = Measurements([:])
    let watched = try load(of: server) {
      seen = try watching.measure("watch seconds=\(seconds)", within: .seconds(seconds + 60))
    }
    let bytes = (server.memory - memory) / Double(spectators)
    progress("\(Int(try seen["frames"] / seen["seconds"])) frames/s; server \(Int(watched / 1e4)) % of a processor")
    _ = running
    let log = server.stop()
    let encodings = try number("json_frames", in: log) / number("frames_due", in: log)
    return Watching(
      seen: seen, microseconds: (watched - alone) / Double(spectators), bytes: bytes, encodings: encodings)
  }

  /// The server's processor time a second, in microseconds.
  private static func load(of server: MeasuredServer, _ body: () throws -> Void) throws -> Double {
    let (began, before) = (monotonicNanoseconds(), server.processorTime.server)
    try body()
    return (server.processorTime.server - before) / (Double(monotonicNanoseconds() - began) / 1e9)
  }

  /// A number that the server has logged when it ended.
  private static func number(_ name: String, in log: String) throws -> Double {
    guard let word = log.split(whereSeparator: { " \n".contains($0) }).last(where: { $0.hasPrefix(name + "=") }),
      let number = Double(word.dropFirst(name.count + 1))
    else { throw BenchError("the server did not say \(name)") }
    return number
  }
}
