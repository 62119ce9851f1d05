import ArgumentParser
import Glibc
import Postgres

/// How many readings a second a server takes in, durably, beside plain PostgreSQL doing the same.
struct IngestBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Pushes readings in messages of 5,000, 100 and 1, and compares with COPY.",
    discussion: """
      10,000 persons report 4 metrics each, in turn, over 4 streams, and every reading must be acknowledged, which means \
      committed. The same rows then go by binary COPY over 4 connections into a bare table and into one with a primary \
      key, in the same PostgreSQL, durably as well.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "A tenth of the readings: to see that it works.") var quick = false
  @Option(help: "Readings of the larger cases; the case of 1 a message takes a tenth.") var readings: Int?
  @Option(help: "Rounds; the report has the medians.") var rounds = 1
  @Option(help: "Messages of each size: a subset of 5000,100,1.") var sizes = "5000,100,1"
  @Option(help: "Connections of the 4 streams.") var connections = 4
  @Option(help: "Unacknowledged messages of a stream, for the sizes in turn.") var windows = "8,64,1024"
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
        measured.bareCopy = try one.copy(into: .bare, server, store, start: start)
        measured.keyedCopy = try one.copy(into: .keyed, server, store, start: start)
        progress("  \(measured.progress)")
        results[index].append(measured)
      }
    }
    progress("compacting")
    try store.settle()
    try check(store.storedReadings() == pushed, "compaction changed the number of readings")
    let disk = try store.diskBytes() / Double(pushed)
    Report(members: [
      "cases": .array(zip(cases, results).map { $0.report($1) }),
      "disk_bytes_per_reading": .measured(disk),
      "peak_rss_mib": .measured(server.peakMemory),
    ]).print(isJSON: json)
  }
}
