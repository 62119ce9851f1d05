internal import AreaKit
internal import ArgumentParser
internal import Console
internal import GroupsRules
internal import Postgres

struct ImportAreasCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-areas",
    abstract: "Imports areas that questions about groups may name: provinces and municipalities, or newer regions.",
    discussion: """
      Files are GeoJSON as openpolis publishes it, such as limits_IT_provinces.geojson: features with ISTAT's codes \
      reg_istat_code, prov_istat_code or com_istat_code. All files are imported, or none; areas that are in none of them \
      stay as they are.
      """)

  @Argument(help: ArgumentHelp("Files with boundaries.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
  var dataDir: String

  func run() async throws {
    let lines = StepLines()
    defer { lines.end() }
    let areas = try read(lines)
    lines.begin("writing \(areas.count) areas")
    let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
    let outcome = try await pool.withConnection { connection in
      try connection.inTransaction { try GroupAreas.put(areas, $0) }
    }
    await pool.shutdown()
    lines.end()
    for area in areas where area.cells.isEmpty { print("too small for the grid: \(area.name) (\(area.code.text))") }
    let same = Int64(areas.count) - outcome.added - outcome.changed
    print("\(outcome.added) areas added, \(outcome.changed) changed, \(same) as they were")
  }

  private func read(_ lines: StepLines) throws -> [GroupArea] {
    var areas: [GroupArea] = []
    var origins: [AreaCode: String] = [:]
    do {
      for (place, file) in files.enumerated() {
        lines.begin("reading \(file), \(place + 1) of \(files.count)")
        for area in try AreaFile.read(file) {
          if let other = origins.updateValue(file, forKey: area.code) {
            throw AreaFileError("\(file): \(area.name) (\(area.code.text)) is in \(other) too")
          }
          areas.append(area)
        }
      }
    } catch let error as AreaFileError {
      throw ValidationError("\(error)")
    }
    return areas
  }
}
