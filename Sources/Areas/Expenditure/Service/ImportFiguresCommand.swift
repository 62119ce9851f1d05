internal import ArgumentParser
internal import Console
internal import Domain
internal import ExpenditureRules
internal import Log
internal import Postgres

struct ImportFiguresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Makes a draft release out of files with figures: all of them, or none.",
    discussion: """
      Files are CSV or XLSX in the forms of the publishers: accounts of Italy, of the 21 regions and of bodies (RGS-MEF, \
      OpenBDAP), residents, consumer prices, and mobility. The heading says which. Files that were imported before change \
      nothing. Nobody sees a draft until it is published.
      """)

  @Argument(help: ArgumentHelp("Files with figures: at most 64.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
  var dataDir: String

  @Flag(help: "Only say what there would be.")
  var dryRun = false

  @Option(help: ArgumentHelp("About the release: at most 1,000 characters.", valueName: "text"))
  var note = ""

  func validate() throws {
    guard 1...FigureImport.filesMax ~= files.count else { throw ValidationError("at most 64 files at once") }
    if let problem = PlainText.problem(note, length: 0...FigureImport.noteMax, isParagraph: true) {
      throw ValidationError("--note \(problem)")
    }
    for file in files {
      let name = file.split(separator: "/").last.map { String($0) } ?? ""
      if let problem = PlainText.problem(name, length: 1...200) {
        throw ValidationError("the name of \(file) \(problem)")
      }
    }
  }

  func run() async throws {
    let given = files.map { path in
      GivenFile(path: path, name: path.split(separator: "/").last.map { String($0) } ?? path)
    }
    let work = FigureImport(given, note: note, isDryRun: dryRun, now: wallClock())
    let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
    let release: ReleaseRecord
    let lines = StepLines()
    defer { lines.end() }
    do {
      release = try await pool.withConnection { try work.run($0) { lines.begin($0) } }
    } catch let problem as ImportProblem {
      throw ValidationError("\(problem)")
    } catch let error as ReleaseError {
      throw ValidationError(error.words)
    }
    await pool.shutdown()
    lines.end()
    print(text(release))
  }

  private func text(_ release: ReleaseRecord) -> String {
    var lines = release.files.map { file in
      let years = file.firstYear == file.lastYear ? "\(file.firstYear)" : "\(file.firstYear) to \(file.lastYear)"
      let before = file.wasImportedBefore ? ", imported before" : ""
      return "\(file.name): \(file.form), \(years), \(file.rows) rows\(before)"
    }
    lines += release.checks.filter { $0.made > 0 }.map { "\($0.kind.words): \($0.failed) of \($0.made)" }
    lines += release.findings.prefix(20).map { finding in
      "  \(finding.kind.words): \(finding.year) \(finding.territory.text) \(finding.voice.text) is "
        + "\(Cents.text(finding.foundCents)), expected \(Cents.text(finding.expectedCents)) "
        + "(\(finding.file), row \(finding.row))"
    }
    switch (release.number, dryRun) {
    case (0, true): lines.append("nothing was kept")
    case (0, false): lines.append("every file had been imported before: nothing changed")
    default: lines.append("draft \(release.number)")
    }
    return lines.joined(separator: "\n")
  }
}

extension ReleaseError {
  /// For who types a command.
  var words: String {
    switch self {
    case .busy: "another import is running"
    case .missing: "there is no such release"
    case .stale: "the release has changed"
    case .alreadyPublished: "the release is published already"
    case .checksFailed(let counts):
      "checks failed: \(counts.map { "\($0.kind.words) \($0.failed) of \($0.made)" }.joined(separator: ", ")); --reason "
        + "says why that does not matter"
    }
  }
}
