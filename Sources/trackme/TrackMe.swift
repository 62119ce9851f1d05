import ArgumentParser

@main
struct TrackMe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackme",
    abstract: "Takes in readings of wearables, keeps them, and delivers them as they are produced.",
    subcommands: [
      ServeCommand.self, TokenCommand.self, AdminCommand.self, DispatcherCommand.self, PaymentProviderCommand.self,
      RoadsCommand.self, BenchCommand.self,
    ])
}
