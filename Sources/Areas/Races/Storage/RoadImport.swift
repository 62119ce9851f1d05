internal import Glibc
public import Postgres

/// Why a map could not be imported.
public enum RoadImportError: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(file: String, reason: String)
  /// A program that is needed is not installed.
  case missing(program: String, package: String)
  /// A program could not do its work; the text holds its last words.
  case failed(String)
  /// The map has no street or path on which people run.
  case noWays(file: String)
  /// Another import into the same database is running.
  case busy

  public var description: String {
    switch self {
    case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
    case .missing(let program, let package): "\(program) is needed: install the Debian package \(package)"
    case .failed(let text): text
    case .noWays(let file): "\(file) has no streets or paths; the map that was there has been kept"
    case .busy: "another import is running"
    }
  }
}

/// Makes the streets of a map those on which routes are planned.
public struct RoadImport: Sendable {
  /// What there is after an import.
  public struct Summary: Sendable, Hashable {
    /// Pieces of streets between crossings.
    public let wayCount: Int64
    public let crossingCount: Int64
    /// Metres of all ways.
    public let length: Double
    /// The box around all ways, in degrees.
    public let west, south, east, north: Double
  }

  static let attribution = "© OpenStreetMap contributors, ODbL 1.0"
  private static let lockKey: Int64 = 0x7472_6163_6b6d_6510
  private let database: ConnectionConfiguration

  /// - Parameter database: whose schema is up to date. Its role must be a superuser, unless pgRouting is there already.
  public init(into database: ConnectionConfiguration) { self.database = database }

  /// Reads a file and swaps its streets in: whoever plans routes meanwhile has the old map or the new one, whole. When it
  /// fails, the old map stays. Blocks until it is done.
  ///
  /// - Parameters:
  ///   - file: a map of OpenStreetMap in any form that osmium reads: .osm, .osm.gz, .osm.bz2, .osm.pbf, .opl.
  ///   - onStep: is told what is done next.
  /// - Throws: `RoadImportError`, `PostgresError`.
  public func run(file: String, onStep: (String) -> Void = { _ in }) throws -> Summary {
    let file = try Self.readable(file)
    let osmium = try Self.program("osmium", package: "osmium-tool")
    let converter = try Self.program("osm2pgrouting", package: "osm2pgrouting")
    let folder = try Self.makeFolder()
    defer { try? ChildProcess.run(.init(arguments: ["/bin/rm", "-rf", "--", folder], logPath: "/dev/null")) }
    onStep("1 of 5: picking streets and paths out of the map")
    try Self.write(RoadKinds.configuration, to: folder + "/kinds.xml")
    // Only streets and their nodes, in order: osm2pgrouting keeps all of what it reads in memory.
    try Self.run(
      [
        osmium, "tags-filter", "--no-progress", "-o", folder + "/streets.osm.pbf", file, RoadKinds.filter,
      ], logPath: folder + "/osmium.log")
    onStep("2 of 5: sorting them")
    try Self.run(
      [
        osmium, "sort", "--no-progress", "-f", "osm,add_metadata=false", "-o", folder + "/sorted.osm",
        folder + "/streets.osm.pbf",
      ], logPath: folder + "/osmium.log")
    try RoadFile(path: folder + "/sorted.osm").write(folder + "/sorted.osm", to: folder + "/streets.osm")

    onStep("3 of 5: waiting for the database")
    let connection = try Connection(database)
    guard try connection.query("SELECT pg_try_advisory_lock($1)", [.int8(Self.lockKey)]).bool(0, 0) else {
      throw RoadImportError.busy
    }
    // PostgreSQL ends a session some time after it was closed; whoever imports next shall not find it still here.
    defer { _ = try? connection.query("SELECT pg_advisory_unlock($1)", [.int8(Self.lockKey)]) }
    try connection.execute(RoadImportSQL.prepare)
    defer { _ = try? connection.execute(RoadImportSQL.tidy) }
    onStep("4 of 5: cutting them at their crossings")
    var environment = database.environment
    environment["PGOPTIONS"] = "-c search_path=\(RoadImportSQL.staging),public"
    try Self.run(
      [
        converter, "--file", folder + "/streets.osm", "--conf", folder + "/kinds.xml", "--schema",
        RoadImportSQL.staging,
        "--addnodes", "--tags", "--clean", "--dbname", database.database ?? database.user ?? "postgres", "--host",
        database.host ?? "/var/run/postgresql", "--port", database.port ?? "5432",
      ] + (database.user.map { ["--username", $0] } ?? []), environment: environment,
      logPath: folder + "/osm2pgrouting.log")
    onStep("5 of 5: putting them in place of those that are there")
    return try swap(connection, file: file)
  }

  private func swap(_ connection: Connection, file: String) throws -> Summary {
    try connection.execute(RoadImportSQL.ways)
    guard try connection.query("SELECT count(*) FROM \(RoadImportSQL.staging).way").int64(0, 0) > 0 else {
      throw RoadImportError.noWays(file: file)
    }
    return try connection.inTransaction { connection in
      try connection.execute(RoadImportSQL.swap)
      let name = file.split(separator: "/").last.map { String($0) } ?? file
      let rows = try connection.query(RoadImportSQL.record, [.text(name), .text(Self.attribution)])
      return Summary(
        wayCount: try rows.int64(0, 0), crossingCount: try rows.int64(0, 1), length: try rows.double(0, 2),
        west: try rows.double(0, 3), south: try rows.double(0, 4), east: try rows.double(0, 5),
        north: try rows.double(0, 6))
    }
  }

  /// The absolute path of a file that can be read.
  private static func readable(_ file: String) throws(RoadImportError) -> String {
    guard let path = realpath(file, nil) else { throw .unreadable(file: file, reason: reason()) }
    defer { free(path) }
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else { throw .unreadable(file: file, reason: reason()) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(file: file, reason: "it is no file") }
    return String(cString: path)
  }

  private static func program(_ name: String, package: String) throws(RoadImportError) -> String {
    for folder in ["/usr/bin", "/usr/local/bin"] where access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw .missing(program: name, package: package)
  }

  private static func run(
    _ arguments: [String], environment: [String: String] = [:], logPath: String
  ) throws(RoadImportError) {
    do throws(PostgresError) {
      try ChildProcess.run(
        .init(arguments: arguments, logPath: logPath, environment: environment, hearsTerminal: true))
    } catch {
      throw .failed(error.message)
    }
  }

  private static func makeFolder() throws(RoadImportError) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array((parent + "/trackme-roads-XXXXXX").utf8CString)
    guard mkdtemp(&path) != nil else { throw .failed("cannot make a folder in \(parent): \(reason())") }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws(RoadImportError) {
    guard let file = fopen(path, "we") else { throw .failed("cannot write \(path): \(reason())") }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw .failed("cannot write \(path): \(reason())") }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
