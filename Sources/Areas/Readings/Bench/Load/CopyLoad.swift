internal import ArgumentParser
internal import BenchKit
internal import Glibc
internal import Synchronization
internal import Threads

/// The process that copies the same readings straight into PostgreSQL, over several connections at once.
struct CopyLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-copy", abstract: "Copies generated readings; started by the benches.", shouldDisplay: false)

  @Option var socketDirectory: String
  @Option var user: String
  @Option var database: String
  @Option var table: String
  @Option var start: Int64
  @Option var skip = 0
  @Option var readings: Int
  @Option var rowsPerStatement: Int
  @Option var connections = 4

  func run() throws {
    let statement = CopyBytes.statement("COPY \(table) (person, metric, time, value) FROM STDIN (FORMAT binary)")
    let sockets = try (0..<connections).map { _ in
      try CopySocket(socketDirectory: socketDirectory, user: user, database: database)
    }
    let work = prepare()
    try LoadConversation.ready()

    let began = monotonicNanoseconds()
    let failure = Mutex<String?>(nil)
    let threads = zip(sockets, work).map { socket, statements in
      // nonisolated(unsafe): each socket is used by its own thread alone.
      nonisolated(unsafe) let socket = socket
      return DedicatedThread("load") {
        do { for rows in statements { try socket.copy(statement: statement, rows: rows) } } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
    }
    for thread in threads { thread.join() }
    let seconds = Double(monotonicNanoseconds() - began) / 1e9
    if let failure = failure.withLock({ $0 }) { throw BenchError(failure) }
    LoadConversation.done(["seconds": seconds, "readings": Double(readings)])
  }

  /// Deals the statements to the connections in turn.
  private func prepare() -> [[[UInt8]]] {
    var generator = ReadingGenerator(start: start)
    for _ in 0..<skip { _ = generator.next() }
    var work = [[[UInt8]]](repeating: [], count: connections)
    var left = readings
    var number = 0
    while left > 0 {
      let count = min(left, rowsPerStatement)
      work[number % connections].append(CopyBytes.rows(count, from: &generator))
      left -= count
      number += 1
    }
    return work
  }
}
