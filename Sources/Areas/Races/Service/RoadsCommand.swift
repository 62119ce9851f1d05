internal import AreaKit
internal import ArgumentParser
internal import Console
internal import Glibc
internal import Log
internal import Postgres

struct RoadsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roads", abstract: "Streets and paths on which courses of races are planned.",
    subcommands: [Import.self])

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Puts the streets of a map in place of those that are there.",
      discussion: """
        The file is an extract of OpenStreetMap in any form that osmium reads: .osm, .osm.gz, .osm.bz2 or .osm.pbf. A \
        server that is running plans with the new map at once. Needs osm2pgrouting, osmium-tool and pgRouting.
        """)

    @Argument(help: ArgumentHelp("The map.", valueName: "file"), completion: .file())
    var file: String

    @Option(
      help: ArgumentHelp(
        "The data directory, whose server may be running; TRACKME_DATABASE_URL goes before.", valueName: "dir"))
    var dataDir: String?

    func run() async throws {
      let (database, cluster) = try open()
      defer { cluster?.stop() }
      try StorageSystem.migrate(Connection(database), AreaTables.ofServer)
      let began = ContinuousClock.now
      let summary: RoadImport.Summary
      let lines = StepLines()
      defer { lines.end() }
      do {
        summary = try RoadImport(into: database).run(file: file) { lines.begin($0) }
      } catch let error as RoadImportError {
        throw ValidationError("\(error)")
      }
      let seconds = Double((ContinuousClock.now - began) / .milliseconds(100)) / 10
      print(
        "\(summary.wayCount) ways, \(Int(summary.length / 1_000)) km, with \(summary.crossingCount) crossings were "
          + "imported in \(seconds.rounded(.up)) s: \(summary.south), \(summary.west) to \(summary.north), "
          + "\(summary.east)")
    }

    /// A server's database; if none is running, its PostgreSQL is started and stopped again.
    private func open() throws -> (ConnectionConfiguration, EmbeddedCluster?) {
      if let url = Environment()["TRACKME_DATABASE_URL"] { return (try ConnectionConfiguration(url: url), nil) }
      guard let dataDir else { throw ValidationError("--data-dir or TRACKME_DATABASE_URL is needed") }
      if let running = EmbeddedCluster.running(in: dataDir + "/postgres") { return (running, nil) }
      guard mkdir(dataDir, 0o711) == 0 || errno == EEXIST else {
        throw ValidationError("--data-dir: cannot make \(dataDir): \(String(cString: strerror(errno)))")
      }
      let cluster = EmbeddedCluster(directory: dataDir + "/postgres")
      return (try cluster.start(), cluster)
    }
  }
}
