internal import AreaKit
internal import ArgumentParser
internal import Domain
internal import Log
internal import Postgres

struct SeedPersonsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed-persons",
    abstract: "Adds persons for demonstrations, tests and measurements, and prints their numbers, one a line.",
    discussion:
      "They share readings anonymously, and nobody can log in as one of them. Not for a server with real persons.")

  @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
  var dataDir: String

  @Option(help: "How many: 1 to 1,000,000.")
  var count = 1_200

  @Option(help: ArgumentHelp("A kind that they share; several times for several kinds.", valueName: "name"))
  var metric: [String] = ["heart_rate"]

  @Option(help: "Since how many days: 0 to 3,660.")
  var days = 366

  func validate() throws {
    guard 1...SeedPersons.countMax ~= count else { throw ValidationError("--count must be from 1 to 1,000,000") }
    guard 0...3_660 ~= days else { throw ValidationError("--days must be from 0 to 3,660") }
  }

  func run() async throws {
    let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
    let catalog = try await MetricRegistry.load(from: pool).catalog
    let metrics = try metric.map { name in
      guard let found = catalog[name] else { throw ValidationError("--metric \(name) is none of the registry") }
      return found.id
    }
    let (count, now) = (count, wallClock())
    guard let today = CalendarDate(utc: now) else { throw ValidationError("the clock is wrong") }
    let since = Chunk.hourStart(of: now) - Microseconds(days) * 24 * Chunk.hour
    let persons = try await pool.withConnection { connection in
      try connection.inTransaction {
        try SeedPersons.add(count, sharing: metrics, countsFrom: since, on: today, $0)
      }
    }
    await pool.shutdown()
    print(persons.map { String($0) }.joined(separator: "\n"))
  }
}
