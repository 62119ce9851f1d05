internal import ArgumentParser
internal import BenchKit

/// How long a person waits for a chart of a day, and for the newest readings.
struct QueryBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Asks for a day's minutes and the newest readings of 200 persons.",
    discussion: """
      Each person has a day of heart rate at 1 Hz, 86,400 readings, pushed second by second as they would come live. \
      When they are in chunks, each person's day is summarised to minutes, one person after the other on one \
      connection, and every answer is compared with the readings. Then each person's newest 100 readings are asked for.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "20 persons: to see that it works.") var quick = false
  @Option(help: "Persons, each asked for once.") var persons = 200

  func run() throws {
    Interruption.watch()
    let server = try MeasuredServer()
    let store = try MeasuredStore(server)
    let history = DayHistory(persons: quick ? 20 : persons, end: try store.closedHour())
    let load = try LoadProcess(
      ["load-history", "--target", server.address, "--persons", "\(history.persons)", "--end", "\(history.end)"],
      token: server.token)

    progress("pushing \(history.count) readings")
    _ = try load.measure("push")
    try check(store.storedReadings() == history.count, "the server does not hold what was acknowledged")
    progress("waiting for compaction")
    try store.settle()
    try check(store.storedReadings() == history.count, "compaction changed the number of readings")

    progress("asking")
    let before = server.processorTime
    let summaries = try load.measure("summaries")
    let after = server.processorTime
    let newest = try load.measure("newest")
    Report(members: [
      "persons": .count(history.persons),
      "readings": .count(history.count),
      "summary_ms_p50": .measured(try summaries["p50"]),
      "summary_ms_p99": .measured(try summaries["p99"]),
      "latest_ms_p50": .measured(try newest["p50"]),
      "latest_ms_p99": .measured(try newest["p99"]),
      "summary_server_cpu_ms": .measured((after.server - before.server) / 1_000 / Double(history.persons)),
      "summary_postgres_cpu_ms": .measured((after.postgres - before.postgres) / 1_000 / Double(history.persons)),
      "peak_rss_mib": .measured(server.peakMemory),
    ]).print(isJSON: json)
  }
}
