import ArgumentParser
import ExpenditureBench
import GroupsBench
import RacesBench
import ReadingsBench
import SosBench
import WebBench

/// Measures a fresh server. Every bench starts its own, with data in a temporary directory, checks what it measures,
/// and leaves neither a process nor a file behind.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trackme bench", abstract: "Measures a fresh server on this machine.",
    subcommands: readingsBenches + sosBenches + racesBenches + groupsBenches + expenditureBenches
      + webBenches)
}
