import Glibc
import Postgres
import Testing

/// Tests of starting and stopping, each with a cluster of its own.
@Suite(.serialized) struct EmbeddedClusterTests {
  private static var folder: String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(parent)/trackme-cluster-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  /// A folder that is removed afterwards, and the settings of a cluster for tests in it.
  private func withCluster(_ body: (_ directory: String, _ settings: EmbeddedClusterSettings) throws -> Void) throws {
    let directory = Self.folder
    var settings = EmbeddedClusterSettings()
    settings.isDurable = false
    settings.sharedBuffersMiB = 16
    defer { removeFolder(directory) }
    try body(directory, settings)
  }

  @Test func whatGivesWayDoesSoInPostgreSQLToo() async throws {
    let directory = Self.folder
    defer { removeFolder(directory) }
    let cluster = EmbeddedCluster(directory: directory)
    defer { cluster.stop() }
    var configuration = PoolConfiguration(cluster, try cluster.start())
    configuration.connectionCount = 1
    var niceness: [Int32] = []
    for givesWay in [false, true] {
      configuration.givesWay = givesWay
      let pool = Pool(configuration)
      let process = try await pool.withConnection { $0.backendProcessID }
      niceness.append(getpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), id_t(process)))
      await pool.shutdown()
    }
    #expect(niceness[1] == niceness[0] + 10)
  }

  @Test func aClusterIsCreatedOnceStartsFastAndKeepsItsData() throws {
    try withCluster { directory, settings in
      let first = EmbeddedCluster(directory: directory, settings: settings)
      try Connection(first.start()).execute("CREATE TABLE t AS SELECT 7 AS x")
      let firstProcess = try #require(first.processID)
      first.stop()
      #expect(kill(firstProcess, 0) != 0)
      let second = EmbeddedCluster(directory: directory, settings: settings)
      defer { second.stop() }
      var configuration: ConnectionConfiguration?
      let duration = try ContinuousClock().measure { configuration = try second.start() }
      // A fraction of a second where the disk is fast.
      #expect(duration < .seconds(15))
      let connection = try Connection(#require(configuration))
      #expect(try connection.query("SELECT x FROM t").int64(0, 0) == 7)
      let settings = try connection.query(
        """
        SELECT current_setting('server_encoding'), current_setting('lc_collate'), current_setting('listen_addresses'),
          current_setting('log_min_error_statement'), current_setting('default_toast_compression')
        """)
      let values = try (0..<5).map { try settings.string(0, $0) }
      #expect(values == ["UTF8", "C", "", "panic", "lz4"])
    }
  }

  @Test func aDefaultClusterIsDurable() throws {
    try withCluster { directory, _ in
      let cluster = EmbeddedCluster(directory: directory)
      defer { cluster.stop() }
      let connection = try Connection(cluster.start())
      for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        #expect(try connection.execute("SHOW \(setting)").string(0, 0) == "on")
      }
    }
  }

  @Test func rootGivesUpItsRightsAndClosesTheSocketsDirectory() throws {
    try withCluster { directory, settings in
      let cluster = EmbeddedCluster(directory: directory, settings: settings)
      defer { cluster.stop() }
      let configuration = try cluster.start()
      let status = String(decoding: readFile("/proc/\(try #require(cluster.processID))/status"), as: UTF8.self)
      let userIDs = try #require(status.split(separator: "\n").first { $0.hasPrefix("Uid:") })
      #expect(!userIDs.split(separator: "\t").dropFirst().contains("0"))
      var entry = stat()
      let host = try #require(configuration.host)
      #expect(stat(host, &entry) == 0)
      #expect(entry.st_mode & 0o777 == 0o700)
    }
  }

  @Test func aDirectoryWithALongNameGetsAShortSocketPath() throws {
    try withCluster { directory, settings in
      let long = directory + "/" + String(repeating: "deep", count: 30) + "/with, comma"
      let cluster = EmbeddedCluster(directory: long, settings: settings)
      defer { cluster.stop() }
      let configuration = try cluster.start()
      let host = try #require(configuration.host)
      #expect(host.utf8.count < 80)
      #expect(try Connection(configuration).query("SELECT 1").int64(0, 0) == 1)
      cluster.stop()
      rmdir(host)
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func aDirectoryClosedToTheServersAccountStillWorks() throws {
    try withCluster { directory, settings in
      mkdir(directory, 0o700)
      let cluster = EmbeddedCluster(directory: directory + "/inner/db", settings: settings)
      defer { cluster.stop() }
      chmod(directory, 0o700)
      let configuration = try cluster.start()
      try Connection(configuration).execute("CREATE TABLE t AS SELECT 7 AS x; CHECKPOINT")
      kill(try #require(cluster.processID), SIGKILL)
      #expect(eventually { (try? cluster.restartIfDead()) == true })
      #expect(try Connection(configuration).query("SELECT x FROM t").int64(0, 0) == 7)
      cluster.stop()
      configuration.host.map { _ = rmdir($0) }
    }
  }

  @Test func aSecondOwnerOfTheDirectoryIsRefused() throws {
    try withCluster { directory, settings in
      let first = EmbeddedCluster(directory: directory, settings: settings)
      try first.start()
      let second = EmbeddedCluster(directory: directory, settings: settings)
      let error = try #require(postgresError { try second.start() })
      #expect(error.kind == .cluster && error.message.contains("in use by another process (process \(getpid()))"))
      first.stop()
      try second.start()
      second.stop()
    }
  }

  @Test func aServerThatACrashLeftRunningIsAdopted() throws {
    try withCluster { directory, settings in
      var crashed: EmbeddedCluster? = EmbeddedCluster(directory: directory, settings: settings)
      let configuration = try #require(crashed).start()
      let process = try #require(crashed?.processID)
      let session = try Connection(configuration)
      // Going away without `stop()` releases the directory, as the end of a process does.
      crashed = nil
      let next = EmbeddedCluster(directory: directory, settings: settings)
      try next.start()
      #expect(next.processID == process)
      #expect(try session.query("SELECT 1").int64(0, 0) == 1)
      next.stop()
      // The test's own process is its parent and must reap it; a real crash leaves that to init.
      var status: Int32 = 0
      #expect(waitpid(process, &status, 0) == process)
    }
  }

  @Test func aKilledServerIsStartedAgainWithItsData() throws {
    try withCluster { directory, settings in
      let cluster = EmbeddedCluster(directory: directory, settings: settings)
      defer { cluster.stop() }
      let configuration = try cluster.start()
      try Connection(configuration).execute("CREATE TABLE t AS SELECT 7 AS x")
      #expect(try !cluster.restartIfDead())
      // A busy session outlives the postmaster and holds its shared memory.
      let busy = try Connection(configuration)
      try busy.execute("BEGIN; INSERT INTO t VALUES (8)")
      for _ in 0..<3 {
        kill(try #require(cluster.processID), SIGKILL)
        #expect(try eventually { try cluster.restartIfDead() })
        #expect(try Connection(configuration).query("SELECT sum(x) FROM t WHERE x < 8").rowCount == 1)
      }
      #expect(try Connection(configuration).query("SELECT x FROM t").rowCount == 1)
    }
  }

  @Test func aStalePIDFileOfAReusedNumberDoesNotKeepTheServerOut() throws {
    try withCluster { directory, settings in
      let cluster = EmbeddedCluster(directory: directory, settings: settings)
      try cluster.start()
      cluster.stop()
      let file = try #require(fopen(directory + "/data/postmaster.pid", "w"))
      fputs("\(getpid())\n\(directory)/data\n1\n5432\n\(directory)/run\n\n  1 1\nready   \n", file)
      fclose(file)
      defer { cluster.stop() }
      #expect(try Connection(cluster.start()).query("SELECT 1").int64(0, 0) == 1)
    }
  }

  @Test func afterStopItStaysStoppedUntilStarted() throws {
    try withCluster { directory, settings in
      let cluster = EmbeddedCluster(directory: directory, settings: settings)
      try cluster.start()
      cluster.stop()
      cluster.stop()
      #expect(postgresError { try cluster.ensureRunning() }?.kind == .cluster)
      try cluster.start()
      cluster.stop()
    }
  }

  @Test func aDirectoryThatCannotBeUsedIsAClearError() throws {
    let error = try #require(postgresError { try EmbeddedCluster(directory: "/proc/no/such").start() })
    #expect(error.kind == .cluster && error.message.contains("/proc/no"))
  }
}

func removeFolder(_ path: String) {
  var pid: pid_t = 0
  let words = ["/bin/rm", "-rf", path].map { (word: String) in strdup(word) }
  defer { for word in words { free(word) } }
  var status: Int32 = 0
  if posix_spawn(&pid, "/bin/rm", nil, nil, words + [nil], nil) == 0 { waitpid(pid, &status, 0) }
}
