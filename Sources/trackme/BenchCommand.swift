import ArgumentParser
import Console
import Glibc

/// Runs `trackme-bench`, which is a program of its own: whoever only serves need not build it.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures a fresh server on this machine (trackme-bench, built by make bench).",
    // `trackme bench --help` is answered by that program as well.
    helpNames: [])

  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("What to measure, and how.", valueName: "arguments"))
  var arguments: [String] = []

  func run() throws {
    guard let program = Program.beside("trackme-bench") else { throw BenchMissing("where trackme stands is unknown") }
    let reason = Program.become(program, arguments: arguments)
    if reason == ENOENT { throw BenchMissing("\(program) is not there: `make bench` builds it") }
    throw BenchMissing("\(program) cannot be run: \(String(cString: strerror(reason)))")
  }
}

/// Why nothing is measured.
private struct BenchMissing: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
