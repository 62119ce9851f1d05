import ArgumentParser
import Glibc
import Synchronization

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
      // Each socket is used by its own thread alone.
      nonisolated(unsafe) let socket = socket
      return LoadThread {
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

/// A thread for work that blocks.
struct LoadThread {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    // The new thread takes the reference over, once.
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "the system has no thread left")
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
