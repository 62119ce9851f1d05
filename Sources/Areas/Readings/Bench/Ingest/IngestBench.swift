internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Glibc
internal import Postgres

/// How many readings a second a server takes in, durably, beside plain PostgreSQL doing the same.
struct IngestBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Pushes readings in messages of 5,000, 100 and 1, and compares with COPY.",
    discussion: """
      10,000 persons report 4 metrics each, in turn, over 4 streams, and every reading must be acknowledged, which \
      means committed. The same rows then go by binary COPY over 4 connections into a bare table and into one with a \
      primary key, in the same PostgreSQL, durably as well.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "A tenth of the readings: to see that it works.") var quick = false
  @Option(help: "Readings of the larger cases; the case of 1 a message takes a tenth.") var readings: Int?
  @Option(help: "Rounds; the report has the medians.") var rounds = 1
  @Option(help: "Messages of each size: a subset of 5000,100,1.") var sizes = "5000,100,1"
  @Option(help: "Connections of the 4 streams.") var connections = 4
  @Option(help: "Unacknowledged messages of a stream, for the sizes in turn.") var windows = "8,64,1024"
  @Flag(inversion: .prefixedNo, help: "Copy the same rows into plain tables.") var copy = true
  @Flag(inversion: .prefixedNo, help: "Run the C++ echo server for comparison.") var echo = true

  func run() throws {
    Interruption.watch()
    let server = try MeasuredServer()
    progress("server process \(server.processID)")
    let store = try MeasuredStore(server)
    let start = try store.closedHour()
    let large = readings ?? (quick ? 200_000 : 2_000_000)
    let parsed = sizes.split(separator: ",").compactMap { Int($0) }
    let windows = windows.split(separator: ",").compactMap { Int($0) }
    try check(parsed.count <= windows.count && !parsed.isEmpty, "--sizes and --windows don't fit together")
    let cases = zip(parsed, windows).map { size, window in
      IngestCase(readingsPerMessage: size, window: window, readings: size == 1 ? max(1, large / 10) : large)
    }
    var results = [[IngestMeasurement]](repeating: [], count: cases.count)
    var pushed = 0
    for round in 1...max(1, rounds) {
      for (index, one) in cases.enumerated() {
        progress("round \(round): \(one.readingsPerMessage) a message")
        var measured = try one.push(to: server, store, start: start, skip: pushed, connections: connections)
        pushed += one.readings
        try check(store.storedReadings() == pushed, "the log and the chunks do not hold what was acknowledged")
        measured.compaction = try compactionTime(server, store)
        try check(store.storedReadings() == pushed, "compaction changed the number of readings")
        if copy {
          measured.bareCopy = try one.copy(into: .bare, server, store, start: start)
          measured.keyedCopy = try one.copy(into: .keyed, server, store, start: start)
        }
        progress("  \(measured.progress)")
        results[index].append(measured)
      }
    }
    let small = cases.first { $0.readingsPerMessage == 1 }
    let program = echo && small != nil ? EchoServer.program() : nil
    if echo, small != nil, program == nil { progress("no C++ echo server: make -C Tests/Echo builds it") }
    func echoTime(_ mode: EchoServer.Mode) throws -> JSONValue {
      guard let small, let program else { return .null }
      progress("C++ echo server, \(mode.rawValue)")
      return .measured(try (0..<rounds).map { _ in try small.push(to: program, mode, connections: connections) }.median)
    }
    let disk = try store.diskBytes() / Double(pushed)
    let live = try store.liveDiskBytes() / Double(pushed)
    Report(members: [
      "cases": .array(zip(cases, results).map { $0.report($1) }),
      "disk_bytes_per_reading": .measured(disk),
      "disk_live_bytes_per_reading": .measured(live),
      "peak_rss_mib": .measured(server.peakMemory),
      "cpp_echo_cpu_us_per_message": try echoTime(.each),
      "cpp_echo_cumulative_cpu_us_per_message": try echoTime(.cumulative),
      "streams": .count(4),
      "connections": .count(min(4, connections)),
      "rounds": .count(rounds),
    ]).print(isJSON: json)
  }

  /// Waits for compaction, which no later measurement shall pay for.
  private func compactionTime(
    _ server: MeasuredServer, _ store: MeasuredStore
  ) throws -> (server: Double, postgres: Double) {
    let before = server.processorTime
    try store.settle()
    let after = server.processorTime
    return (after.server - before.server, after.postgres - before.postgres)
  }
}
