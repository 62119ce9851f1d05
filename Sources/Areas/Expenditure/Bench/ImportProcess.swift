internal import BenchKit
internal import Console
internal import Glibc
internal import Postgres

/// Imports and publishes files of a measured server as an administrator does: by the command, in a process of its own.
struct ImportProcess {
  let server: MeasuredServer

  /// What an import took.
  struct Cost {
    let seconds: Double
    /// The most memory that the command or, over what it had before, the server has had.
    let peakMebibytes: Double
  }

  /// Imports files and shows them to everybody.
  /// - Throws: where they don't pass the checks, or are not all there afterwards.
  func publish(_ files: [String], rows: Int? = nil) throws -> Cost {
    let connection = try Connection(server.database)
    let (before, memory) = (try figures(connection), server.peakMemory)
    let began = monotonicNanoseconds()
    let peak = try run(["import"] + files)
    let seconds = Double(monotonicNanoseconds() - began) / 1e9
    if let rows { try check(try figures(connection) - before == rows, "not all rows are there") }
    let number = try connection.query("SELECT max(number)::bigint FROM expenditure_release").int64(0, 0)
    _ = try run(["publish", "\(number)"])
    return Cost(seconds: seconds, peakMebibytes: max(peak, server.peakMemory - memory))
  }

  private func figures(_ connection: Connection) throws -> Int {
    Int(try connection.query("SELECT count(*) FROM expenditure_figure WHERE body >= 0").int64(0, 0))
  }

  /// - Returns: the most memory that the command has had, in MiB.
  private func run(_ arguments: [String]) throws -> Double {
    guard let program = Program.beside("trackme") else { throw BenchError("trackme is not beside trackme-bench") }
    let child = try ChildProcess([program, "expenditure"] + arguments + ["--data-dir", server.dataDirectory])
    var peak = 0.0
    while true {
      // Of one that has ended there is nothing to read.
      let now = ProcessStatistics.kibibytes("VmHWM", of: child.processID)
      guard now > 0 else { break }
      peak = max(peak, now / 1024)
      try Interruption.sleep(.milliseconds(5))
    }
    try child.waitForSuccess()
    return peak
  }
}
