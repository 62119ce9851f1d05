internal import BenchKit
internal import ExpenditureRules
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

/// Visitors who ask for maps and reports over some connections.
final class QuestionLoad: Sendable {
  typealias Client = ExpenditureServiceClient

  private let voices: [String]
  private let loops: EventLoopGroup
  private let channels: [Channel]
  private let clients: [Client]

  init(_ server: MeasuredServer, _ voices: [String], connections: Int) {
    self.voices = voices
    loops = EventLoopGroup(count: 1)
    let loops = loops
    channels = (0..<connections).map { _ in Channel(target: server.address, loops: loops) }
    clients = channels.map { ExpenditureServiceClient(channel: $0) }
  }

  func close() async {
    for channel in channels { await channel.close() }
    loops.shutdown()
  }

  /// One question after the other.
  /// - Returns: nanoseconds, sorted.
  func latencies(_ count: Int, _ ask: (Client, Int) async throws -> Void) async throws -> [Int64] {
    for number in 0..<count / 10 { try await ask(clients[number % clients.count], number) }
    var latencies: [Int64] = []
    for number in 0..<count {
      try Interruption.check()
      let began = monotonicNanoseconds()
      try await ask(clients[number % clients.count], number)
      latencies.append(monotonicNanoseconds() - began)
    }
    return latencies.sorted()
  }

  /// As many questions as there is time for, maps and reports by turns.
  func perSecond(for duration: Duration, callsPerConnection: Int) async throws -> Double {
    let began = ContinuousClock.now
    let asked = try await withThrowingTaskGroup(of: Int.self) { group in
      for (index, client) in clients.enumerated() {
        for call in 0..<callsPerConnection {
          group.addTask { [self] in
            var count = 0
            while began.duration(to: .now) < duration {
              try Interruption.check()
              let number = index * 1_009 + call * 97 + count
              if number % 2 == 0 { try await map(client, number) } else { try await report(client, number) }
              count += 1
            }
            return count
          }
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(asked) / (began.duration(to: .now) / .seconds(1))
  }

  func map(_ client: Client, _ number: Int) async throws {
    let map = try await client.getMap(.init(view: view(number)))
    try check(map.years.count == SyntheticFiles.years.count, "a map has \(map.years.count) years")
    try check(map.years.allSatisfy { $0.values.count == AccountList.all.count + 1 }, "a map has not all territories")
  }

  func report(_ client: Client, _ number: Int) async throws {
    let territory = AccountList.all[number % AccountList.all.count].text
    let report = try await client.getReport(.init(view: view(number), territory: territory))
    try check(report.unexplainedCents == 0 && !report.parts.isEmpty, "a report's parts don't add up")
    try check(report.others.count == AccountList.all.count, "a report has \(report.others.count) others")
  }

  private func view(_ number: Int) -> Trackme_Expenditure_V1_View {
    .init(
      year: Int32(SyntheticFiles.years.lowerBound + 1 + number % (SyntheticFiles.years.count - 1)),
      voice: voices[number % voices.count],
      measure: [.euros, .perResident, .share, .change][number / 3 % 4],
      pricesOf: number % 5 == 0 ? Int32(SyntheticFiles.years.upperBound) : 0)
  }
}
