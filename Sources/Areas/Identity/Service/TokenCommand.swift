internal import AreaKit
internal import ArgumentParser
internal import Domain
internal import Log
internal import Postgres
internal import ServiceKit

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Tokens of persons.", subcommands: [Create.self, List.self, Revoke.self])

  private static let day: Duration = .seconds(86_400)

  /// Which server's tokens.
  struct Place: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
    var dataDir: String

    func withTokens<Answer>(_ body: (TokenRegistry) async throws -> Answer) async throws -> Answer {
      let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
      let answer = try await body(TokenRegistry(pool: pool))
      await pool.shutdown()
      return answer
    }
  }

  /// Whose tokens.
  struct Owner: ParsableArguments {
    @Option(help: ArgumentHelp("The person's number.", valueName: "id"))
    var person: Int64

    func validate() throws {
      guard person > 0 else { throw ValidationError("--person must be positive") }
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Makes a token for a person and prints it; the server keeps only a hash.")

    private static let days = 1...Int(TokenRegistry.maxLifetime / day)

    @OptionGroup var place: Place
    @OptionGroup var owner: Owner

    @Option(help: ArgumentHelp("After how many days it ends: 1 to \(days.upperBound).", valueName: "days"))
    var expires = Int(TokenRegistry.defaultLifetime / day)

    @Option(help: ArgumentHelp("What it is for, to tell it from others.", valueName: "text"))
    var label = ""

    func validate() throws {
      guard Self.days ~= expires else {
        throw ValidationError("--expires must be from 1 to \(Self.days.upperBound)")
      }
      if let problem = PlainText.problem(label, length: 0...100) { throw ValidationError("--label \(problem)") }
    }

    func run() async throws {
      let token = TokenHash.newToken()
      try await place.withTokens {
        try await $0.add(
          tokenHash: TokenHash(token).bytes, for: owner.person, label: label, lifetime: day * expires)
      }
      print(token)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the tokens that were made for a person and are valid.",
      discussion: "A line each: its number, the days on which it was made and on which it ends (UTC), its label.")

    @OptionGroup var place: Place
    @OptionGroup var owner: Owner

    func run() async throws {
      for token in try await place.withTokens({ try await $0.list(of: owner.person) }) {
        let days = [token.created, token.expires].map { CalendarDate(utc: $0)?.text ?? "" }
        print(([String(token.id)] + days + [token.label]).joined(separator: "\t"))
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Ends a token that was made for a person, and the calls made with it.")

    @OptionGroup var place: Place

    @Argument(help: ArgumentHelp("The token's number, which `list` tells.", valueName: "id"))
    var id: Int64

    func run() async throws {
      guard try await place.withTokens({ try await $0.revoke(id) }) else {
        throw ValidationError("there is no token \(id)")
      }
      print("token \(id) was revoked")
    }
  }
}
