internal import ArgumentParser
internal import BenchKit
internal import Glibc

/// The process that watches, as `SpectatorConversation` says.
struct SpectatorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-spectators", abstract: "Watches a race; started by the benches.", shouldDisplay: false)

  /// Streams that wait for their first frame, which is the whole leaderboard.
  private static let joiningMax = 300
  private static let streamsPerConnection = 800

  @Option var target: String
  @Option var race: Int64
  @Option var spectators: Int
  @Option(help: "One stream of so many is decoded.") var sample: Int

  func run() throws {
    let (load, conversation) = (self, SpectatorConversation())
    try conversation.hold(spectators: spectators) { try load.read(tokens: $0, conversation) }
  }

  /// The thread on which everything is read.
  private func read(tokens: [String], _ conversation: SpectatorConversation) throws {
    let count = (spectators + Self.streamsPerConnection - 1) / Self.streamsPerConnection
    let connections = try (0..<max(1, count)).map { _ in try SpectatorConnection(target: target) }
    var descriptors = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var opened = 0
    var ledger = SpectatorLedger()
    while true {
      let joined = connections.reduce(0) { sum, one in sum + one.streams.reduce(0) { $0 + ($1.frames > 0 ? 1 : 0) } }
      let isJoining = conversation.isJoining
      while isJoining, opened < spectators, opened - joined < Self.joiningMax {
        try connections[opened % connections.count].watch(
          race, token: tokens[opened / RaceTown.streamsPerSpectator], isDecoded: opened % sample == 0)
        opened += 1
      }
      // Many reads for one look at everything.
      for _ in 0..<32 {
        guard poll(&descriptors, nfds_t(descriptors.count), 10) > 0 else { break }
        for (index, connection) in connections.enumerated() where descriptors[index].revents != 0 {
          try connection.receive(into: &ledger)
        }
      }
      let frames = connections.reduce(0) { sum, one in sum + one.streams.reduce(0) { $0 + $1.frames } }
      conversation.note(joined: joined, frames: frames, latencies: ledger.latencies)
      ledger.latencies.removeAll(keepingCapacity: true)
    }
  }
}
