import Glibc
import Synchronization

/// A PostgreSQL of our own: created once in a directory, started and stopped by this process, reachable only through a
/// unix socket in a directory closed to other accounts.
///
/// Run as root, the server gets the account `postgres` (or `nobody`). A server that a crashed process left running in
/// the directory is adopted. One process at a time owns a directory.
public final class EmbeddedCluster: Sendable {
  private struct Running {
    let processID: pid_t
    /// We started it and must reap it; an adopted server has another parent.
    let isChild: Bool
    let configuration: ConnectionConfiguration
  }

  private struct State {
    var lock: DirectoryLock?
    var layout: ClusterLayout?
    var running: Running?
    var wasStopped = false
  }

  /// Name of the superuser and of the database that `start()` leads to.
  public static let databaseName = "trackme"

  private let directory: String
  private let settings: EmbeddedClusterSettings
  private let endsWithThisProcess: Bool
  private let state = Mutex(State())

  /// Nothing happens until `start()`.
  public convenience init(directory: String, settings: EmbeddedClusterSettings = EmbeddedClusterSettings()) {
    self.init(directory: directory, settings: settings, endsWithThisProcess: false)
  }

  /// - Parameter endsWithThisProcess: the server is told to stop when this process dies, in whatever way.
  init(directory: String, settings: EmbeddedClusterSettings, endsWithThisProcess: Bool) {
    self.directory = directory
    self.settings = settings
    self.endsWithThisProcess = endsWithThisProcess
  }

  /// Creates the cluster if there is none, starts or adopts its server, and waits until it accepts connections.
  /// Blocks: milliseconds for a running server, tenths of a second for an existing cluster, about two seconds for a new
  /// one, longer after a crash with much to recover.
  /// - Throws: `PostgresError.Kind.cluster`, also when another process owns the directory. No server of ours runs then.
  @discardableResult
  public func start(timeout: Duration = .seconds(60)) throws(PostgresError) -> ConnectionConfiguration {
    do throws(PostgresError) {
      return try state.withLock { (state) throws(PostgresError) in
        state.wasStopped = false
        return try ensureRunning(&state, timeout: timeout)
      }
    } catch {
      stop()
      throw error
    }
  }

  /// Starts the server again if it died, and waits until it accepts connections; cheap when it is alive.
  /// - Throws: `PostgresError.Kind.cluster` when it cannot be started, and after `stop()`.
  @discardableResult
  public func ensureRunning(timeout: Duration = .seconds(60)) throws(PostgresError) -> ConnectionConfiguration {
    try state.withLock { (state) throws(PostgresError) in
      guard !state.wasStopped else { throw PostgresError(.cluster, "the embedded PostgreSQL was stopped") }
      return try ensureRunning(&state, timeout: timeout)
    }
  }

  /// As `ensureRunning`. Returns whether the server had died.
  @discardableResult
  public func restartIfDead() throws(PostgresError) -> Bool {
    let before = processID
    try ensureRunning()
    return processID != before
  }

  /// Stops the server: open transactions are rolled back. Waits for its end, and stops it the hard way after `timeout`
  /// (the next start then recovers). Releases the directory.
  public func stop(timeout: Duration = .seconds(30)) {
    state.withLock { state in
      state.wasStopped = true
      defer { state.lock = nil }
      guard let running = state.running, let layout = state.layout else { return }
      end(running, layout, timeout: timeout)
      state.running = nil
    }
  }

  private func end(_ running: Running, _ layout: ClusterLayout, timeout: Duration) {
    for (signal, patience) in [(SIGINT, timeout), (SIGQUIT, .seconds(5)), (SIGKILL, .seconds(5))] {
      // A process number that was given to somebody else meanwhile must not be hit.
      guard isAlive(running, layout) else { break }
      kill(running.processID, signal)
      let deadline = ContinuousClock.now + patience
      while isAlive(running, layout) && ContinuousClock.now < deadline { usleep(2_000) }
    }
  }

  /// Process id of the server, if it was started or adopted and not stopped since.
  public var processID: Int32? { state.withLock { $0.running?.processID } }

  // MARK: Starting

  private func ensureRunning(
    _ state: inout State, timeout: Duration
  ) throws(PostgresError) -> ConnectionConfiguration {
    if let running = state.running, let layout = state.layout, isAlive(running, layout) { return running.configuration }
    state.running = nil
    let layout = try ClusterLayout(directory: directory)
    if state.lock == nil { state.lock = try DirectoryLock(path: layout.lockPath) }
    state.layout = layout
    let deadline = ContinuousClock.now + timeout
    do throws(PostgresError) {
      if FileSystem.entry(layout.dataDirectory) == nil { try createCluster(layout) }
      let adopted = try adopt(layout, deadline: deadline)
      // `??` would lose the error's type.
      let running = if let adopted { adopted } else { try launch(layout, deadline: deadline) }
      state.running = running
      try createDatabase(running.configuration)
      return running.configuration
    } catch {
      if state.running == nil { state.lock = nil }
      throw error
    }
  }

  /// Runs initdb beside the final place, and moves the result there: an interrupted initdb leaves nothing half-made.
  private func createCluster(_ layout: ClusterLayout) throws(PostgresError) {
    let programs = try ServerPrograms.directory(majorVersion: nil)
    try FileSystem.removeTree(layout.unfinishedDataDirectory)
    try FileSystem.makePrivateDirectory(layout.unfinishedDataDirectory, for: layout.account)
    var words = ["--encoding=UTF8", "--locale=C", "--auth-local=trust", "--auth-host=reject"]
    words.append("--username=\(Self.databaseName)")
    if !settings.isDurable { words.append("--no-sync") }
    let (request, descriptor) = try command(
      programs + "/initdb", words, dataDirectory: layout.unfinishedDataDirectory, layout)
    defer { if descriptor >= 0 { close(descriptor) } }
    try ChildProcess.run(request, endsWithUs: true)
    guard rename(layout.unfinishedDataDirectory, layout.dataDirectory) == 0 else {
      throw PostgresError(.cluster, "cannot create \(layout.dataDirectory): \(describe(errno: errno))")
    }
  }

  /// Takes over a server that already runs in the directory; waits for one that is just starting or stopping.
  private func adopt(_ layout: ClusterLayout, deadline: ContinuousClock.Instant) throws(PostgresError) -> Running? {
    while let server = Postmaster.read(dataDirectory: layout.dataDirectory),
      Postmaster.isAlive(server.processID, dataDirectory: layout.dataDirectory)
    {
      if server.isReady {
        return Running(
          processID: server.processID, isChild: false,
          configuration: ConnectionConfiguration(
            socketDirectory: server.socketDirectory, port: server.port, user: Self.databaseName,
            database: Self.databaseName))
      }
      guard ContinuousClock.now < deadline else {
        throw PostgresError(.cluster, "the running PostgreSQL (process \(server.processID)) does not become ready")
      }
      usleep(5_000)
    }
    return nil
  }

  private func launch(_ layout: ClusterLayout, deadline: ContinuousClock.Instant) throws(PostgresError) -> Running {
    try Postmaster.endOrphans(dataDirectory: layout.dataDirectory, timeout: .seconds(10))
    // Nobody works in this directory now. What a killed server left would keep the next one out if its process number
    // was given to somebody else meanwhile.
    unlink(layout.dataDirectory + "/postmaster.pid")
    unlink(layout.socketDirectory + "/.s.PGSQL.\(ClusterLayout.port).lock")
    try FileSystem.makePrivateDirectory(layout.socketDirectory, for: layout.account)
    rename(layout.logPath, layout.logPath + ".1")

    let version = FileSystem.read(layout.dataDirectory + "/PG_VERSION")?.prefix { $0.isNumber } ?? ""
    let programs = try ServerPrograms.directory(majorVersion: Int(version))
    let (request, descriptor) = try command(
      programs + "/postgres", settings.arguments(socketDirectory: layout.socketDirectory),
      dataDirectory: layout.dataDirectory, layout)
    defer { if descriptor >= 0 { close(descriptor) } }
    let processID =
      endsWithThisProcess ? try ParkedThread.spawn(request) : try ChildProcess.spawn(request)
    let running = Running(
      processID: processID, isChild: true,
      configuration: ConnectionConfiguration(
        socketDirectory: layout.socketDirectory, port: ClusterLayout.port, user: Self.databaseName,
        database: Self.databaseName))
    while true {
      if let server = Postmaster.read(dataDirectory: layout.dataDirectory), server.processID == processID,
        server.isReady
      {
        return running
      }
      guard isAlive(running, layout) else {
        throw PostgresError(.cluster, "PostgreSQL ended while starting; \(ChildProcess.logTail(layout.logPath))")
      }
      guard ContinuousClock.now < deadline else {
        end(running, layout, timeout: .seconds(5))
        throw PostgresError(.cluster, "PostgreSQL is not ready in time; \(ChildProcess.logTail(layout.logPath))")
      }
      usleep(3_000)
    }
  }

  private func createDatabase(_ configuration: ConnectionConfiguration) throws(PostgresError) {
    let connection = try Connection(configuration.with(database: "postgres"))
    let found = try connection.query("SELECT 1 FROM pg_database WHERE datname = $1", [.text(Self.databaseName)])
    if found.rowCount == 0 { try connection.execute("CREATE DATABASE \"\(Self.databaseName)\"") }
  }

  /// A server program with its data directory, under the right account.
  private func command(
    _ program: String, _ words: [String], dataDirectory: String, _ layout: ClusterLayout
  ) throws(PostgresError) -> (ChildProcess.Request, descriptor: Int32) {
    var descriptor: Int32 = -1
    var path = dataDirectory
    if layout.needsDescriptor {
      descriptor = open(dataDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw PostgresError(.cluster, "cannot open \(dataDirectory): \(describe(errno: errno))")
      }
      path = "/proc/self/fd/\(ChildProcess.inheritedDescriptor)"
    }
    let prefix = try layout.account.prefix(endsWithParent: endsWithThisProcess)
    return (
      ChildProcess.Request(
        arguments: prefix + [program, "-D", path] + words, logPath: layout.logPath,
        directoryDescriptor: descriptor >= 0 ? descriptor : nil), descriptor
    )
  }

  private func isAlive(_ running: Running, _ layout: ClusterLayout) -> Bool {
    if running.isChild {
      var status: Int32 = 0
      return waitpid(running.processID, &status, WNOHANG) == 0
    }
    return Postmaster.isAlive(running.processID, dataDirectory: layout.dataDirectory)
  }
}
