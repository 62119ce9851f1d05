internal import Console
package import Glibc
package import Postgres

/// A fresh `trackme serve` in a process of its own, with its own PostgreSQL.
package final class MeasuredServer {
  package let address: String
  package let token: String
  package let database: ConnectionConfiguration
  private let process: ChildProcess
  private let postmaster: pid_t
  private let scratch: ScratchDirectory

  /// Starts the server and waits until it serves.
  /// - Parameter settings: what is different from a server that nobody has configured; names and values.
  package init(_ settings: [String: String] = [:]) throws {
    scratch = try ScratchDirectory()
    let data = scratch.path + "/data"
    let log = scratch.path + "/server.log"
    token = (0..<4).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
    var environment = settings
    environment["TRACKME_OPERATOR_TOKEN"] = token
    environment["TRACKME_LOOPS"] = Environment()["TRACKME_LOOPS"]
    guard let program = Program.beside("trackme"), access(program, X_OK) == 0 else {
      throw BenchError("trackme is not beside trackme-bench: make bench builds both")
    }
    let process = try ChildProcess(
      [program, "serve", "--listen", "127.0.0.1:0", "--data-dir", data], environment: environment,
      log: log)
    self.process = process
    do {
      address = try Interruption.wait(for: "the server", within: .seconds(60)) {
        // Asked before the log is read: what a server that ends has to say is there by then.
        let isRunning = process.isRunning
        let text = readFile(log) ?? ""
        if let word = text.split(whereSeparator: { " \n".contains($0) }).first(where: { $0.hasPrefix("listen=") }) {
          return String(word.dropFirst("listen=".count))
        }
        try check(isRunning, "the server did not start: \(text)")
        return nil
      }
    } catch {
      process.end(within: .seconds(10))
      throw error
    }
    guard let database = EmbeddedCluster.running(in: data + "/postgres"),
      let number = readFile(data + "/postgres/data/postmaster.pid")?.split(separator: "\n").first.flatMap({ pid_t($0) })
    else { throw BenchError("the server's PostgreSQL is not to be found") }
    self.database = database
    postmaster = number
  }

  /// The server ends before its directory is removed.
  deinit { process.end(within: .seconds(30)) }

  /// Its data directory, for commands that visit it.
  package var dataDirectory: String { scratch.path + "/data" }

  /// Where it answers over HTTP, if it was told to.
  /// - Throws: where it does not.
  package func webAddress() throws -> String {
    let words = (readFile(scratch.path + "/server.log") ?? "").split(whereSeparator: { " \n".contains($0) })
    guard let word = words.last(where: { $0.hasPrefix("http=") && $0.hasSuffix("/") }) else {
      throw BenchError("the server answers nowhere over HTTP")
    }
    return String(word.dropFirst("http=".count).dropLast())
  }

  /// Ends the server and returns what it has logged.
  package func stop() -> String {
    process.end(within: .seconds(30))
    return readFile(scratch.path + "/server.log") ?? ""
  }

  /// Processor time taken so far, in microseconds.
  package var processorTime: (server: Double, postgres: Double) {
    (ProcessorTime.of(process.processID), ProcessorTime.ofTree(postmaster))
  }

  /// The most memory that the server itself has had, in MiB.
  package var peakMemory: Double { ProcessStatistics.kibibytes("VmHWM", of: process.processID) / 1024 }

  /// The memory that the server itself has, in bytes.
  package var memory: Double { ProcessStatistics.kibibytes("VmRSS", of: process.processID) * 1024 }

  /// For `perf record -p` and the like.
  package var processID: pid_t { process.processID }
}
