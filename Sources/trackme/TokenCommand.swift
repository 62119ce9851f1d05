import ArgumentParser
import Postgres
import Services
import Storage

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Tokens of persons.", subcommands: [Create.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Makes a token for a person and prints it; the server keeps only a hash.")

    @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
    var dataDir: String

    @Option(help: ArgumentHelp("The person's number.", valueName: "id"))
    var person: Int64

    func validate() throws {
      guard person > 0 else { throw ValidationError("--person must be positive") }
    }

    func run() async throws {
      let pool = Pool(try Database.visit(dataDirectory: dataDir))
      let token = TokenHash.newToken()
      try await TokenRegistry(pool: pool).add(tokenHash: TokenHash(token).bytes, for: person)
      print(token)
      await pool.shutdown()
    }
  }
}
