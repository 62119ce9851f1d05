import AreaKit
import ArgumentParser
import Counterparts
import Log

@main
struct TrackMe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackme",
    abstract: "Takes in readings of wearables, keeps them, and delivers them as they are produced.",
    subcommands: [ServeCommand.self] + areas.flatMap { $0.commands } + Counterparts.commands + [BenchCommand.self])

  static func main() async {
    await AreaTables.$ofServer.withValue(.all) { await main(nil) }
  }
}
