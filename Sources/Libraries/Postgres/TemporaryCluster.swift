import Glibc
import Synchronization

/// A PostgreSQL for tests: real, in a folder of its own below `TMPDIR` or /tmp, not durable, gone when the process is.
///
/// Test targets share one for the process (`shared()`), and take a fresh database for each test (`freshDatabase`). Each
/// takes some 25 MB, so who makes many removes them (`remove`). A test process that is killed takes the server with it;
/// the next one removes the folder.
public final class TemporaryCluster: Sendable {
  /// The server itself: for tests that kill and restart it. Those need a `TemporaryCluster` of their own.
  public let cluster: EmbeddedCluster
  /// Leads to an empty database of the cluster.
  public let configuration: ConnectionConfiguration
  /// The folder that holds the cluster.
  public let directory: String
  private let databaseCount = Atomic(0)
  /// Whether the database that `preparedDatabase` copies is there.
  private let isPrepared = Mutex(false)

  private static let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  private static let folderPrefix = "trackme-pg-"

  private static let sharedOutcome: Swift.Result<TemporaryCluster, any Error> = {
    let outcome = Swift.Result<TemporaryCluster, any Error> { try TemporaryCluster() }
    atexit { try? TemporaryCluster.sharedOutcome.get().stop() }
    return outcome
  }()

  /// The process's cluster, started at the first call and stopped at exit.
  public static func shared() throws -> TemporaryCluster { try sharedOutcome.get() }

  /// Starts a server of its own, and removes the folders that killed test processes left.
  /// - Parameter settings: nil: 200 connections, little memory, not durable.
  /// - Throws: `PostgresError`; then no folder is left.
  public init(settings: EmbeddedClusterSettings? = nil) throws(PostgresError) {
    Self.removeAbandonedFolders()
    var chosen = settings ?? EmbeddedClusterSettings()
    if settings == nil {
      chosen.isDurable = false
      chosen.sharedBuffersMiB = 32
      chosen.connectionsMax = 200
    }
    directory = "\(Self.parent)/\(Self.folderPrefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    cluster = EmbeddedCluster(directory: directory, settings: chosen, endsWithThisProcess: true)
    do throws(PostgresError) {
      configuration = try cluster.start()
    } catch {
      try? FileSystem.removeTree(directory)
      throw error
    }
  }

  deinit { stop() }

  /// Stops the server and removes its folder.
  public func stop() {
    cluster.stop(timeout: .seconds(5))
    try? FileSystem.removeTree(directory)
  }

  /// Creates an empty database.
  /// - Parameter name: appears in the database's name, to tell them apart while debugging.
  public func freshDatabase(_ name: String = "test") throws(PostgresError) -> ConnectionConfiguration {
    try create(name, like: "template0")
  }

  /// Creates a copy of a database that is prepared once: quicker than preparing each one.
  ///
  /// - Parameters:
  ///   - name: appears in the database's name.
  ///   - prepare: the same for all callers of a process.
  /// - Throws: `PostgresError`, and what `prepare` throws.
  public func preparedDatabase(
    _ name: String = "test", _ prepare: (Connection) throws -> Void
  ) throws -> ConnectionConfiguration {
    try isPrepared.withLock { isPrepared in
      guard !isPrepared else { return }
      let connection = try Connection(configuration)
      try connection.execute("CREATE DATABASE prepared TEMPLATE template0")
      try prepare(Connection(configuration.with(database: "prepared")))
      isPrepared = true
    }
    return try create(name, like: "prepared")
  }

  /// Removes a database of this cluster, and ends the sessions that are left in it.
  public func remove(_ database: ConnectionConfiguration) throws(PostgresError) {
    guard let name = database.database else { return }
    try Connection(configuration).execute("DROP DATABASE \"\(name)\" WITH (FORCE)")
  }

  private func create(_ name: String, like template: String) throws(PostgresError) -> ConnectionConfiguration {
    let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(40)
    let number = databaseCount.add(1, ordering: .relaxed).newValue
    let database = "\(String(letters))_\(number)"
    let connection = try Connection(configuration)
    // Through the write-ahead log, as PostgreSQL does otherwise, a copy takes twice the processor's time.
    try connection.execute("CREATE DATABASE \"\(database)\" TEMPLATE \(template) STRATEGY file_copy")
    return configuration.with(database: database)
  }

  /// Folders of test processes that were killed. The number in the name is the owner's process.
  private static func removeAbandonedFolders() {
    for name in FileSystem.names(in: parent) where name.hasPrefix(folderPrefix) {
      guard let owner = name.dropFirst(folderPrefix.count).split(separator: "-").first.flatMap({ pid_t(String($0)) }),
        owner > 0, kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      try? FileSystem.removeTree("\(parent)/\(name)")
    }
  }
}
