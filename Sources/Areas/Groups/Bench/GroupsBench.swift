internal import ArgumentParser
internal import BenchKit
internal import Console
internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// How long an answer about a group takes, and what it costs to be able to give one.
struct GroupsBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups", abstract: "Asks about groups of 100,000 persons, over 30 days.",
    discussion: """
      The cells are written by the bench: every person has readings in every hour. Each question is new: it differs from \
      those before in ages, weights, sex, hours or place, and each answer is compared with the number of persons. \
      Answers leave at multiples of a time that follows from the question (docs/groups.md). Then 10,000 persons push readings to a server for which they share them, and \
      to another one for which they do not, in turn.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "5,000 persons: to see that it works.") var quick = false
  @Option(help: "Persons.") var persons = 100_000
  @Option(help: "Days.") var days = 30
  @Option(help: "Questions.") var questions = 100
  @Option(help: "Readings of each push.") var readings = 2_000_000
  @Option(help: "Pushes to each of the two servers.") var rounds = 3

  func run() async throws {
    Interruption.watch()
    let count = quick ? 5_000 : persons
    let now = wallClock()
    let answers = try await ask(about: count, now: now)
    let million = Double(count) * Double(days) * 24 / 1e6
    let ratio = try ingestRatio(readings: quick ? 200_000 : readings, now: now)
    Report(members: [
      "persons": .count(count),
      "days": .count(days),
      "cells": .count(count * days * 24),
      "questions": .count(answers.latencies.count),
      "fresh_query_ms_p50": .measured(answers.latencies.milliseconds(atPercentile: 50)),
      "fresh_query_ms_p99": .measured(answers.latencies.milliseconds(atPercentile: 99)),
      "ms_per_million_cells": .measured(answers.processorTime / 1_000 / million),
      "server_cpu_ms_per_query": .measured(answers.serverTime / 1_000),
      "postgres_cpu_ms_per_query": .measured((answers.processorTime - answers.serverTime) / 1_000),
      "cell_bytes_per_person_day": .measured(answers.bytes / Double(count * days)),
      "ingest_ratio_to_without": .measured(ratio),
    ]).print(isJSON: json)
  }

  private struct Answers {
    /// Nanoseconds, sorted.
    var latencies: [Int64] = []
    /// Microseconds of the server, a question.
    var serverTime = 0.0
    /// Microseconds of the server and its PostgreSQL, a question.
    var processorTime = 0.0
    var bytes = 0.0
  }

  private func ask(about count: Int, now: Microseconds) async throws -> Answers {
    let budget = "10000000000"
    let server = try MeasuredServer(["TRACKME_GROUP_BUDGET": budget, "TRACKME_GROUP_BUDGET_OF_ALL": budget])
    progress("adding \(count) persons")
    let town = try GroupTown(server, persons: count, areSharing: true, now: now)
    let last = Int32(now / 24 / Chunk.hour)
    progress("writing cells")
    var answers = Answers()
    answers.bytes = try town.writeCells(of: GroupTown.metrics[0], (last - Int32(days))..<last)
    progress("asking \(questions) questions")
    let loops = EventLoopGroup(count: 1)
    let channel = Channel(target: server.address, loops: loops)
    let groups = GroupServiceClient(channel: channel)
    let metadata: Metadata = ["authorization": "Bearer \(try town.thirdParty())"]
    let before = server.processorTime
    for number in 0..<questions {
      try Interruption.check()
      let began = monotonicNanoseconds()
      let answer = try await groups.queryGroup(
        .init(question: question(number, from: last - Int32(days), to: last - 1)), metadata: metadata)
      answers.latencies.append(monotonicNanoseconds() - began)
      let found = answer.answer?.results.first?.persons?.value ?? 0
      try check(found > 900 && found < Double(count) + 300, "a group has \(found) persons")
    }
    let after = server.processorTime
    answers.latencies.sort()
    answers.serverTime = (after.server - before.server) / Double(questions)
    answers.processorTime = answers.serverTime + (after.postgres - before.postgres) / Double(questions)
    await channel.close()
    loops.shutdown()
    return answers
  }

  /// One of many questions; every fourth is about everybody.
  private func question(_ number: Int, from first: Int32, to last: Int32) -> Trackme_Groups_V1_GroupQuestion {
    func text(_ day: Int32) -> String { CalendarDate(daysSinceEpoch: Int(day))?.text ?? "" }
    var question = Trackme_Groups_V1_GroupQuestion(
      metrics: ["heart_rate"], fromDate: text(first), toDate: text(last), statistics: [.mean], precision: .medium,
      minimumPersons: Int32(1_000 + number))
    switch number % 4 {
    case 1: question.sex = .female
    case 2: (question.fromHour, question.toHour) = (22, 6)
    case 3: question.box = .init(south: 38, west: 8, north: 46, east: 16)
    default: break
    }
    return question
  }

  /// Readings a second where they go into cells every few seconds, compared with where they go into none.
  private func ingestRatio(readings: Int, now: Microseconds) throws -> Double {
    let servers = try [true, false].map { isSharing in
      let server = try MeasuredServer(["TRACKME_GROUP_EPOCH_SECONDS": "5"])
      let town = try GroupTown(server, persons: 10_000, areSharing: isSharing, now: now)
      try check(town.persons.first == 1 && town.persons.last == 10_000, "the persons' numbers have gaps")
      try town.addMetrics()
      return (server, town)
    }
    var rates: [[Double]] = [[], []]
    let start = Chunk.hourStart(of: now) - 3 * Chunk.hour
    for round in 0..<rounds {
      for (index, (server, town)) in servers.enumerated() {
        progress("round \(round + 1): pushing \(index == 0 ? "with" : "without") cells")
        let load = try LoadProcess(
          [
            "load-readings", "--target", server.address, "--start", "\(start)", "--skip", "\(round * readings)",
            "--readings", "\(readings)", "--readings-per-message", "100", "--window", "64", "--connections", "4",
          ], token: server.token)
        rates[index].append(Double(readings) / (try load.go()["seconds"]))
        try town.settle()
        if index == 0 { try town.gather() }
      }
    }
    try withExtendedLifetime(servers) {
      try check(servers[0].1.hasCells(of: GroupTown.metrics[0]), "readings did not go into cells")
      try check(!servers[1].1.hasCells(of: GroupTown.metrics[0]), "readings went into cells")
    }
    return rates[0].median / rates[1].median
  }
}
