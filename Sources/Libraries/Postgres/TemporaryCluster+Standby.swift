import Glibc
import Threads

// A synchronous standby that is away, for tests of what commits come to then. The cluster must be the test's own.

extension TemporaryCluster {
  /// From now on commits wait for a standby that does not exist.
  public func loseStandby() throws {
    let connection = try Connection(configuration)
    try connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try connection.execute("SELECT pg_reload_conf()")
    // PostgreSQL takes it up a little later: when a commit waits it has.
    while true {
      let probe = ProbeBox(try Connection(configuration))
      let backend = probe.connection.backendProcessID
      let isOver = Monitored(false)
      let thread = DedicatedThread("standby-probe") {
        try? probe.connection.awaitStandbys()
        isOver.change { $0 = true }
      }
      defer { thread.join() }
      while !isOver.withLock({ $0 }) {
        if try sessionsAwaitingStandby().contains(backend) {
          try connection.query("SELECT pg_cancel_backend($1)", [.int4(backend)])
          return
        }
        usleep(1_000)
      }
    }
  }

  /// Lets commits go on, those that wait and new ones.
  public func regainStandby() throws {
    let connection = try Connection(configuration)
    try connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
    try connection.execute("SELECT pg_reload_conf()")
  }

  /// The server's processes whose commits wait.
  public func sessionsAwaitingStandby() throws -> [Int32] {
    let rows = try Connection(configuration).query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY pid")
    return try (0..<rows.rowCount).map { try rows.int32($0, 0) }
  }

  /// Breaks off a wait: the commit is there and answered, and no standby has it.
  public func breakOffWait(of backend: Int32) throws {
    try Connection(configuration).query("SELECT pg_cancel_backend($1)", [.int4(backend)])
  }
}

// @unchecked: handed to one thread, which alone uses it until it is joined.
private final class ProbeBox: @unchecked Sendable {
  let connection: Connection
  init(_ connection: Connection) { self.connection = connection }
}
