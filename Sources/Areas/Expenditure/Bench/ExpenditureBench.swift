internal import ArgumentParser
internal import BenchKit
internal import Console
internal import ExpenditureRules
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// How long thirteen years of accounts take to come in, and maps and reports to come out.
struct ExpenditureBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expenditure", abstract: "Imports 940,000 rows of accounts, and asks for maps and reports.",
    discussion: """
      The files have the official form and made-up numbers: 554 voices, 21 accounts and Italy in 2012 to 2024, which agree \
      to the cent, and the bodies below them. They are imported and published by `trackme expenditure`, with all checks; \
      what is measured is the import of the bodies. Then one question after the other is asked over four connections, and \
      after that as many as there is time for. Each differs from the one before in voice, measure and territory.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "200,000 rows: to see that it works.") var quick = false
  @Option(help: "Rows of bodies.") var rows = 940_000
  @Option(help: "Questions of each kind, one after the other.") var questions = 2_000
  @Option(help: "Seconds of as many questions as there is time for.") var seconds = 5

  /// With fewer, bodies beside the consolidations would have no accounts.
  private static let rowsMin = 200_000
  private static let connections = 4
  private static let callsPerConnection = 4

  func validate() throws {
    guard rows >= Self.rowsMin else { throw ValidationError("--rows must be at least \(Self.rowsMin)") }
    guard questions >= 100, seconds > 0 else {
      throw ValidationError("ask 100 questions at least, for a second at least")
    }
  }

  func run() async throws {
    Interruption.watch()
    let scratch = try ScratchDirectory()
    progress("writing files")
    let files = try SyntheticFiles(in: scratch.path, bodyRows: quick ? Self.rowsMin : rows)
    let server = try MeasuredServer()
    let importing = ImportProcess(server: server)
    progress("importing the accounts of regions")
    let accounts = try importing.publish(files.accounts)
    progress("importing \(files.rows) rows of bodies")
    let bodies = try importing.publish(files.bodies, rows: files.rows)
    progress("asking")
    let load = QuestionLoad(server, files.questions, connections: Self.connections)
    let maps = try await load.latencies(quick ? 200 : questions) { client, number in try await load.map(client, number)
    }
    let reports = try await load.latencies(quick ? 200 : questions) { client, number in
      try await load.report(client, number)
    }
    let rate = try await load.perSecond(for: .seconds(quick ? 1 : seconds), callsPerConnection: Self.callsPerConnection)
    await load.close()
    Report(members: [
      "rows": .count(files.rows),
      "file_megabytes": .measured(Double(files.bytes) / 1e6),
      "import_seconds": .measured(bodies.seconds),
      "import_peak_mib": .measured(bodies.peakMebibytes),
      "accounts_import_seconds": .measured(accounts.seconds),
      "map_ms_p50": .measured(maps.milliseconds(atPercentile: 50)),
      "map_ms_p99": .measured(maps.milliseconds(atPercentile: 99)),
      "report_ms_p50": .measured(reports.milliseconds(atPercentile: 50)),
      "report_ms_p99": .measured(reports.milliseconds(atPercentile: 99)),
      "requests_per_second": .measured(rate),
      "server_peak_mib": .measured(server.peakMemory),
    ]).print(isJSON: json)
  }
}
