internal import ArgumentParser
internal import BenchKit
internal import Glibc

/// How soon a crossing is decided on and taken by a dispatcher while the machine takes in all that it can.
struct SosBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sos", abstract: "Crosses limits of monitored persons at the full rate of ingest.",
    discussion: """
      Persons with AutomatedSOS on are monitored while streams push healthy readings of theirs as fast as the server \
      takes them in, 5,000 a message. Meanwhile limits of randomly chosen persons are crossed at random moments, half \
      of them by readings in the midst of such messages and half by messages of their own: two values of blood oxygen \
      that lie the hold time of 3 s apart by their own times, so that the second one's receipt completes the crossing \
      and no timer is waited for. A dispatcher in a process of its own accepts each call at once.

      decision_ms runs from the receipt of the reading that completes the crossing (Crossing.completed_us) to the \
      decision (Emergency.detected_us), accepted_ms from there to the dispatcher's acceptance as the server got it: all \
      by the server's clock, as it has kept them.

      evaluation_ns_per_reading and bytes_per_person are measured within a process of its own: processor time of the \
      monitor for messages of healthy readings, and resident memory for persons with heart rate, oxygen and a position.
      """)

  @Flag(help: "Print one JSON object.") var json = false
  @Flag(help: "A short run: to see that it works.") var quick = false
  @Option(help: "Monitored persons.") var persons = 100_000
  @Option(help: "Crossings, each of another person.") var crossings: Int?
  @Option(help: "Length of the load, in seconds.") var seconds: Int?
  @Option(help: "Streams of the load.") var streams = 4
  @Option(help: "Unacknowledged messages of a stream.") var window = 8

  func run() throws {
    Interruption.watch()
    let count = crossings ?? (quick ? 100 : 500)
    let duration = seconds ?? (quick ? 5 : 30)
    try check(persons > count, "--persons must be more than --crossings")
    progress("the monitor by itself")
    let monitor = try LoadProcess(["load-monitor", "--persons", "\(persons)"]).go()

    progress("\(persons) persons")
    let server = try MeasuredServer()
    let city = try MonitoredCity(server, persons: persons)
    progress("server process \(server.processID)")
    let dispatcher = try LoadProcess(["load-dispatcher", "--target", server.address], token: city.dispatcherToken)
    let load = try LoadProcess(
      [
        "load-sos", "--target", server.address, "--first", "\(city.firstPerson)", "--persons", "\(persons)",
        "--crossings", "\(count)", "--seconds", "\(duration)", "--streams", "\(streams)", "--window", "\(window)",
      ], token: server.token)
    try city.waitUntilMonitored { _ = try load.measure("canary") }
    _ = try load.measure("positions")

    progress("\(count) crossings by two readings 3 s apart: the second one's receipt completes the hold, no timer")
    let run = try load.measure("run", within: .seconds(duration + 120))
    let outcome = try city.outcome(of: count)
    try check(
      try dispatcher.measure("calls")["emergencies"] == Double(count + 1), "the dispatcher was called for others")
    Report(members: [
      "monitored_persons": .count(persons),
      "readings_per_second": .measured(try run["readings"] / run["seconds"]),
      "decision_ms_p50": .measured(outcome.decision.milliseconds(atPercentile: 50)),
      "decision_ms_p99": .measured(outcome.decision.milliseconds(atPercentile: 99)),
      "decision_ms_p999": .measured(outcome.decision.milliseconds(atPercentile: 99.9)),
      "decision_ms_max": .measured(outcome.decision.milliseconds(atPercentile: 100)),
      "accepted_ms_p50": .measured(outcome.accepted.milliseconds(atPercentile: 50)),
      "accepted_ms_p99": .measured(outcome.accepted.milliseconds(atPercentile: 99)),
      "accepted_ms_max": .measured(outcome.accepted.milliseconds(atPercentile: 100)),
      "evaluation_ns_per_reading": .measured(try monitor["evaluation_ns"]),
      "bytes_per_person": .measured(try monitor["bytes"]),
    ]).print(isJSON: json)
  }
}
