internal import ArgumentParser
internal import BenchKit
internal import Glibc
internal import ProtoJSON
internal import RacesBench

/// The process that watches over HTTP, as `SpectatorConversation` says.
struct WebSpectatorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-web-spectators", abstract: "Watches a race over HTTP; started by the benches.",
    shouldDisplay: false)

  /// Streams that wait for their first frame, which is the whole leaderboard.
  private static let joiningMax = 100

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
    guard let type = ProtoSchema.embedded.message("trackme.races.v1.WatchRaceResponse") else {
      throw BenchError("the frames have no type")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 8)
    defer { buffer.deallocate() }
    var watching: [WebSpectator] = []
    var descriptors: [pollfd] = []
    var ledger = SpectatorLedger()
    var (joined, frames) = (0, 0)
    while true {
      let isJoining = conversation.isJoining
      while isJoining, watching.count < spectators, watching.count - joined < Self.joiningMax {
        let number = watching.count
        watching.append(
          try WebSpectator(
            target: target, race: race, token: tokens[number / RaceTown.streamsPerSpectator],
            isDecoded: number % sample == 0))
        descriptors.append(pollfd(fd: watching[number].descriptor, events: Int16(POLLIN), revents: 0))
      }
      if poll(&descriptors, nfds_t(descriptors.count), 10) > 0 {
        for index in descriptors.indices where descriptors[index].revents != 0 {
          let before = watching[index].stream.frames
          try watching[index].receive(buffer) { json in
            try type.message(fromJSON: Array(json)).withUnsafeBytes { try ledger.note($0) }
          }
          let after = watching[index].stream.frames
          frames += after - before
          if before == 0, after > 0 { joined += 1 }
        }
      }
      conversation.note(joined: joined, frames: frames, latencies: ledger.latencies)
      ledger.latencies.removeAll(keepingCapacity: true)
    }
  }
}
