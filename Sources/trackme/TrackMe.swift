import ArgumentParser
import Counterparts

@main
struct TrackMe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackme",
    abstract: "Takes in readings of wearables, keeps them, and delivers them as they are produced.",
    subcommands: [ServeCommand.self, TokenCommand.self, RoadsCommand.self] + areas.flatMap { $0.commands }
      + Counterparts.commands + [BenchCommand.self])
}
