internal import ArgumentParser
internal import BenchKit
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// The process that fills a history and asks about it, one question after the other on one connection. It takes the
/// commands `push`, `summaries` and `newest`, and checks every answer.
struct HistoryLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-history", abstract: "Pushes days and asks about them; started by the benches.",
    shouldDisplay: false)

  @Option var target: String
  @Option var persons: Int
  @Option(help: "The end of the day, in microseconds since the Unix epoch.") var end: Int64

  func run() async throws {
    let history = DayHistory(persons: persons, end: end)
    let loops = EventLoopGroup(count: 1)
    let channel = Channel(target: target, loops: loops)
    let readings = ReadingServiceClient(channel: channel)
    let metadata = LoadToken.metadata
    LoadConversation.sayReady()
    while let command = readLine() {
      let began = monotonicNanoseconds()
      var latencies: [Int64] = []
      switch command {
      case "push": try await history.push(over: channel)
      case "summaries":
        latencies = try await ask { person in
          let answer = try await readings.summarizeReadings(
            .init(
              personID: person, metric: "heart_rate", fromUs: history.start, toUs: history.end, resolution: .minute),
            metadata: metadata)
          return { try history.checkMinutes(answer.summaries, of: person) }
        }
      case "newest":
        latencies = try await ask { person in
          let answer = try await readings.listReadings(
            .init(personID: person, metrics: ["heart_rate"], pageSize: 100), metadata: metadata)
          return { try history.checkNewest(answer.readings, of: person) }
        }
      default: throw BenchError("unknown command \(command)")
      }
      LoadConversation.answer([
        "seconds": Double(monotonicNanoseconds() - began) / 1e9, "p50": latencies.milliseconds(atPercentile: 50),
        "p99": latencies.milliseconds(atPercentile: 99),
      ])
    }
    await channel.close()
    loops.shutdown()
  }

  /// Asks for one person after the other; sorted nanoseconds. Answers are checked when the clock has stopped.
  private func ask(_ question: (Int64) async throws -> () throws -> Void) async throws -> [Int64] {
    var latencies: [Int64] = []
    for person in 1...Int64(persons) {
      let start = monotonicNanoseconds()
      let check = try await question(person)
      latencies.append(monotonicNanoseconds() - start)
      try check()
    }
    return latencies.sorted()
  }
}
