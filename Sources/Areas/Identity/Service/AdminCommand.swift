internal import ArgumentParser
internal import Console
internal import IdentityRules
internal import Postgres
internal import ServiceKit

struct AdminCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin", abstract: "Administrators: who issue codes, edit forms and keep the metric registry.",
    subcommands: [Create.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Makes an account of an administrator.",
      discussion: """
        The password is \(passwordVariable), or the first line of standard input: never an argument, which other \
        programs of this machine can see.
        """)

    static let passwordVariable = "TRACKME_ADMIN_PASSWORD"

    @Option(help: ArgumentHelp("The data directory of a running server.", valueName: "dir"))
    var dataDir: String

    @Option(help: ArgumentHelp("3 to 64 letters, digits, dots, dashes and underscores.", valueName: "name"))
    var username: String

    @Option(help: ArgumentHelp("An e-mail address that no other account has.", valueName: "address"))
    var email: String

    func validate() throws {
      if let problem = Username.problem(username) { throw ValidationError("--username \(problem)") }
      if let problem = EmailAddress.problem(email) { throw ValidationError("--email \(problem)") }
    }

    func run() async throws {
      guard let password = Environment()[Self.passwordVariable] ?? readLine(strippingNewline: true) else {
        throw ValidationError("set \(Self.passwordVariable), or write the password on standard input")
      }
      if let problem = Password.problem(password, username: username, email: email) {
        throw ValidationError("the password \(problem)")
      }
      let pool = Pool(try ConnectionConfiguration(visiting: dataDir))
      let conflict = try await StaffAccounts(pool: pool).addAdministrator(
        username: username, email: email, passwordHash: try await PasswordHasher().hash(password))
      await pool.shutdown()
      switch conflict {
      case nil: print("administrator \(username) was made")
      case .email: throw ValidationError("--email is the address of another account")
      default: throw ValidationError("--username is taken")
      }
    }
  }
}
