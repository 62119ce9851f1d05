internal import ArgumentParser
internal import Console
internal import Glibc
internal import Logging
internal import RPCRuntime
internal import ServiceLifecycle

struct DispatcherCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatcher",
    abstract: "A dispatcher for development: takes emergency calls, shows and accepts them, until SIGTERM or SIGINT.",
    discussion: """
      An administrator makes its token with AdminService/CreateDispatcher. It connects again for ever. The same incident \
      may come again; it is shown as such.
      """)

  @Option(help: ArgumentHelp("The server.", valueName: "host:port"))
  var server = "127.0.0.1:50051"

  @Option(help: ArgumentHelp("A file that holds the dispatcher's token.", valueName: "file"))
  var tokenFile: String

  @Option(help: ArgumentHelp("PEM file of the authorities to trust: connects with TLS.", valueName: "file"))
  var tlsCA: String?

  @Option(help: ArgumentHelp("Wait so long before each answer.", valueName: "ms"))
  var delay = 0

  @Option(help: ArgumentHelp("Refuse the first calls.", valueName: "n"))
  var refuse = 0

  @Option(help: ArgumentHelp("At the n-th call close the stream without an answer, and end.", valueName: "n"))
  var vanishAfter: Int?

  @Option(help: ArgumentHelp("Say that help is on its way, so long after accepting.", valueName: "s"))
  var enRouteAfter: Double?

  @Option(help: ArgumentHelp("Say that it is over, so long after accepting.", valueName: "s"))
  var resolveAfter: Double?

  @Flag(help: "It was a false alarm: say so where it would be over, or at once after accepting.")
  var falseAlarm = false

  @Option(
    help: ArgumentHelp("Append the number of each new incident, on disk before it is accepted.", valueName: "file"))
  var incidents: String?

  @Flag(help: "Print a line of JSON for each event.")
  var json = false

  @Flag(help: "Print nothing for people.")
  var quiet = false

  func validate() throws {
    guard (0...600_000).contains(delay) else { throw ValidationError("--delay must be from 0 to 600,000") }
    guard refuse >= 0 else { throw ValidationError("--refuse must not be negative") }
    guard vanishAfter ?? 1 > 0 else { throw ValidationError("--vanish-after must be positive") }
    for (name, seconds) in [("--en-route-after", enRouteAfter), ("--resolve-after", resolveAfter)] {
      guard (0...86_400).contains(seconds ?? 0) else { throw ValidationError("\(name) must be from 0 to 86,400") }
    }
  }

  func run() async throws {
    guard let text = readFile(tokenFile), case let token = text.filter({ !$0.isWhitespace }), !token.isEmpty else {
      throw ValidationError("--token-file: cannot read a token from \(tokenFile)")
    }
    var security = ClientSecurity.plaintext
    if let tlsCA {
      guard let roots = readFile(tlsCA) else { throw ValidationError("--tls-ca: cannot read \(tlsCA)") }
      security = .tls(ClientTLS(rootCertificates: roots))
    }
    // A server that is gone shows as an error of the write.
    signal(SIGPIPE, SIG_IGN)
    let behaviour = DispatcherBehaviour(
      delay: .milliseconds(delay), refusals: refuse, vanishAt: vanishAfter,
      enRouteAfter: enRouteAfter.map { .seconds($0) },
      closeAfter: resolveAfter.map { .seconds($0) } ?? (falseAlarm ? .zero : nil), closesAsFalseAlarm: falseAlarm)
    let life = DispatcherLife(
      server: server, security: security, token: token, behaviour: behaviour,
      incidents: try IncidentFile(path: incidents), console: DispatcherConsole(isJSON: json, isQuiet: quiet))
    var logger = Logger(label: "trackme.lifecycle")
    logger.logLevel = .warning
    try await ServiceGroup(
      configuration: .init(
        services: [.init(service: life, successTerminationBehavior: .gracefullyShutdownGroup)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    ).run()
  }
}
