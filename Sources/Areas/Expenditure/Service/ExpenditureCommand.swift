internal import ArgumentParser

struct ExpenditureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expenditure", abstract: "Figures of what the Italian regions spend on health.",
    subcommands: [ImportFiguresCommand.self, PublishReleaseCommand.self])
}
