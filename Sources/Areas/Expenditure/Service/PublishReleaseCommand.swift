internal import ArgumentParser
internal import Domain
internal import ExpenditureRules
internal import Log
internal import Postgres
internal import WireCodec

struct PublishReleaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Shows a draft to everybody, and takes older drafts away.")

  @Argument(help: "The draft's number.")
  var number: Int32

  @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
  var dataDir: String

  @Option(
    help: ArgumentHelp("Why failed checks do not matter, for all to read: 20 to 1,000 characters.", valueName: "text"))
  var reason = ""

  func validate() throws {
    if let problem = ExpenditureService.problem(ofReason: reason) { throw ValidationError("--reason \(problem)") }
  }

  func run() async throws {
    let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
    let (number, reason, now) = (Int64(number), reason, wallClock())
    do {
      _ = try await pool.withConnection { connection in
        try ReleaseStore.publish(number, reason: reason, etag: nil, at: now, connection)
      }
    } catch let error as ReleaseError {
      throw ValidationError(error.words)
    }
    await pool.shutdown()
    print("release \(number) is published")
  }
}
