import ArgumentParser
import RPCRuntime
import ServiceAPI
import WireCodec

/// How long a person waits for a chart of a day, and for the newest readings.
struct QueryBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Asks for a day's minutes and the newest readings of 200 persons.",
    discussion: """
      Each person has a day of heart rate at 1 Hz, 86,400 readings, pushed second by second as they would come live. When \
      they are in chunks, each person's day is summarised to minutes, one person after the other on one connection, and \
      every answer is compared with the readings. Then each person's newest 100 readings are asked for.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "20 persons: to see that it works.") var quick = false
  @Option(help: "Persons, each asked for once.") var persons = 200

  func run() async throws {
    Interruption.watch()
    let server = try MeasuredServer()
    let store = try MeasuredStore(server)
    let history = DayHistory(persons: quick ? 20 : persons, end: try store.closedHour())
    let loops = EventLoopGroup(count: 1)
    let channel = Channel(target: server.address, loops: loops)
    let metadata: Metadata = ["authorization": "Bearer \(server.token)"]

    progress("pushing \(history.count) readings")
    try await history.push(over: channel, metadata)
    try check(store.storedReadings() == history.count, "the server does not hold what was acknowledged")
    progress("waiting for compaction")
    try store.settle()

    progress("asking")
    let before = server.processorTime
    let summaries = try await latencies(history) { person in
      let answer = try await ReadingServiceClient(channel: channel).summarizeReadings(
        .init(
          personID: person, metric: "heart_rate", fromUs: history.start, toUs: history.end, resolution: .minute),
        metadata: metadata)
      return { try history.check(answer.summaries, of: person) }
    }
    let after = server.processorTime
    let newest = try await latencies(history) { person in
      let answer = try await ReadingServiceClient(channel: channel).listReadings(
        .init(personID: person, metrics: ["heart_rate"], pageSize: 100), metadata: metadata)
      return { try history.checkNewest(answer.readings, of: person) }
    }
    await channel.close()
    loops.shutdown()
    Report(members: [
      "persons": .count(history.persons),
      "readings": .count(history.count),
      "summary_ms_p50": .measured(summaries.milliseconds(atPercentile: 50)),
      "summary_ms_p99": .measured(summaries.milliseconds(atPercentile: 99)),
      "latest_ms_p50": .measured(newest.milliseconds(atPercentile: 50)),
      "latest_ms_p99": .measured(newest.milliseconds(atPercentile: 99)),
      "summary_server_cpu_ms": .measured((after.server - before.server) / 1_000 / Double(history.persons)),
      "summary_postgres_cpu_ms": .measured((after.postgres - before.postgres) / 1_000 / Double(history.persons)),
      "peak_rss_mib": .measured(server.peakMemory),
    ]).print(isJSON: json)
  }

  /// Asks for one person after the other; sorted nanoseconds. Answers are checked when the clock has stopped.
  private func latencies(
    _ history: DayHistory, _ ask: (Int64) async throws -> () throws -> Void
  ) async throws -> [Int64] {
    var latencies: [Int64] = []
    for person in 1...Int64(history.persons) {
      let start = monotonicNanoseconds()
      let check = try await ask(person)
      latencies.append(monotonicNanoseconds() - start)
      try check()
    }
    return latencies.sorted()
  }
}
