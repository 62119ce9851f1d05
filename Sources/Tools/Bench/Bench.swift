import ArgumentParser

/// Measures a fresh server. Every bench starts its own, with data in a temporary directory, checks what it measures,
/// and leaves neither a process nor a file behind.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackme bench", abstract: "Measures a fresh server on this machine.",
    subcommands: [
      IngestBench.self, PushBench.self, QueryBench.self, SosBench.self, RaceBench.self,
      // What the benches start, each in a process of its own.
      ReadingLoad.self, CopyLoad.self, SubscriberLoad.self, HistoryLoad.self, SosLoad.self, DispatcherLoad.self,
      MonitorLoad.self, RunnerLoad.self, SpectatorLoad.self,
    ])
}

/// What a bench says when it can't go on, or when a measured server has not done its work right.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds. A bench that measures wrong answers is worth nothing.
func check(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
  if !condition { throw BenchError(problem()) }
}
