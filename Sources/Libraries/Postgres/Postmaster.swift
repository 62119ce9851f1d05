import Glibc

/// What the running server says about itself in `postmaster.pid`, and what /proc says about its processes.
struct Postmaster: Sendable {
  let processID: pid_t
  let port: Int
  let socketDirectory: String
  let isReady: Bool

  /// Reads `postmaster.pid`; nil when there is none or it is still being written.
  static func read(dataDirectory: String) -> Postmaster? {
    guard let text = FileSystem.read(dataDirectory + "/postmaster.pid") else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    guard lines.count >= 5, let processID = pid_t(lines[0]), processID > 0, let port = Int(lines[3]) else { return nil }
    return Postmaster(
      processID: processID, port: port, socketDirectory: lines[4],
      isReady: lines.count >= 8 && lines[7].hasPrefix("ready"))
  }

  /// Whether the process is a server of this directory: a PostgreSQL process works inside its data directory, so a
  /// process that merely got the same number later does not count, and neither does a dead one that nobody reaped.
  static func isAlive(_ processID: pid_t, dataDirectory: String) -> Bool {
    FileSystem.linkTarget("/proc/\(processID)/cwd") == dataDirectory
  }

  /// After a postmaster was killed its children end by themselves, the busy ones a little later. They hold the shared
  /// memory that the next server must not share, so they are told to stop at once.
  static func endOrphans(dataDirectory: String, timeout: Duration) throws(PostgresError) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let orphans = FileSystem.names(in: "/proc").compactMap { pid_t($0) }
        .filter { isAlive($0, dataDirectory: dataDirectory) && isServerProgram($0) }
      if orphans.isEmpty { return }
      guard ContinuousClock.now < deadline else {
        throw PostgresError(.cluster, "processes of a previous server of \(dataDirectory) do not end")
      }
      for orphan in orphans { kill(orphan, SIGQUIT) }
      usleep(5_000)
    }
  }

  /// Someone's shell may also stand in the data directory; that one is left alone.
  private static func isServerProgram(_ processID: pid_t) -> Bool {
    FileSystem.read("/proc/\(processID)/comm")?.hasPrefix("postgres") == true
  }
}
